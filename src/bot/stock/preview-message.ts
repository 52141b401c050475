// Preview of an import, the message that is edited as pieces come: every heading as it was read, what would be added,
// and what is asked before it can be.
import { InlineKeyboard } from 'grammy';

import { NOT_UNDERSTOOD, type Game, type ImportPreview, type ImportProgress } from '../../core/index.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Reader } from '../member-view.ts';
import type { Shown } from '../outgoing.ts';
import { fit, LONGEST_MESSAGE } from '../replies.ts';
import { confirmFor } from '../prompts/confirmations.ts';
import { name } from '../texts.ts';
import { labelStockKey } from './code-order.ts';
import { ADD, askSupplier, type AddOrder } from './button-orders.ts';
import { describeStockKey, doneKeyboard, previewAgainKeyboard, stockKeyRows } from './labels.ts';

const HEADINGS_SHOWN = 20;
/** Left for what stands above it. */
const NOTE_LENGTH = 120;

type Deps = Pick<BotDeps, 'core'>;

/** Said above a preview: it holds what was sent before, too. */
export type PreviewNote = 'add-joined';

/**
 * The message of an import as it stands: the preview, or the question for a paste. undefined: it is decided. `another`:
 * the denominations are offered, whatever the codes say that they are worth.
 */
export async function showImport(
  deps: Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>,
  reader: Reader,
  importId: number,
  { note, another = false }: { note?: PreviewNote | undefined; another?: boolean | undefined } = {},
): Promise<Shown | undefined> {
  const { imports } = deps.core;
  const { actor, say } = reader;
  const state = imports.describe(actor, importId);
  if (state.state !== 'collecting') return undefined;
  if (state.messages + state.files === 0) return renderPaste(deps, reader, importId);
  const preview = await imports.preview(actor, importId);
  if (imports.describe(actor, importId).state !== 'collecting') return undefined;
  const count = countFresh(preview.stockKeys);
  const payload: AddOrder = { importId, revision: state.revision, count };
  const isReady = count > 0 && preview.asked.length === 0;
  // Its import is cancelled by itself, and its preview with it.
  const order = { action: ADD, payload, madeOf: `,${preview.messages.join()},` };
  const person = { chatId: actor.telegramId, userId: actor.telegramId };
  const data = isReady ? await confirmFor(deps, person, order) : undefined;
  const words = formatPreview(deps, reader, state, preview);
  const html = note ? `${say(note)}\n\n${words}` : words;
  return { html, keyboard: previewKeyboard(deps, reader, importId, { ...state, another }, preview, data) };
}

/** The question for a paste. */
export function renderPaste({ core }: Deps, reader: Reader, importId: number): Shown {
  const html = reader.say(
    'add-paste',
    describeStockKey(reader, core, core.imports.describe(reader.actor, importId)),
  );
  return { html, keyboard: doneKeyboard(reader, importId) };
}

/** What was pasted outlives a preview that was withdrawn alone: since some of it was changed, and is not read again. */
export function formatWithdrawn(
  { core }: Deps,
  { action, payload }: Pick<Confirmation, 'action' | 'payload'>,
  ctx: BotContext,
): { key: string; keyboard: InlineKeyboard } | undefined {
  const open = action === ADD && ctx.actor ? core.imports.findOpen(ctx.actor)?.id : undefined;
  if (open === undefined || open !== (JSON.parse(payload) as AddOrder).importId) return undefined;
  return { key: 'add-withdrawn', keyboard: previewAgainKeyboard(ctx, open) };
}

function formatPreview(
  { core }: Deps,
  ctx: Pick<Reader, 'say' | 'label'>,
  state: ImportProgress,
  preview: ImportPreview,
): string {
  const game = core.games.find(state.gameId);
  if (!game) return ctx.say('add-decided');
  const { notUnderstood, notUnderstoodExamples, leftOut, repeated } = preview;
  const { gameId, denomination, messages, files } = state;
  const stockKey = denomination === undefined ? 'none' : labelStockKey(ctx, game, denomination);
  const lines = [ctx.say('add-preview', { game: gameId, stockKey, messages, files }), ''];
  lines.push(...formatHeadings(ctx, game, preview));
  for (const { denomination: amount, first, last, ...counts } of preview.stockKeys) {
    lines.push(ctx.say('add-preview-stock-key', { stockKey: labelStockKey(ctx, game, amount), ...counts }));
    // What it reads like shows what a count does not.
    const codes = first === last ? first : `${first} … ${last}`;
    if (codes !== undefined) lines.push(ctx.say('add-preview-example', { text: codes }));
  }
  if (state.supplier !== undefined)
    lines.push(ctx.say('add-preview-supplier', { supplier: name(state.supplier) }));
  if (preview.stockKeys.length === 0 && preview.asked.length === 0) lines.push(ctx.say('add-preview-none'));
  if (repeated > 0) lines.push(ctx.say('add-preview-repeated', { count: repeated }));
  if (leftOut > 0) lines.push(ctx.say('add-preview-left-out', { count: leftOut }));
  if (notUnderstood > 0) {
    lines.push('', ctx.say('add-preview-not-understood', { count: notUnderstood }));
    for (const text of notUnderstoodExamples)
      lines.push(ctx.say('add-preview-example', { text: name(text) }));
  }
  if (preview.foreignLetter !== undefined)
    lines.push('', ctx.say('add-preview-foreign-letter', { letter: preview.foreignLetter }));
  if (preview.isChanged) lines.push('', ctx.say('add-preview-changed'));
  if (preview.tooMany) lines.push('', ctx.say('add-preview-too-many'));
  if (lines.at(-1) === '') lines.pop();
  // Whatever has no room: what the buttons ask stands above them.
  const next = `\n\n${formatNext(ctx, preview)}`;
  return fit(lines.join('\n'), LONGEST_MESSAGE - NOTE_LENGTH - next.length) + next;
}

