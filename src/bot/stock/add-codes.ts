// /add_codes: choose, paste, add, undo. What is pasted lives in the core from its first message on, so that the preview
// and its buttons work wherever the conversation stands.
import { type BulkBegun, CoreError, grantOf, UNDO_WITHIN_MS } from '../../core/index.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import { may } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, confirmed, type Feature, wholeNumber, word } from '../feature.ts';
import { type Action, runAction } from '../outbox/actions.ts';
import { toOutgoingRow } from '../outgoing.ts';
import { makeConfirmationId, personOf } from '../prompts/confirmations.ts';
import { answerTap, editHtml, targetOf } from '../replies.ts';
import type { Files } from '../telegram/files.ts';
import { createBatchList } from './batches.ts';
import { type Adding, createImportStart, type ImportStart } from './begin-import.ts';
import { ADD, type AddOrder, DELETE, type DeleteOrder, UNDO, type UndoOrder } from './button-orders.ts';
import { readOrder } from './code-order.ts';
import {
  cameWith,
  cancelImport,
  type Collecting,
  createCollecting,
  isDone,
  isForOthers,
  isListFile,
} from './collect-codes.ts';
import { deletePasted, showDeleted } from './delete-pasted.ts';
import {
  askForMore,
  createImportView,
  formatWithdrawn,
  IMPORT,
  showNow,
  takeMessage,
} from './import-message.ts';
import { previewAgainKeyboard } from './labels.ts';
import { ADDED, type AddedResult, createStockViews, UNDONE, type UndoneResult } from './result-views.ts';
import { createSupplier } from './supplier.ts';

interface CodesTools {
  files: Files;
}

/** So long after the last of it whatever comes belongs to an import; later only what holds codes. */
const COLLECTS_MS = 10 * 60 * 1000;

interface Tools {
  deps: BotDeps;
  collecting: Collecting;
  beginning: ImportStart;
}

/** `takes`: what an open import takes comes before any other plain message; `begin`: see begin-import.ts. */
interface AddCodesFeature extends Feature, Pick<ImportStart, 'begin'> {
  takes(ctx: BotContext): Promise<boolean>;
}

export function createAddCodesFeature(deps: BotDeps, { files }: CodesTools): AddCodesFeature {
  const collecting = createCollecting({ ...deps, files });
  const needs = 'addCodes';
  const [batches, supplier] = [createBatchList(deps), createSupplier(deps)];
  const beginning = createImportStart({ deps, collecting });
  const tools: Tools = { deps, collecting, beginning };

  return {
    commands: {
      add_codes: { needs, run: (ctx, text) => beginning.begin(ctx, readAdding(deps, ctx, text)) },
      ...batches.commands,
    },
    buttons: {
      'add:done': button(needs, [wholeNumber()], (ctx, id) => finish(deps, ctx, id)),
      'add:stop': button(needs, [wholeNumber()], (ctx, id) => stop(deps, ctx, id)),
      'add:more': button(needs, [wholeNumber()], (ctx, id) => {
        if (deps.core.imports.describe(actorOf(ctx), id).state === 'collecting')
          return askForMore(deps, ctx, id);
        return answerTap(ctx, ctx.label('add-decided'), true);
      }),
      'add:as': button(needs, [wholeNumber(), word, word], (ctx, id, key, said) =>
        answer(deps, ctx, { importId: id, key, said }),
      ),
      [ADD]: confirmed(needs, (ctx) => pressAdd(deps, ctx)),
      [UNDO]: confirmed('undoImport', (ctx) => {
        const words = { 'confirmation-expired': 'undo-late-tap', 'confirmation-unknown': 'undo-late-tap' };
        return runAction<UndoOrder>(deps, ctx, UNDO, (action) => takeBatchBack(deps, ctx, action), words);
      }),
      [DELETE]: confirmed(needs, (ctx) => deletePasted(deps, ctx)),
      ...beginning.buttons,
      ...batches.buttons,
      ...supplier.buttons,
    },
    takes: (ctx) => takeIntoOpen(tools, ctx),
    begin: beginning.begin,
    message: (ctx) => beginWithFile(tools, ctx),
    questions: { ...beginning.questions, ...supplier.questions },
    views: {
      ...createStockViews(deps, (reader, of) => showDeleted(deps, reader, of)),
      [IMPORT]: createImportView(deps),
    },
    cancel: (ctx, isAsked) => cancel(deps, ctx, isAsked),
    formatCancelled: (confirmation, ctx) => formatWithdrawn(deps, confirmation, ctx),
  };
}

/** What stands behind the command: a denomination, codes, both. */
function readAdding({ core }: BotDeps, ctx: BotContext, text: string): Adding {
  const { amount, rest } = readOrder(text, core.games.managed);
  return { amount, came: rest === '' ? [] : [{ ...cameWith(ctx), message: undefined, text: rest }] };
}

/**
 * Drops what is open, however long ago it began, where `/cancel` was for nothing else. That it is gone, and that this
 * is said, are one transaction.
 */
