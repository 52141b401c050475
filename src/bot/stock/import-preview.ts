// What is ordered of an import: its preview at once, adding, and taking back. Each runs after its handler returned
// (../inbox/background-tasks.ts) and is idempotent, since a crash begins it again.
import { InlineKeyboard } from 'grammy';

import { CoreError, UNDO_WITHIN_MS, type BulkBegun, type Committing } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Action } from '../outbox/actions.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { makeConfirmationId, personOf } from '../prompts/confirmations.ts';
import type { BackgroundTasks } from '../inbox/background-tasks.ts';
import type { Progress } from '../telegram/progress.ts';
import type { Target } from '../replies.ts';
import { editHtml, reply } from '../replies.ts';
import { updatesOf } from './collect-codes.ts';
import type { ImportStatusMessage } from './import-status-message.ts';
import { DELETE, UNDO, type AddOrder, type DeleteOrder, type UndoOrder } from './button-orders.ts';
import { showImport } from './preview-message.ts';
import { refuseInPlace } from './errors.ts';
import { ADDED, UNDONE, type AddedResult, type UndoneResult } from './result-views.ts';
import { previewAgainKeyboard } from './labels.ts';

export interface PreviewActions {
  /**
   * Reads what was collected and shows the preview, in the message that is told where there is one. False: it is being
   * read. `another`: see `showImport`.
   */
  review(ctx: BotContext, importId: number, edits?: Target, another?: boolean): boolean;
  add(ctx: BotContext, action: Action<AddOrder>): void;
  undo(ctx: BotContext, action: Action<UndoOrder>): void;
}

interface PreviewActionsDeps extends BotDeps {
  backgroundTasks: BackgroundTasks;
  progress: Progress;
  statusMessage: ImportStatusMessage;
}

/** Less is done in a moment: showing that it runs would only delay the answer. */
const SHOWN_FROM_CODES = 3_000;
const SHOWN_FROM_PIECES = 10;
/** Telegram lets a bot delete what is younger. */
const DELETE_MS = 48 * 60 * 60 * 1000;

export function createPreviewActions(deps: PreviewActionsDeps): PreviewActions {
  const { backgroundTasks } = deps;
  const reading = new Set<number>();
  return {
    review(ctx, importId, edits, another) {
      if (reading.has(importId)) return false;
      reading.add(importId);
      backgroundTasks.begin(ctx, () =>
        review(deps, ctx, importId, { edits, another }).finally(() => reading.delete(importId)),
      );
      return true;
    },
    add: (ctx, action) => backgroundTasks.begin(ctx, () => action.guard(() => add(deps, ctx, action))),
    undo: (ctx, action) => backgroundTasks.begin(ctx, () => action.guard(() => undo(deps, ctx, action))),
  };
}

async function review(
  deps: PreviewActionsDeps,
  ctx: BotContext,
  importId: number,
  { edits, another }: { edits: Target | undefined; another: boolean | undefined },
): Promise<void> {
  const { core, statusMessage, progress } = deps;
  await statusMessage.end(ctx, importId);
  const { messages, files, shownIn } = core.imports.describe(actorOf(ctx), importId);
  const before = shownIn !== undefined && ctx.chat ? { chatId: ctx.chat.id, messageId: shownIn } : undefined;
  const place = edits ?? before;
  const isLarge = files > 0 || messages >= SHOWN_FROM_PIECES;
  if (place && isLarge) progress.open(place).show(() => ({ html: ctx.say('add-reading') }));
  const shown = await showImport(deps, ctx, importId, { another }).finally(
    () => place && progress.end(place),
  );
  if (!shown) return;
  const { html, keyboard } = shown;
  if (edits) await editHtml(ctx, html, keyboard, edits);
  const messageId = edits?.messageId ?? (await reply(ctx, html, keyboard))?.message_id;
  if (messageId !== undefined) await statusMessage.move(ctx, importId, messageId);
}

