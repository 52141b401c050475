// What the bot has said in which chat, as Telegram took it: the words of messages, edits and documents, and what they
// tell of.
import type { Call } from '../../telegram/calls.ts';
import { readSpreadsheet } from '../../harness/spreadsheet.ts';
import type { SeenMessage } from '../../telegram/types.ts';
import type { Telegram } from '../machine/telegram.ts';

export interface Words {
  chatId: number;
  text: string;
  at: number;
  /** Its number, as far as Telegram told it. */
  messageId?: number | undefined;
  /** Of a document, what stands in it; `text` has it, too. */
  document?: string;
}

export interface Said {
  /** Since the last morning. */
  today: Words[];
  /** Whether an end of this redemption was told in this chat, ever. */
  hasToldEnd(chatId: number, redemptionId: number): boolean;
  /** How often something like this was said in this chat since the last morning. */
  count(chatId: number, pattern: RegExp): number;
}

const SAYING = /^(send(Message|Document|Photo|Invoice)|edit)/;
const END = /(?:✅|❌)[^\n]*(?:receipt|чек\S*) №? ?(\d+)/g;
/** The message of an order of several codes that is over has each, redeemed or not. */
const ORDER_OVER = /All \d+ redeemed|✅ <b>Redeemed<\/b> for|Stopped: |Активировано \d+ из|Остановлено, /;
const IN_ORDER = /(?:✅|❌)[^\n]*\/receipt_(\d+)/g;
const GONE = /(?:redemption|активация) (\d+)/g;

/** `onCodes` is told of files with codes: which extraction or batch they are of. */
export function listen(
  telegram: Telegram,
  now: () => number,
  onCodes: (of: string, codes: string[]) => void,
): Said {
  const ends = new Set<string>();
  const today: Words[] = [];
  telegram.api.watch(({ kind, detail }) => {
    if (kind !== 'call') return;
    const { method, payload, error, result } = detail as Call;
    if (error || !SAYING.test(method)) return;
    const chatId = Number(payload.chat_id);
    const words = [payload.text, payload.caption, payload.title]
      .filter((each) => typeof each === 'string')
      .join('\n');
    const document = method === 'sendDocument' ? readDocument(telegram, chatId, result) : undefined;
    const text = document === undefined ? words : `${words}\n${document}`;
    // A picture says something without a word.
    if (text === '' && method !== 'sendPhoto') return;
    const given = /<b>((?:Extraction|Batch) \d+)<\/b>/.exec(words)?.[1];
    if (method === 'sendDocument' && given !== undefined)
      onCodes(given, text.match(/\d+S[A-Za-z0-9]{8,}/g) ?? []);
    const messageId =
      Number(payload.message_id ?? (result as { message_id?: number } | undefined)?.message_id) || undefined;
    today.push({ chatId, text, at: now(), messageId, ...(document !== undefined && { document }) });
    const ordered = ORDER_OVER.test(text) ? text.matchAll(IN_ORDER) : [];
    for (const [, id] of [...text.matchAll(END), ...text.matchAll(GONE), ...ordered])
      ends.add(`${chatId}:${id}`);
  });
  return {
    today,
    hasToldEnd: (chatId, redemptionId) => ends.has(`${chatId}:${redemptionId}`),
    count: (chatId, pattern) =>
      today.filter((each) => each.chatId === chatId && pattern.test(each.text)).length,
  };
}

function readDocument({ api }: Telegram, chatId: number, result: unknown): string {
  const { message_id: id } = (result ?? {}) as { message_id?: number };
  return documentOf(api.messages({ id: chatId }, 3).find((message) => message.id === id));
}

/** A spreadsheet as its rows, a line each. */
function documentOf(message: SeenMessage | undefined): string {
  const { name = '', bytes = Buffer.alloc(0) } = message?.document ?? {};
  if (!name.endsWith('.xlsx')) return bytes.toString('utf8');
  return readSpreadsheet(bytes)
    .map((cells) => cells.map((cell) => cell.replaceAll(/\s+/g, ' ')).join('\t'))
    .join('\n');
}