/** Nothing where there is nothing but one heading, or none: the stock keys say the same. */
function formatHeadings(
  ctx: Pick<Reader, 'say' | 'label'>,
  game: Game,
  { headings, asked }: ImportPreview,
): string[] {
  const lines = headings.map(({ text, denomination, codes }) => {
    const stockKey = denomination === undefined ? '' : labelStockKey(ctx, game, denomination);
    return ctx.say('add-preview-heading', { text: name(text), stockKey, count: codes });
  });
  const questions = asked.map((each) => formatAsked(ctx, ASKED, each));
  const shown = [...lines.slice(0, HEADINGS_SHOWN), ...questions];
  if (lines.length > HEADINGS_SHOWN)
    shown.splice(
      HEADINGS_SHOWN,
      0,
      ctx.say('add-preview-headings-more', { count: lines.length - HEADINGS_SHOWN }),
    );
  return shown.length > 0 ? [...shown, ''] : [];
}

const ASKED = { some: 'add-preview-asked', none: 'add-preview-asked-nothing', good: 'add-preview-asked' };
const ASKING = { some: 'add-ask', none: 'add-ask-nothing', good: 'add-ask-good' };

function formatAsked(
  ctx: Pick<Reader, 'say' | 'label'>,
  keys: typeof ASKED,
  { text, codes: count, isGood }: ImportPreview['asked'][number],
): string {
  if (text === undefined) return ctx.say(keys.none, { count });
  return ctx.say(isGood ? keys.good : keys.some, { text: name(text), count });
}

function formatNext(ctx: Pick<Reader, 'say' | 'label'>, { asked, stockKeys }: ImportPreview): string {
  const [first] = asked;
  if (first) return formatAsked(ctx, ASKING, first);
  return ctx.say(countFresh(stockKeys) === 0 ? 'add-preview-nothing' : 'add-preview-next');
}

const countFresh = (stockKeys: ImportPreview['stockKeys']): number =>
  stockKeys.reduce((sum, { fresh }) => sum + fresh, 0);

/** `data` is that of the last button, where there is something to add and nothing to ask any more. */
function previewKeyboard(
  { core }: Deps,
  ctx: Pick<Reader, 'say' | 'label'>,
  importId: number,
  { gameId, another }: ImportProgress & { another: boolean },
  { asked, stockKeys, mayBeCodes }: ImportPreview,
  data: string | undefined,
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const [first] = asked;
  if (first) {
    const isGood = first.isGood === true && !another;
    askWhich(ctx, keyboard, core.games.find(gameId), { ...first, isGood }, `add:as:${importId}:${first.key}`);
  } else if (data !== undefined) {
    keyboard.text(
      ctx.label('button-add-codes', { count: String(countFresh(stockKeys)), n: countFresh(stockKeys) }),
      data,
    );
  } else keyboard.text(ctx.label('button-paste-more'), `add:more:${importId}`);
  keyboard.text(ctx.label('button-cancel'), `add:stop:${importId}`);
  if (mayBeCodes > 0)
    keyboard
      .row()
      .text(
        ctx.label('button-are-codes', { count: mayBeCodes }),
        `add:as:${importId}:${NOT_UNDERSTOOD}:good`,
      );
  return data === undefined
    ? keyboard
    : keyboard.row().text(ctx.label('button-supplier'), askSupplier(importId));
}

function askWhich(
  ctx: Pick<Reader, 'say' | 'label'>,
  keyboard: InlineKeyboard,
  game: Game | undefined,
  { codes, isGood }: ImportPreview['asked'][number],
  data: string,
): void {
  if (isGood)
    keyboard
      .text(ctx.label('button-good', { count: codes }), `${data}:good`)
      .row()
      .text(ctx.label('button-another'), `${data}:other`);
  else
    for (const row of game ? stockKeyRows(ctx, game) : [])
      keyboard.row(...row.map(({ label, value }) => InlineKeyboard.text(label, `${data}:${value}`)));
  keyboard.row().text(ctx.label('button-leave-out', { count: codes }), `${data}:out`);
}