async function add(deps: PreviewActionsDeps, ctx: BotContext, action: Action<AddOrder>): Promise<void> {
  const { core, statusMessage, store, progress } = deps;
  const { target, confirmation } = action;
  const { importId, revision, count } = action.payload;
  await statusMessage.end(ctx, importId);
  const line = progress.open(target);
  const [undoId, deleteId] = [makeConfirmationId(deps), makeConfirmationId(deps)];
  const undoKeyboard = new InlineKeyboard().text(ctx.label('button-undo'), `${UNDO}:${undoId}`).danger();
  const show = (done: number, keyboard?: InlineKeyboard) => {
    if (count >= SHOWN_FROM_CODES)
      line.show(() => ({ html: ctx.say('add-adding', { done, count }), keyboard }));
  };
  show(0);
  const inTransaction = store.inTransaction(({ batchId, jobId, pieceKeys }: Committing) => {
    const of: AddedResult = { batchId, undoId, deleteId };
    const undoing: UndoOrder = { batchId, added: count };
    const deleting: DeleteOrder = { batchId, undoId };
    return {
      confirmation,
      messages: [action.result({ view: ADDED, of }, { jobId })],
      offers: [
        offer(deps, ctx, { id: undoId, action: UNDO, payload: undoing, withinMs: UNDO_WITHIN_MS }),
        offer(deps, ctx, { id: deleteId, action: DELETE, payload: deleting, withinMs: DELETE_MS }),
      ],
      ended: updatesOf(pieceKeys),
    };
  });
  try {
    // From here on there is a batch: taking it back ends the adding.
    const onProgress = (done: number) => show(Math.min(done, count), undoKeyboard);
    const committed = await core.imports.commit(actorOf(ctx), importId, {
      revision,
      onProgress,
      inTransaction,
    });
    if (committed) return;
    await progress.end(target);
    await editHtml(ctx, ctx.say('add-cancelled'), undefined, target);
  } catch (error) {
    if (!(error instanceof CoreError && error.code === 'CONFLICT')) {
      // Where nothing was shown to go on, the preview stands with its button.
      if (count < SHOWN_FROM_CODES) throw error;
      return refuseInPlace(deps, ctx, target, error);
    }
    await progress.end(target);
    await editHtml(ctx, ctx.say('add-changed'), previewAgainKeyboard(ctx, importId), target);
  }
}

async function undo(
  { core, store, progress }: PreviewActionsDeps,
  ctx: BotContext,
  action: Action<UndoOrder>,
): Promise<void> {
  const { target, confirmation } = action;
  const { batchId, added } = action.payload;
  const line = progress.open(target);
  if (added >= SHOWN_FROM_CODES) line.show(() => ({ html: ctx.say('undo-running') }));
  const of: UndoneResult = { batchId };
  const inTransaction = store.inTransaction(({ jobId }: BulkBegun) => ({
    confirmation,
    messages: [action.result({ view: UNDONE, of }, { jobId })],
  }));
  const answer = await core.imports.undo(actorOf(ctx), batchId, inTransaction).catch((error: unknown) => {
    if (added < SHOWN_FROM_CODES) throw error;
    return refuseInPlace({ progress }, ctx, target, error);
  });
  if (!answer || answer.status === 'undone') return;
  await progress.end(target);
  const key = answer.status === 'alreadyUndone' ? 'undo-done-before' : 'undo-late';
  await editHtml(ctx, ctx.say(key, { batch: String(batchId) }), undefined, target);
}

function offer(
  { clock }: PreviewActionsDeps,
  ctx: BotContext,
  order: { id: string; action: string; payload: UndoOrder | DeleteOrder; withinMs: number },
): Confirmation {
  const { id, action, withinMs } = order;
  const expiresAt = clock.now() + withinMs;
  return { id, ...personOf(ctx), action, payload: JSON.stringify(order.payload), expiresAt };
}
