// An import after Done: the preview, adding, and taking back. Each runs after its handler returned
// (../delivery/later.ts) and is idempotent, since a crash begins it again.
import { InlineKeyboard } from 'grammy';

import { CoreError, type ImportPreview, type ImportState } from '../../core/index.ts';
import { wordLot } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { keepDraft } from '../talk/drafts.ts';
import type { Later } from '../delivery/later.ts';
import type { Progress, Target } from '../delivery/progress.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';
import { describeLot } from './collecting.ts';

export const ADD = 'add-codes';
export const UNDO = 'undo-batch';

/** What pressing Add adds: what the preview showed. */
export interface AddOrder {
  importId: number;
  revision: string;
  count: number;
}

export interface UndoOrder {
  batchId: number;
  added: number;
}

export interface Reviewing {
  /** Reads what was collected and sends the preview; `target` is the status message. False: it is being read already. */
  review(ctx: BotContext, importId: number, target?: Target): boolean;
  add(ctx: BotContext, order: AddOrder, target: Target): void;
  undo(ctx: BotContext, order: UndoOrder, target: Target): void;
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
    add: (ctx, order, target) => later.begin(ctx, () => add(deps, ctx, order, target)),
    undo: (ctx, order, target) => later.begin(ctx, () => undo(deps, ctx, order, target)),
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
    progress.show(target, () => ({ html: ctx.say('add-reading') }));
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
  if (target) await progress.settle(target, { html: ctx.say('add-collected', { messages, files }) });
}

async function add(
  deps: ReviewingDeps,
  ctx: BotContext,
  { importId, revision, count }: AddOrder,
  target: Target,
): Promise<void> {
  const { core, progress } = deps;
  const actor = actorOf(ctx);
  const show = (done: number) => {
    if (count >= SHOWN_FROM_CODES)
      progress.show(target, () => ({ html: ctx.say('add-adding', { done, count }) }));
  };
  show(0);
  try {
    const onProgress = (done: number) => show(Math.min(done, count));
    const committed = await core.imports.commit(actor, importId, { revision, onProgress });
    if (!committed) return await progress.settle(target, { html: ctx.say('add-cancelled') });
    const { batchId, added } = committed;
    const { gameId } = core.imports.describe(actor, importId);
    const html = ctx.say('add-added', { batch: String(batchId), added, stock: wordStock(deps, ctx, gameId) });
    if (added === 0) return await progress.settle(target, { html });
    const payload: UndoOrder = { batchId, added };
    const data = await keep(deps, ctx, { action: UNDO, payload, withinMs: UNDO_MS });
    const keyboard = new InlineKeyboard().text(ctx.label('button-undo'), data);
    await progress.settle(target, { html, keyboard });
  } catch (error) {
    if (!(error instanceof CoreError && error.code === 'CONFLICT')) throw error;
    await progress.settle(target, {
      html: ctx.say('add-changed'),
      keyboard: previewAgainKeyboard(ctx, importId),
    });
  }
}

async function undo(
  { core, progress }: ReviewingDeps,
  ctx: BotContext,
  { batchId, added }: UndoOrder,
  target: Target,
): Promise<void> {
  if (added >= SHOWN_FROM_CODES) progress.show(target, () => ({ html: ctx.say('undo-running') }));
  const answer = await core.imports.undo(actorOf(ctx), batchId);
  const batch = String(batchId);
  switch (answer.status) {
    case 'undone':
      return progress.settle(target, {
        html: ctx.say('undo-done', { batch, taken: answer.takenBack, gone: added - answer.takenBack }),
      });
    case 'alreadyUndone':
      return progress.settle(target, { html: ctx.say('undo-done-before', { batch }) });
    case 'tooLate':
    case 'notFound':
      return progress.settle(target, { html: ctx.say('undo-late', { batch }) });
  }
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
  if (!ctx.chat || !ctx.from) throw new Error('A draft is made for a person in a chat.');
  return keepDraft(deps, { chatId: ctx.chat.id, userId: ctx.from.id }, order);
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

function wordStock({ core }: ReviewingDeps, ctx: BotContext, gameId: string): string {
  const game = core.games.find(gameId);
  if (!game) return '';
  return [...core.codes.countAvailable(actorOf(ctx), gameId)]
    .filter(([, available]) => available > 0)
    .map(([amount, available]) => ctx.label('add-stock-line', { lot: wordLot(ctx, game, amount), available }))
    .join('\n');
}
