// The last buttons of an import: adding, and taking back. Each is answered as soon as it has begun, and its message shows
// how it goes on (result-views.ts).
import { CoreError, UNDO_WITHIN_MS, type BulkBegun } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Action } from '../outbox/actions.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { makeConfirmationId, personOf } from '../prompts/confirmations.ts';
import { editHtml } from '../replies.ts';
import { DELETE, UNDO, type AddOrder, type DeleteOrder, type UndoOrder } from './button-orders.ts';
import { ADDED, UNDONE, type AddedResult, type UndoneResult } from './result-views.ts';
import { previewAgainKeyboard } from './labels.ts';

/** Telegram lets a bot delete what is younger. */
const DELETE_MS = 48 * 60 * 60 * 1000;

export async function addPasted(deps: BotDeps, ctx: BotContext, action: Action<AddOrder>): Promise<void> {
  const { core } = deps;
  const { confirmation, payload } = action;
  const { importId, revision, count } = payload;
  const [undoId, deleteId] = [makeConfirmationId(deps), makeConfirmationId(deps)];
  const inTransaction = ctx.turn.ends(({ batchId, jobId }: BulkBegun) => {
    const of: AddedResult = { batchId, undoId, deleteId, jobId, count };
    const undoing: UndoOrder = { batchId, added: count };
    const deleting: DeleteOrder = { batchId, undoId };
    return {
      confirmation,
      messages: [action.result({ view: ADDED, of }, { jobId })],
      offers: [
        offer(deps, ctx, { id: undoId, action: UNDO, payload: undoing, withinMs: UNDO_WITHIN_MS }),
        offer(deps, ctx, { id: deleteId, action: DELETE, payload: deleting, withinMs: DELETE_MS }),
      ],
    };
  });
  try {
    const batchId = await core.imports.beginCommit(actorOf(ctx), importId, { revision, inTransaction });
    if (batchId === undefined) await editHtml(ctx, ctx.say('add-cancelled'));
  } catch (error) {
    if (!(error instanceof CoreError && error.code === 'CONFLICT')) throw error;
    await editHtml(ctx, ctx.say('add-changed'), previewAgainKeyboard(ctx, importId));
  }
}

export async function takeBatchBack(
  { core }: BotDeps,
  ctx: BotContext,
  { confirmation, payload: { batchId }, result }: Action<UndoOrder>,
): Promise<void> {
  const inTransaction = ctx.turn.ends(({ jobId }: BulkBegun) => {
    const of: UndoneResult = { batchId, jobId };
    return { confirmation, messages: [result({ view: UNDONE, of }, { jobId })] };
  });
  const { status } = await core.imports.beginUndo(actorOf(ctx), batchId, inTransaction);
  if (status === 'begun') return;
  const key = status === 'alreadyUndone' ? 'undo-done-before' : 'undo-late';
  await editHtml(ctx, ctx.say(key, { batch: String(batchId) }));
}

function offer(
  { clock }: BotDeps,
  ctx: BotContext,
  order: { id: string; action: string; payload: UndoOrder | DeleteOrder; withinMs: number },
): Confirmation {
  const { id, action, withinMs } = order;
  const expiresAt = clock.now() + withinMs;
  return { id, ...personOf(ctx), action, payload: JSON.stringify(order.payload), expiresAt };
}
