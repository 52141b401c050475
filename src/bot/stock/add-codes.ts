// /add_codes: choose, paste, add, undo. What is pasted lives in the core from its first message on, so that the preview
// and its buttons work wherever the conversation stands.
import type { Message } from 'grammy/types';

import { grantOf, readPlainMessage } from '../../core/index.ts';
import { may } from '../actor.ts';
import { countPastedCodes, holdsCodes, readOrder } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { ADD_CODES, createAddCodesConversation, type GivenToAdd } from './add-codes-conversation.ts';
import { runAction } from '../outbox/actions.ts';
import { enter } from '../prompts/start-conversation.ts';
import { button, confirmed, wholeNumber, word, type Feature } from '../feature.ts';
import type { Files } from '../telegram/files.ts';
import type { BackgroundTasks } from '../inbox/background-tasks.ts';
import { targetOf, type Progress } from '../telegram/progress.ts';
import { toOutgoingRow } from '../outgoing.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { createBatchList } from './batches.ts';
import { cancelImport, createCollecting, isDone, isListFile, pieceKeys } from './collect-codes.ts';
import { createImportStatusMessage, type ImportStatusMessage } from './import-status-message.ts';
import { deletePasted, showDeleted } from './delete-pasted.ts';
import { ADD, DELETE, UNDO, type AddOrder, type UndoOrder } from './button-orders.ts';
import { formatWithdrawn } from './preview-message.ts';
import { createStockViews } from './result-views.ts';
import { createPreviewActions, type PreviewActions } from './import-preview.ts';
import { createSupplierButton, createSupplierConversation } from './supplier.ts';
import { doneKeyboard, previewAgainKeyboard } from './labels.ts';

export interface CodesTools {
  files: Files;
  backgroundTasks: BackgroundTasks;
  progress: Progress;
}

/** A message this long was probably cut by the client: the rest of the paste follows. */
const PROBABLY_CUT = 4_000;

export function createAddCodesFeature(
  deps: BotDeps,
  { files, backgroundTasks, progress }: CodesTools,
): Feature {
  const statusMessage = createImportStatusMessage({ ...deps, backgroundTasks, progress });
  const collecting = createCollecting({ ...deps, files, statusMessage });
  const previewActions = createPreviewActions({ ...deps, backgroundTasks, progress, statusMessage });
  const needs = 'addCodes';
  const batches = createBatchList(deps);

  return {
    commands: {
      add_codes: { needs, run: (ctx, text) => begin(deps, previewActions, ctx, text) },
      ...batches.commands,
    },
    buttons: {
      'add:done': button(needs, [wholeNumber()], (ctx, id) => finish(deps, previewActions, ctx, id)),
      'add:stop': button(needs, [wholeNumber()], (ctx, id) => stop(deps, statusMessage, ctx, id)),
      'add:more': button(needs, [wholeNumber()], (ctx, importId) => {
        const { state, gameId, denomination } = deps.core.imports.describe(actorOf(ctx), importId);
        if (state !== 'collecting') return answerTap(ctx, ctx.label('add-decided'), true);
        return enterAdding(ctx, { gameId, denomination, importId });
      }),
      'add:as': button(needs, [wholeNumber(), word, word], (ctx, id, key, said) =>
        answer(deps, previewActions, ctx, { importId: id, key, said }),
      ),
      'add:from': createSupplierButton(deps, previewActions),
      [ADD]: confirmed(needs, (ctx) => pressAdd(deps, previewActions, ctx)),
      [UNDO]: confirmed('undoImport', (ctx) => {
        const words = { 'confirmation-expired': 'undo-late-tap', 'confirmation-unknown': 'undo-late-tap' };
        return runAction<UndoOrder>(deps, ctx, UNDO, (action) => previewActions.undo(ctx, action), words);
      }),
      [DELETE]: confirmed(needs, (ctx) => deletePasted(deps, ctx)),
      ...batches.buttons,
    },
    message: (ctx) => answerLatePaste(deps, previewActions, ctx),
    conversations: [
      createAddCodesConversation(deps, collecting, previewActions),
      createSupplierConversation(deps, previewActions),
    ],
    views: createStockViews(deps, (reader, of) => showDeleted(deps, reader, of)),
    cancel: (ctx, left) => cancel(deps, ctx, left),
    formatCancelled: (confirmation, ctx) => formatWithdrawn(deps, confirmation, ctx),
    resume: (ctx) => resume(deps, previewActions, ctx),
  };
}

/**
 * Takes codes that came without a command: into the import that this person has open, or into a new one. `text` is the
 * message at hand, or what a button stands for, whose message becomes the preview. Whoever may not add codes is told
 * so.
 */
