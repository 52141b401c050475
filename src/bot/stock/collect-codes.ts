// What arrives while codes are collected: texts and files become pieces of the one import that a person has open,
// anything else a clear sentence. Its preview is edited as they come (import-status-message.ts).
import type { Document, Message } from 'grammy/types';

import {
  createSpreadsheetReader,
  isSpreadsheetName,
  readListFile,
  readPlainMessage,
} from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { OutgoingRow } from '../../store/bot-store.ts';
import { MOST_FILE_BYTES, type Files } from '../telegram/files.ts';
import { editHtml, reply } from '../replies.ts';
import { LANGUAGES, name } from '../texts.ts';
import type { ImportStatusMessage } from './import-status-message.ts';
import type { PreviewNote } from './preview-message.ts';
import { holdsCodes } from './code-order.ts';
import { describeStockKey, doneKeyboard } from './labels.ts';

/** `closed`: the import was decided meanwhile. */
type Took = 'taken' | 'refused' | 'done' | 'closed';

export interface Collecting {
  /** Begins an import and asks for the paste, or goes on with one. */
  open(ctx: BotContext, order: CollectOrder): Promise<{ importId: number }>;
  /** Takes the message of this update into the import, or what came before it. */
  take(ctx: BotContext, importId: number, came?: Came): Promise<Took>;
  /** The import that this person has open. */
  findOpen(ctx: BotContext): Promise<Open | undefined>;
  /** Forgets what was pasted, and the message that showed it. */
  drop(ctx: BotContext, importId: number): Promise<void>;
  /**
   * Whether the message of this update is an order for a player, a code for one or somebody who is known by name, and not
   * the rest of a paste that was cut.
   */
  isOrder(ctx: BotContext, importId: number): boolean;
}

/** `codes`: how many it holds that are not added. */
export interface Open {
  id: number;
  gameId: string;
  denomination: number | undefined;
  codes: number;
  /** Begun within the last hour. */
  isRecent: boolean;
  /** By this update, which was interrupted and is handled again. */
  isOwn: boolean;
}

/** Something that came for an import. */
export interface Came {
  /** The same again is the same piece. */
  key: string;
  message: Message | undefined;
  /** Where it was not in a message of its own. */
  text?: string | undefined;
}

interface CollectOrder {
  gameId: string;
  denomination?: number | undefined;
  /** Goes on with this one. */
  importId?: number | undefined;
  /** What its preview says of that. */
  note?: PreviewNote | undefined;
  /** The paste is there already: nothing is asked for. */
  bare?: boolean;
  /** A message said before, which becomes that of the import. */
  messageId?: number | undefined;
}

interface CollectingDeps extends Pick<BotDeps, 'core' | 'store' | 'texts' | 'clock'> {
  files: Files;
  statusMessage: ImportStatusMessage;
}

/** What comes later than this after its beginning, and without a command, may be something else. */
const JOINED_WITHIN_MS = 60 * 60 * 1000;
const FILE_NAME = /\.(?:txt|csv|xls[xm])$/i;
const SPREADSHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function createCollecting(deps: CollectingDeps): Collecting {
  const { core, statusMessage } = deps;
  const readSpreadsheet = createSpreadsheetReader();
  const read = (ctx: BotContext, message: Message) => readPiece({ ...deps, readSpreadsheet }, ctx, message);

  return {
    open: (ctx, order) => open(deps, ctx, order),
    async take(ctx, importId, came = cameWith(ctx)) {
      const { key, message, text } = came;
      // Whoever was removed meanwhile is told so, whatever they say.
      const actor = actorOf(ctx);
      if (!message && text === undefined) return 'refused';
      if (message && isDone(deps, message)) return 'done';
      const newest = ctx.message?.message_id ?? 0;
      const refuse = async (sentence: string, file?: string) => {
        const said = await reply(ctx, ctx.say(sentence, { file: name(file ?? ctx.label('add-this-file')) }));
        statusMessage.show(ctx, importId, said?.message_id ?? newest);
        return 'refused' as const;
      };
      const plain = { kind: 'message' as const, text: text ?? '' };
      const piece = message ? await read(ctx, message) : plain;
      if ('refusal' in piece) return refuse(piece.refusal, message?.document?.file_name);
      const position = message?.message_id ?? 0;
      const taken = await core.imports.addPiece(actor, importId, { ...piece, key, position });
      if (taken === 'closed') return 'closed';
      if (taken === 'full') return refuse('add-full');
      statusMessage.show(ctx, importId, Math.max(position, newest));
      return 'taken';
    },
    findOpen: (ctx) => findOpen(deps, ctx),
    async drop(ctx, importId) {
      await statusMessage.end(ctx, importId);
      await cancelImport(deps, ctx, importId);
      await statusMessage.remove(ctx, importId);
    },
    isOrder(ctx, importId) {
      const text = ctx.message?.text ?? '';
      const read = readPlainMessage(text, core.games);
      const isForPlayer =
        read.kind === 'orders' ||
        (read.kind === 'candidates' && read.players.length === 1 && read.players[0]?.codes.length === 1) ||
        (read.kind === 'nothing' && core.findNamed(actorOf(ctx), text) !== undefined);
      return isForPlayer && !core.imports.isCut(actorOf(ctx), importId);
    },
  };
}