async function cancel(
  deps: BotDeps,
  ctx: BotContext,
  isAsked: boolean,
): Promise<'told' | 'left' | undefined> {
  const { core } = deps;
  const { actor, chat } = ctx;
  const open = actor && !isAsked ? core.imports.findOpen(actor) : undefined;
  if (!actor || !chat || !open) return undefined;
  const { messages, files, shownIn } = core.imports.describe(actor, open.id);
  if (messages + files === 0) return (await cancelImport(deps, ctx, open.id)) ? 'left' : undefined;
  const html = ctx.say('add-dropped', { messages, files });
  const key = `dropped:${ctx.update.update_id}`;
  const shown = { html: ctx.say('add-cancelled'), messageId: shownIn };
  const preview = shownIn === undefined ? [] : [toOutgoingRow(`${key}:preview`, chat.id, shown)];
  const rows = [...preview, toOutgoingRow(key, chat.id, { html })];
  return (await cancelImport(deps, ctx, open.id, rows)) ? 'told' : undefined;
}

/** What comes while an import is open goes into it, unless it is for something else. */
async function takeIntoOpen({ deps, collecting, beginning }: Tools, ctx: BotContext): Promise<boolean> {
  const { core, clock } = deps;
  const { actor, message } = ctx;
  if (!actor || !message || message.text?.startsWith('/')) return false;
  const open = core.imports.findOpen(actor, [cameWith(ctx).key]);
  if (!open) return false;
  const isCollecting = open.isOwn || clock.now() - open.at <= COLLECTS_MS;
  const { messages, files } = core.imports.describe(actor, open.id);
  const isPaste = collecting.isPaste(message);
  const isAllDone = isDone(deps, message) && (isCollecting || messages + files > 0);
  if (!isCollecting && !isPaste && !isAllDone) return false;
  if (grantOf(actor, 'addCodes') === 'no') return isPaste && !(await may(ctx, 'addCodes'));
  if (isAllDone) {
    showNow(deps, ctx, open.id);
    return true;
  }
  if (!core.imports.isCut(actor, open.id) && isForOthers(deps, ctx)) return false;
  if (isCollecting) return (await collecting.take(ctx, open.id, cameWith(ctx))) !== 'closed';
  if (!(await collecting.findOpen(ctx))?.isRecent) return false;
  await beginning.begin(ctx, { isBare: true, came: [cameWith(ctx)] });
  return true;
}

/** A list of codes begins an import by itself; codes in words do in redemption/free-text.ts. */
async function beginWithFile({ beginning }: Tools, ctx: BotContext): Promise<boolean> {
  const { document } = ctx.message ?? {};
  if (!document || !isListFile(document) || !ctx.actor) return false;
  if (await may(ctx, 'addCodes')) await beginning.begin(ctx, { isBare: true, came: [cameWith(ctx)] });
  return true;
}

function finish(deps: BotDeps, ctx: BotContext, importId: number): void {
  const { state, messages, files } = deps.core.imports.describe(actorOf(ctx), importId);
  if (state !== 'collecting') return answerTap(ctx, ctx.label('add-decided'), true);
  if (messages + files === 0) return answerTap(ctx, ctx.label('add-nothing-yet'), true);
  answerTap(ctx);
  showNow(deps, ctx, importId, targetOf(ctx));
}

/** What was asked in a preview; the message shows what comes next. */
async function answer(
  deps: BotDeps,
  ctx: BotContext,
  { importId, key, said }: { importId: number; key: string; said: string },
): Promise<void> {
  const another = said === 'other';
  if (!another) {
    const denomination = said === 'out' ? 'leftOut' : said === 'good' ? 'good' : Number(said);
    const isKept = await deps.core.imports.answer(actorOf(ctx), importId, { key, denomination });
    if (!isKept) return answerTap(ctx, ctx.label('add-decided'), true);
  }
  answerTap(ctx);
  showNow(deps, ctx, importId, { ...targetOf(ctx), another });
}

async function stop(deps: BotDeps, ctx: BotContext, importId: number): Promise<void> {
  const { chatId, messageId } = targetOf(ctx);
  // A preview that is on its way stands there before the last word.
  const said = toOutgoingRow(`cancelled:${importId}`, chatId, { html: ctx.say('add-cancelled'), messageId });
  const cancelled = await cancelImport(deps, ctx, importId, [said]);
  const { state, shownIn } = deps.core.imports.describe(actorOf(ctx), importId);
  if (!cancelled && state !== 'cancelled') return answerTap(ctx, ctx.label('add-decided'), true);
  answerTap(ctx);
  if (!cancelled) return editHtml(ctx, ctx.say('add-cancelled'));
  if (shownIn !== messageId) await takeMessage(ctx, shownIn);
}

async function pressAdd(deps: BotDeps, ctx: BotContext): Promise<void> {
  const refused = await runAction<AddOrder>(deps, ctx, ADD, (action) => addPasted(deps, ctx, action));
  if (refused !== 'confirmation-expired') return;
  const confirmation = deps.store.confirmations.find((ctx.callbackQuery?.data ?? '').slice(ADD.length + 1));
  if (!confirmation) return;
  const { importId } = JSON.parse(confirmation.payload) as AddOrder;
  await ctx
    .editMessageReplyMarkup({ reply_markup: previewAgainKeyboard(ctx, importId) })
    .catch(ctx.turn.forgive);
}

// The last buttons: adding, and taking back. Each is answered as soon as it has begun, and its message shows how it goes
// on (result-views.ts).

/** Telegram lets a bot delete what is younger. */
const DELETE_MS = 48 * 60 * 60 * 1000;

async function addPasted(deps: BotDeps, ctx: BotContext, action: Action<AddOrder>): Promise<void> {
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

async function takeBatchBack(
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