export async function beginImport(
  ctx: BotContext,
  text: string,
  stockKey: { gameId: string; heading: string } | undefined = undefined,
): Promise<void> {
  const isAtHand = text === ctx.message?.text;
  const first = isAtHand ? undefined : stockKey ? `${stockKey.heading}:\n${text}` : text;
  const messageId = ctx.callbackQuery?.message?.message_id;
  const given = { bare: true, first, messageId, ...(stockKey && { gameId: stockKey.gameId }) };
  if (await may(ctx, 'addCodes')) await enterAdding(ctx, given);
}

/** Asks for the codes of a denomination. */
export async function beginAdding(
  ctx: BotContext,
  gameId: string | undefined,
  denomination: number,
): Promise<void> {
  await enterAdding(ctx, { gameId, denomination });
}

async function beginWithFile(ctx: BotContext): Promise<void> {
  if (await may(ctx, 'addCodes')) await enterAdding(ctx, { bare: true });
}

async function enterAdding(ctx: BotContext, given: GivenToAdd): Promise<void> {
  await enter(ctx, ADD_CODES, given);
}

/**
 * Whatever was pasted is kept: codes, a file and Done go into the import that is open, and anything else shows its
 * Done.
 */
async function resume(
  deps: BotDeps,
  previewActions: PreviewActions,
  ctx: BotContext,
): Promise<boolean | 'next'> {
  const { core } = deps;
  const { actor, message } = ctx;
  if (!actor || !message || grantOf(actor, 'addCodes') === 'no') return false;
  const open = core.imports.findOpen(actor);
  if (!open) return false;
  const { messages, files } = core.imports.describe(actor, open.id);
  if (messages + files > 0 && isDone(deps, message)) {
    previewActions.review(ctx, open.id);
    return true;
  }
  if (isPaste(deps, message)) {
    await enterAdding(ctx, {
      gameId: open.gameId,
      denomination: open.denomination,
      importId: open.id,
      goesOn: true,
    });
    return true;
  }
  if (readPlainMessage(message.text ?? '', core.games).kind === 'orders') return 'next';
  if (messages + files === 0) return false;
  await reply(ctx, ctx.say('add-kept', { messages, files }), doneKeyboard(ctx, open.id));
  return true;
}

/**
 * Drops what is collected: where `/cancel` was for nothing else also what is open without a conversation, however long
 * ago it began. Its Done and Cancel stand as long. That it is gone, and that this is said, are one transaction.
 */
async function cancel(deps: BotDeps, ctx: BotContext, left: readonly string[]): Promise<boolean> {
  const { core } = deps;
  const { actor, chat } = ctx;
  if (!actor || !chat) return false;
  const isLeft = left.includes(ADD_CODES);
  if (!isLeft && left.length > 0) return false;
  const open = core.imports.findOpen(actor);
  if (!open) return false;
  const { messages, files, shownIn } = core.imports.describe(actor, open.id);
  if (messages + files === 0) {
    if (isLeft) await core.imports.cancel(actor, open.id);
    return false;
  }
  const html = ctx.say('add-dropped', { messages, files });
  const key = `dropped:${ctx.update.update_id}`;
  const shown = { html: ctx.say('add-cancelled'), messageId: shownIn };
  const preview = shownIn === undefined ? [] : [toOutgoingRow(`${key}:preview`, chat.id, shown)];
  return cancelImport(deps, ctx, open.id, [...preview, toOutgoingRow(key, chat.id, { html })]);
}

function isPaste({ core }: Pick<BotDeps, 'core'>, message: Message): boolean {
  if (message.document) return isListFile(message.document);
  return holdsCodes(message.text ?? '', core.games.managed);
}

async function begin(
  { core }: BotDeps,
  previewActions: PreviewActions,
  ctx: BotContext,
  text: string,
): Promise<void> {
  const { managed } = core.games;
  const { amount, rest } = readOrder(text, managed);
  const [game] = managed;
  if (!game) return void (await reply(ctx, ctx.say('codes-no-game')));
  if (managed.length > 1) return enterAdding(ctx, { amount, rest: rest === '' ? undefined : rest });
  const denomination = game.denominations.find((each) => each === amount);
  if (rest === '') return enterAdding(ctx, { gameId: game.id, amount, denomination });
  const open = core.imports.findOpen(actorOf(ctx), Object.values(pieceKeys(ctx.update)));
  // What is open is asked about first, but for what this update began before it was interrupted.
  if (open && !open.isOwn) return enterAdding(ctx, { gameId: game.id, amount, denomination, rest });
  const whole = denomination === undefined ? text : rest;
  const importId = open ? open.id : await stage(core, ctx, { gameId: game.id, denomination }, whole);
  if ((ctx.message?.text?.length ?? 0) >= PROBABLY_CUT)
    return enterAdding(ctx, { gameId: game.id, denomination, importId, isBegun: true });
  previewActions.review(ctx, importId);
}

