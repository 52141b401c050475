// An import after Done: the preview, adding, and taking back. Each runs after its handler returned
// (../delivery/later.ts) and is idempotent, since a crash begins it again.
import { InlineKeyboard } from 'grammy';

import { CoreError, type BulkBegun, type ImportPreview, type ImportState } from '../../core/index.ts';
import { wordLot } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Deed } from '../delivery/deeds.ts';
import type { Draft } from '../keeping.ts';
import { keepDraft, makeDraftId } from '../talk/drafts.ts';
import type { Later } from '../delivery/later.ts';
import type { Progress, Target } from '../delivery/progress.ts';
import { editHtml, reply } from '../replies.ts';
import { name } from '../texts.ts';
import { describeLot } from './collecting.ts';
import { ADD, UNDO, type AddOrder, type UndoOrder } from './orders.ts';
import { ADDED, UNDONE, UNDONE_FILE, type AddedResult, type UndoneResult } from './results.ts';

export interface Reviewing {
  /** Reads what was collected and sends the preview; `target` is the status message. False: it is being read already. */
  review(ctx: BotContext, importId: number, target?: Target): boolean;
  add(ctx: BotContext, deed: Deed<AddOrder>): void;
  undo(ctx: BotContext, deed: Deed<UndoOrder>): void;
}

interface ReviewingDeps extends BotDeps {
  later: Later;
  progress: Progress;
}

/** Less is done in a moment: showing that it runs would only delay the answer. */
const SHOWN_FROM_CODES = 3_000;
const SHOWN_FROM_PIECES = 10;
const UNDO_MS = 60 * 60 * 1000;
const DENOMINATIONS_A_ROW = 3;
const MOST_BUTTONS = 60;

export function createReviewing(deps: ReviewingDeps): Reviewing {
  const { later } = deps;
  const reading = new Set<number>();
  return {
    review(ctx, importId, target) {
      if (reading.has(importId)) return false;
      reading.add(importId);
      later.begin(ctx, () => review(deps, ctx, importId, target).finally(() => reading.delete(importId)));
      return true;
    },
    add: (ctx, deed) => later.begin(ctx, () => deed.guard(() => add(deps, ctx, deed))),
    undo: (ctx, deed) => later.begin(ctx, () => deed.guard(() => undo(deps, ctx, deed))),
  };
}

async function review(
  deps: ReviewingDeps,
  ctx: BotContext,
  importId: number,
  target: Target | undefined,
): Promise<void> {
  const { core, progress } = deps;
  const actor = actorOf(ctx);
  const before = core.imports.describe(actor, importId);
  const { messages, files } = before;
  if (target && (files > 0 || messages >= SHOWN_FROM_PIECES))
    progress.open(target).show(() => ({ html: ctx.say('add-reading') }));
  const preview = await core.imports.preview(actor, importId);
  if (core.imports.describe(actor, importId).state !== 'collecting') return;
  const count = preview.lots.reduce((sum, lot) => sum + lot.fresh, 0);
  const order: AddOrder = { importId, revision: before.revision, count };
  const data = count > 0 ? await keep(deps, ctx, { action: ADD, payload: order }) : undefined;
  await reply(
    ctx,
    wordPreview(deps, ctx, before, preview),
    previewKeyboard(deps, ctx, importId, before, preview, data),
  );
  if (!target) return;
  await progress.end(target);
  await editHtml(ctx, ctx.say('add-collected', { messages, files }), undefined, target);
}

async function add(deps: ReviewingDeps, ctx: BotContext, deed: Deed<AddOrder>): Promise<void> {
  const { core, keeping, progress } = deps;
  const { target, draft } = deed;
  const { importId, revision, count } = deed.payload;
  const line = progress.open(target);
  const undoId = makeDraftId(deps);
  const undoKeyboard = new InlineKeyboard().text(ctx.label('button-undo'), `${UNDO}:${undoId}`);
  const show = (done: number, keyboard?: InlineKeyboard) => {
    if (count >= SHOWN_FROM_CODES)
      line.show(() => ({ html: ctx.say('add-adding', { done, count }), keyboard }));
  };
  show(0);
  const alongside = keeping.alongside(({ batchId, jobId }: BulkBegun) => ({
    draft,
    messages: [deed.result({ view: ADDED, of: { batchId, undoId } satisfies AddedResult }, { jobId })],
    offers: [offerUndo(deps, ctx, undoId, { batchId, added: count })],
  }));
  try {
    // From here on there is a batch: taking it back ends the adding.
    const onProgress = (done: number) => show(Math.min(done, count), undoKeyboard);
    const committed = await core.imports.commit(actorOf(ctx), importId, { revision, onProgress, alongside });
    if (committed) return;
    await progress.end(target);
    await editHtml(ctx, ctx.say('add-cancelled'), undefined, target);
  } catch (error) {
    await progress.end(target);
    if (!(error instanceof CoreError && error.code === 'CONFLICT')) throw error;
    await editHtml(ctx, ctx.say('add-changed'), previewAgainKeyboard(ctx, importId), target);
  }
}

