// The message of an import: its preview, below the last piece, a moment after the last of them came. Where something came
// after it, it is posted anew and the old one removed. Which message it is, the import knows, also after a restart.
import { InlineKeyboard } from 'grammy';

import { type Game, type ImportPreview, type ImportProgress, NOT_UNDERSTOOD } from '../../core/index.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createMemberView, type Reader } from '../member-view.ts';
import { type Shown, toOutgoing, toOutgoingRow, type View } from '../outgoing.ts';
import { confirmFor } from '../prompts/confirmations.ts';
import { fit, isRefusal, LONGEST_MESSAGE } from '../replies.ts';
import { name } from '../texts.ts';
import { ADD, type AddOrder, askSupplier } from './button-orders.ts';
import { labelStockKey } from './code-order.ts';
import { describeStockKey, doneKeyboard, previewAgainKeyboard, stockKeyRows } from './labels.ts';

/** The name of the view. */
export const IMPORT = 'import';

/** A client sends the pieces of one paste within moments: who shows each says the same thing many times. */
const AFTER_A_PIECE = { quietMs: 400, mostMs: 3_000 };
const AT_ONCE = { quietMs: 0, mostMs: 0 };
/** Less is read in a moment: showing that it is would only delay the answer. */
const SHOWN_FROM_PIECES = 10;

export interface ShownImport {
  /** Said above it. */
  note?: PreviewNote | undefined;
  /** The denominations are offered, whatever the codes say that they are worth. */
  another?: boolean | undefined;
  /** The message that becomes that of the import, in place of a new one. */
  messageId?: number | undefined;
}

/**
 * `isBelow`: where something came since, it is shown below that; `asksForMore`: more is to be pasted, below the preview;
 * `isRead`: that it is being read was shown.
 */
interface ImportOrder extends ShownImport {
  importId: number;
  isBelow?: boolean;
  asksForMore?: boolean;
  isRead?: boolean;
}

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'texts'>;

type Enqueuing = Pick<BotDeps, 'core'>;

/** A piece came for it: shown below what came last, or in the message that is named. */
export const showPiece = (
  deps: Enqueuing,
  ctx: BotContext,
  importId: number,
  { note, messageId }: Pick<ShownImport, 'note' | 'messageId'> = {},
) => {
  const isBelow = messageId === undefined;
  return enqueueImport(deps, ctx, { importId, note, messageId, isBelow }, AFTER_A_PIECE);
};

/** Shows how it stands now. */
export const showNow = (deps: Enqueuing, ctx: BotContext, importId: number, how: ShownImport = {}) =>
  enqueueImport(deps, ctx, { importId, ...how }, AT_ONCE);

/** Asks for more of it. */
export const askForMore = (deps: Enqueuing, ctx: BotContext, importId: number) =>
  enqueueImport(deps, ctx, { importId, asksForMore: true }, AT_ONCE);

function enqueueImport({ core }: Enqueuing, ctx: BotContext, of: ImportOrder, renewed: typeof AT_ONCE): void {
  const actor = actorOf(ctx);
  const { shownIn } = core.imports.describe(actor, of.importId);
  const order = { view: IMPORT, of, telegramId: actor.telegramId, language: ctx.language };
  const content = { ...order, messageId: of.messageId ?? shownIn };
  const row = toOutgoingRow(`${IMPORT}:${of.importId}`, actor.telegramId, content);
  ctx.turn.add({ ...row, kind: 'answer', renewed });
}

/** Takes a message away; where Telegram does not, it stays, and its buttons say what they say. */
export async function takeMessage(ctx: BotContext, messageId: number | undefined): Promise<void> {
  if (!ctx.chat || messageId === undefined) return;
  await ctx.api.deleteMessage(ctx.chat.id, messageId).catch((error: unknown) => {
    if (!isRefusal(error, /message to delete not found/)) ctx.turn.forgive(error);
  });
}

/** undefined where it is decided. */
export function createImportView(deps: Deps): View {
  const { imports } = deps.core;
  return createMemberView<ImportOrder>(deps, async (reader, of) => {
    const { importId, messageId, isBelow = false, asksForMore = false, isRead = false } = of;
    const { state, shownIn, ...held } = imports.describe(reader.actor, importId);
    if (state !== 'collecting') return undefined;
    const isLarge = held.files > 0 || held.messages >= SHOWN_FROM_PIECES;
    if (isLarge && (messageId ?? shownIn) !== undefined && !isBelow && !asksForMore && !isRead) {
      const goesOn = { of: { ...of, isRead: true }, waitsFor: `${IMPORT}:${importId}`, lookMs: 0 };
      return { html: reader.say('add-reading'), goesOn };
    }
    const shown = asksForMore
      ? renderPaste(deps, reader, importId)
      : await showImport(deps, reader, importId, of);
    if (!shown) return undefined;
    const move = async (now: number): Promise<boolean> => {
      if (imports.describe(reader.actor, importId).state !== 'collecting') return false;
      if (now !== shownIn) await imports.showIn(reader.actor, importId, now);
      return true;
    };
    const standing = { messageId: isBelow ? shownIn : messageId, before: shownIn, move };
    return { ...toOutgoing(shown.html, shown.keyboard), rings: isBelow, standing };
  });
}

// Preview of an import, the message that is edited as pieces come: every heading as it was read, what would be added,
// and what is asked before it can be.

const HEADINGS_SHOWN = 20;
/** Left for what stands above it. */
const NOTE_LENGTH = 120;

/** Said above a preview: it holds what was sent before, too. */
export type PreviewNote = 'add-joined';

/**
 * The message of an import as it stands: the preview, or the question for a paste. undefined: it is decided. `another`:
 * the denominations are offered, whatever the codes say that they are worth.
 */
async function showImport(
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
function renderPaste({ core }: Pick<BotDeps, 'core'>, reader: Reader, importId: number): Shown {
  const html = reader.say(
    'add-paste',
    describeStockKey(reader, core, core.imports.describe(reader.actor, importId)),
  );
  return { html, keyboard: doneKeyboard(reader, importId) };
}

/** What was pasted outlives a preview that was withdrawn alone: since some of it was changed, and is not read again. */
export function formatWithdrawn(
  { core }: Pick<BotDeps, 'core'>,
  { action, payload }: Pick<Confirmation, 'action' | 'payload'>,
  ctx: BotContext,
): { key: string; keyboard: InlineKeyboard } | undefined {
  const open = action === ADD && ctx.actor ? core.imports.findOpen(ctx.actor)?.id : undefined;
  if (open === undefined || open !== (JSON.parse(payload) as AddOrder).importId) return undefined;
  return { key: 'add-withdrawn', keyboard: previewAgainKeyboard(ctx, open) };
}

function formatPreview(
  { core }: Pick<BotDeps, 'core'>,
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
  { core }: Pick<BotDeps, 'core'>,
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