/** Begins an import with the text of the command. */
async function stage(
  core: BotDeps['core'],
  ctx: BotContext,
  { gameId, denomination }: { gameId: string; denomination: number | undefined },
  text: string,
): Promise<number> {
  const actor = actorOf(ctx);
  const importId = await core.imports.begin(actor, {
    gameId,
    denomination,
  });
  const piece = { kind: 'message' as const, text, key: pieceKeys(ctx.update).message };
  await core.imports.addPiece(actor, importId, { ...piece, position: ctx.message?.message_id ?? 0 });
  return importId;
}

async function finish(
  { core }: BotDeps,
  previewActions: PreviewActions,
  ctx: BotContext,
  importId: number,
): Promise<void> {
  const actor = actorOf(ctx);
  const { state, messages, files } = core.imports.describe(actor, importId);
  if (state !== 'collecting') return answerTap(ctx, ctx.label('add-decided'), true);
  if (messages + files === 0) return answerTap(ctx, ctx.label('add-nothing-yet'), true);
  await leave(core, ctx, importId);
  if (previewActions.review(ctx, importId, targetOf(ctx))) answerTap(ctx);
  else answerTap(ctx, ctx.label('add-reading-tap'));
}

/** What was asked in a preview; the message shows what comes next. */
async function answer(
  { core }: BotDeps,
  previewActions: PreviewActions,
  ctx: BotContext,
  { importId, key, said }: { importId: number; key: string; said: string },
): Promise<void> {
  if (said === 'other') {
    previewActions.review(ctx, importId, targetOf(ctx), true);
    return answerTap(ctx);
  }
  const denomination = said === 'out' ? 'leftOut' : said === 'good' ? 'good' : Number(said);
  const isKept = await core.imports.answer(actorOf(ctx), importId, { key, denomination });
  if (!isKept) return answerTap(ctx, ctx.label('add-decided'), true);
  answerTap(ctx);
  previewActions.review(ctx, importId, targetOf(ctx));
}

async function stop(
  deps: BotDeps,
  statusMessage: ImportStatusMessage,
  ctx: BotContext,
  importId: number,
): Promise<void> {
  const { core } = deps;
  await leave(core, ctx, importId);
  const cancelled = await cancelImport(deps, ctx, importId);
  const { state } = core.imports.describe(actorOf(ctx), importId);
  if (!cancelled && state !== 'cancelled') return answerTap(ctx, ctx.label('add-decided'), true);
  answerTap(ctx);
  // A preview that is on its way stands there before the last word, and none below it.
  await statusMessage.end(ctx, importId);
  await statusMessage.move(ctx, importId, targetOf(ctx).messageId);
  await editHtml(ctx, ctx.say('add-cancelled'));
}

/** Ends the conversation that collects for this import, and no other. */
async function leave(core: BotDeps['core'], ctx: BotContext, importId: number): Promise<void> {
  if (core.imports.findOpen(actorOf(ctx))?.id === importId) await ctx.conversation.exit(ADD_CODES);
}

async function pressAdd(deps: BotDeps, previewActions: PreviewActions, ctx: BotContext): Promise<void> {
  const refused = await runAction<AddOrder>(deps, ctx, ADD, async (action) => {
    await leave(deps.core, ctx, action.payload.importId);
    previewActions.add(ctx, action);
  });
  if (refused !== 'confirmation-expired') return;
  const confirmation = deps.store.confirmations.find((ctx.callbackQuery?.data ?? '').slice(ADD.length + 1));
  if (!confirmation) return;
  const { importId } = JSON.parse(confirmation.payload) as AddOrder;
  await ctx
    .editMessageReplyMarkup({ reply_markup: previewAgainKeyboard(ctx, importId) })
    .catch(ctx.replyChannel.forgive);
}

/** Codes that come when nothing collects them begin to be collected. */
async function answerLatePaste(
  { core, texts }: BotDeps,
  previewActions: PreviewActions,
  ctx: BotContext,
): Promise<boolean> {
  const { message, actor } = ctx;
  if (!message || message.text?.startsWith('/') || !actor) return false;
  const open = core.imports.findOpen(actor);
  const pieces = open && core.imports.describe(actor, open.id);
  const hasPieces = pieces !== undefined && pieces.messages + pieces.files > 0;
  if (open && hasPieces && isDone({ texts }, message)) previewActions.review(ctx, open.id);
  else if (message.document && isListFile(message.document)) await beginWithFile(ctx);
  // One alone may be meant to be redeemed.
  else if (countPastedCodes(message.text ?? '', core.games.managed) > 1)
    await beginImport(ctx, message.text ?? '');
  else return false;
  return true;
}