async function undo(
  { core, keeping, progress }: ReviewingDeps,
  ctx: BotContext,
  deed: Deed<UndoOrder>,
): Promise<void> {
  const { target, draft } = deed;
  const { batchId, added } = deed.payload;
  const line = progress.open(target);
  if (added >= SHOWN_FROM_CODES) line.show(() => ({ html: ctx.say('undo-running') }));
  const of: UndoneResult = { batchId };
  const alongside = keeping.alongside(({ jobId }: BulkBegun) => ({
    draft,
    messages: [
      deed.result({ view: UNDONE, of }, { jobId }),
      deed.result({ view: UNDONE_FILE, of }, { jobId, apart: 'file' }),
    ],
  }));
  const answer = await core.imports.undo(actorOf(ctx), batchId, alongside);
  if (answer.status === 'undone') return;
  await progress.end(target);
  const key = answer.status === 'alreadyUndone' ? 'undo-done-before' : 'undo-late';
  await editHtml(ctx, ctx.say(key, { batch: String(batchId) }), undefined, target);
}

function offerUndo({ clock }: ReviewingDeps, ctx: BotContext, id: string, payload: UndoOrder): Draft {
  const person = personOf(ctx);
  return { id, ...person, action: UNDO, payload: JSON.stringify(payload), expiresAt: clock.now() + UNDO_MS };
}

/** The buttons where a preview does not hold any more. */
export function previewAgainKeyboard(ctx: Pick<BotContext, 'label'>, importId: number): InlineKeyboard {
  return new InlineKeyboard()
    .text(ctx.label('button-preview-again'), `add:done:${importId}`)
    .text(ctx.label('button-cancel'), `add:stop:${importId}`);
}

function keep<P>(
  deps: ReviewingDeps,
  ctx: BotContext,
  order: { action: string; payload: P; withinMs?: number },
): Promise<string> {
  return keepDraft(deps, personOf(ctx), order);
}

function personOf(ctx: BotContext): { chatId: number; userId: number } {
  if (!ctx.chat || !ctx.from) throw new Error('A draft is made for a person in a chat.');
  return { chatId: ctx.chat.id, userId: ctx.from.id };
}

function wordPreview(
  { core }: ReviewingDeps,
  ctx: BotContext,
  { gameId, denomination }: ImportState,
  preview: ImportPreview,
): string {
  const { malformed, malformedExamples, withoutDenomination, repeated } = preview;
  const game = core.games.find(gameId);
  const lines = [ctx.say('add-preview', describeLot(ctx, core, { gameId, denomination })), ''];
  for (const { denomination: amount, ...counts } of preview.lots) {
    if (game) lines.push(ctx.say('add-preview-lot', { lot: wordLot(ctx, game, amount), ...counts }));
  }
  if (preview.lots.length === 0) lines.push(ctx.say('add-preview-none'));
  if (repeated > 0) lines.push(ctx.say('add-preview-repeated', { count: repeated }));
  if (malformed > 0) {
    lines.push('', ctx.say('add-preview-malformed', { count: malformed }));
    for (const text of malformedExamples) lines.push(ctx.say('add-preview-example', { text: name(text) }));
  }
  if (withoutDenomination > 0) {
    const key = denomination === undefined ? 'add-preview-without' : 'add-preview-unknown';
    lines.push('', ctx.say(key, { count: withoutDenomination }));
  }
  if (preview.tooMany) lines.push('', ctx.say('add-preview-too-many'));
  const isNothing = preview.lots.every(({ fresh }) => fresh === 0);
  lines.push('', ctx.say(isNothing ? 'add-preview-nothing' : 'add-preview-next'));
  return lines.join('\n');
}

function previewKeyboard(
  { core }: ReviewingDeps,
  ctx: BotContext,
  importId: number,
  { gameId, denomination }: ImportState,
  { lots, withoutDenomination }: ImportPreview,
  data: string | undefined,
): InlineKeyboard {
  const keyboard = new InlineKeyboard();
  const count = lots.reduce((sum, lot) => sum + lot.fresh, 0);
  if (data !== undefined) keyboard.text(ctx.label('button-add-codes', { count: String(count) }), data);
  else keyboard.text(ctx.label('button-paste-more'), `add:more:${importId}`);
  keyboard.text(ctx.label('button-cancel'), `add:stop:${importId}`);
  const game = core.games.find(gameId);
  if (withoutDenomination === 0 || denomination !== undefined || !game) return keyboard;
  for (const [index, amount] of game.denominations.slice(0, MOST_BUTTONS).entries()) {
    if (index % DENOMINATIONS_A_ROW === 0) keyboard.row();
    keyboard.text(wordLot(ctx, game, amount), `add:for:${importId}:${amount}`);
  }
  return keyboard;
}
