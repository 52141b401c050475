// What may stand under a message: the limits of keyboards, and nothing about what a button does.
import { badRequest, type Button, type Markup } from './types.ts';

/** The keyboard of a message, checked; undefined when there is none. Throws the refusal that Telegram would answer. */
export function checkMarkup(value: unknown, allowPay = false): Markup | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') throw badRequest('object expected as reply markup');
  const markup = value as Markup;
  if (markup.inline_keyboard !== undefined) {
    const rows = checkRows(markup.inline_keyboard, 'inline keyboard').map((row) =>
      row.map((button) => checkButton(button)),
    );
    checkPayButton(rows, allowPay);
    return rows.length === 0 ? undefined : { inline_keyboard: rows };
  }
  if (markup.keyboard !== undefined) {
    for (const button of checkRows(markup.keyboard, 'reply keyboard').flat()) {
      const label = typeof button === 'string' ? button : (button as Button | null)?.text;
      if (typeof label !== 'string' || label.trim() === '')
        throw badRequest("can't parse keyboard button: text must be non-empty");
    }
    return markup;
  }
  if (markup['remove_keyboard'] === true || markup['force_reply'] === true) return markup;
  return undefined;
}

const actions = [
  'callback_data',
  'url',
  'copy_text',
  'pay',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'callback_game',
];
const STYLES = new Set(['danger', 'success', 'primary']);
const inButton = (what: string) => badRequest(`can't parse inline keyboard button: ${what}`);

function checkRows(value: unknown, what: string): unknown[][] {
  if (!Array.isArray(value)) throw badRequest(`can't parse reply markup: ${what} must be an array of rows`);
  const rows = value as unknown[];
  if (rows.some((row) => !Array.isArray(row)))
    throw badRequest(`can't parse reply markup: a row of the ${what} must be an array`);
  const filled = (rows as unknown[][]).filter((row) => row.length > 0);
  if (filled.flat().length > 100) throw badRequest('REPLY_MARKUP_TOO_LONG');
  if (filled.some((row) => row.length > 8)) throw badRequest('BUTTONS_ROW_TOO_LONG');
  return filled;
}

function checkButton(value: unknown): Button {
  if (typeof value !== 'object' || value === null) throw inButton('object expected');
  const button = value as Button;
  if (typeof button.text !== 'string' || button.text.trim() === '') throw inButton('text must be non-empty');
  const taken = actions.filter((action) => button[action] !== undefined && button[action] !== false);
  if (taken.length === 0) throw inButton('Text buttons are unallowed in the inline keyboard');
  if (taken.length > 1) throw inButton(`exactly one action is allowed, found ${taken.join(', ')}`);
  checkAction(button);
  const { text, style } = button;
  if (style !== undefined && !STYLES.has(style)) throw inButton('invalid button style specified');
  return { text, [taken[0]!]: button[taken[0]!], ...(style !== undefined && { style }) };
}

function checkAction(button: Button): void {
  const raw: Record<string, unknown> = button;
  const [data, copy, url]: unknown[] = [raw['callback_data'], raw['copy_text'], raw['url']];
  if (data !== undefined) {
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 0;
    if (bytes < 1 || bytes > 64) throw badRequest('BUTTON_DATA_INVALID');
  }
  if (copy !== undefined) {
    const text = Object(copy) === copy ? (copy as Record<string, unknown>)['text'] : undefined;
    if (typeof text !== 'string' || text.length < 1 || text.length > 256)
      throw badRequest('BUTTON_COPY_TEXT_INVALID');
  }
  if (url !== undefined && !isLink(url)) throw badRequest('BUTTON_URL_INVALID');
}

function isLink(url: unknown): boolean {
  if (typeof url !== 'string' || url === '') return false;
  const full = /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `http://${url}`;
  if (!URL.canParse(full)) return false;
  const { protocol, hostname } = new URL(full);
  return protocol === 'tg:' || (/^https?:$/.test(protocol) && hostname.includes('.'));
}

function checkPayButton(rows: Button[][], allowPay: boolean): void {
  const buttons = rows.flat();
  const place = buttons.findIndex((button) => button.pay === true);
  if (allowPay && buttons.length > 0 && place !== 0) throw badRequest('BUTTON_BUY_MUST_BE_FIRST');
  if (!allowPay && place !== -1) throw badRequest('BUTTON_TYPE_INVALID');
}