async function open(
  { core, statusMessage }: CollectingDeps,
  ctx: BotContext,
  { gameId, denomination, importId: known, messageId, note, bare = false }: CollectOrder,
): Promise<{ importId: number }> {
  const actor = actorOf(ctx);
  const target = denomination === undefined ? { gameId } : { gameId, denomination };
  const importId = known ?? (await core.imports.begin(actor, target));
  if (bare) {
    if (messageId !== undefined) await statusMessage.move(ctx, importId, messageId);
    if (known !== undefined) statusMessage.show(ctx, importId, ctx.message?.message_id ?? 0, note);
    return { importId };
  }
  const html = ctx.say('add-paste', describeStockKey(ctx, core, { gameId, denomination }));
  const keyboard = doneKeyboard(ctx, importId);
  let shownIn = messageId;
  if (messageId !== undefined && ctx.chat) {
    await editHtml(ctx, html, keyboard, { chatId: ctx.chat.id, messageId });
  } else shownIn = (await reply(ctx, html, keyboard))?.message_id;
  if (shownIn !== undefined) await statusMessage.move(ctx, importId, shownIn);
  return { importId };
}

async function findOpen({ core, clock }: CollectingDeps, ctx: BotContext): Promise<Open | undefined> {
  const actor = actorOf(ctx);
  const found = core.imports.findOpen(actor, Object.values(pieceKeys(ctx.update)));
  if (!found) return undefined;
  const { at, ...known } = found;
  const { stockKeys, asked } = await core.imports.preview(actor, found.id);
  const counts = [...stockKeys.map(({ fresh }) => fresh), ...asked.map(({ codes }) => codes)];
  const codes = counts.reduce((sum, count) => sum + count, 0);
  return { ...known, codes, isRecent: clock.now() - at <= JOINED_WITHIN_MS };
}

/**
 * The keys of the pieces that an update may bring: its message, what a button of it stands for, the text behind its
 * command.
 */
export function pieceKeys({ update_id: id }: { update_id: number }) {
  return { message: `update:${id}`, first: `first:${id}`, command: `command:${id}` };
}

const OF_AN_UPDATE = /^(?:update|first|command):(\d+)$/;

/**
 * The updates that brought these pieces. They end where their import does: interrupted and handled again they would
 * begin another with the same codes.
 */
export const updatesOf = (pieceKeys: readonly string[]): number[] =>
  pieceKeys.flatMap((key) => OF_AN_UPDATE.exec(key)?.[1] ?? []).map(Number);

/** Forgets what was collected, with what is said of that; false when it was decided before. */
export function cancelImport(
  { core, store }: Pick<BotDeps, 'core' | 'store'>,
  ctx: BotContext,
  importId: number,
  messages: readonly OutgoingRow[] = [],
): Promise<boolean> {
  const inTransaction = store.inTransaction((pieceKeys: readonly string[]) => ({
    ended: updatesOf(pieceKeys),
    messages,
  }));
  return core.imports.cancel(actorOf(ctx), importId, inTransaction);
}

const cameWith = (ctx: BotContext): Came => ({
  key: pieceKeys(ctx.update).message,
  message: ctx.message,
});

/** Whether a message says Done instead of pressing it. */
export function isDone({ texts }: Pick<BotDeps, 'texts'>, { text }: Message): boolean {
  const said = text?.trim().toLowerCase();
  return LANGUAGES.some((language) => texts.label(language, 'button-done').toLowerCase() === said);
}

/** Whether a document is of a kind that is read. */
export function isListFile(document: Document): boolean {
  if (document.file_name !== undefined) return FILE_NAME.test(document.file_name);
  return ['text/plain', 'text/csv', SPREADSHEET_TYPE].includes(document.mime_type ?? '');
}

const isSpreadsheet = ({ file_name: fileName, mime_type: type }: Document) =>
  fileName === undefined ? type === SPREADSHEET_TYPE : isSpreadsheetName(fileName);

type ReadSpreadsheet = ReturnType<typeof createSpreadsheetReader>;
type Piece = { kind: 'message' | 'file'; text: string; name?: string | undefined } | { refusal: string };

async function readPiece(
  { core, files, readSpreadsheet }: CollectingDeps & { readSpreadsheet: ReadSpreadsheet },
  ctx: BotContext,
  message: Message,
): Promise<Piece> {
  if (message.text !== undefined) return { kind: 'message', text: message.text };
  const { document, caption = '' } = message;
  if (!document && holdsCodes(caption, core.games.managed)) return { kind: 'message', text: caption };
  if (message.photo) return { refusal: 'add-wrong-photo' };
  if (!document) return { refusal: 'add-wrong-kind' };
  if (!isListFile(document)) return { refusal: 'add-wrong-file' };
  if ((document.file_size ?? 0) > MOST_FILE_BYTES) return { refusal: 'add-file-too-big' };
  await ctx.replyWithChatAction('typing').catch(() => undefined);
  const bytes = await files.read(document.file_id);
  if (bytes === 'tooBig') return { refusal: 'add-file-too-big' };
  if (bytes === 'unreachable') return { refusal: 'add-file-unreachable' };
  const codePatterns = core.games.managed.map(({ codePattern }) => codePattern);
  const order = { bytes, codePatterns, isSpreadsheet: isSpreadsheet(document) };
  const read = await readListFile(readSpreadsheet, order);
  if (read === 'tooLarge') return { refusal: 'add-file-too-long' };
  if (read === 'unreadable') return { refusal: 'add-wrong-file' };
  const { text } = read;
  return { kind: 'file', text: withCaption(message.caption, text), name: document.file_name };
}

/** A caption such as `60`, `60 UC` or `/add_codes 60` stands over the file as its heading; any other as it is. */
export function withCaption(caption: string | undefined, text: string): string {
  if (caption === undefined) return text;
  const said = caption.trim().replace(/^\/add_codes(?:@\w+)?(?:\s+|$)/i, '');
  const amount = /^(\d{1,9})\s*:?$/.exec(said)?.[1];
  return `${amount === undefined ? said : `${amount}:`}\n${text}`;
}
