// What arrives while codes are collected: texts and files become pieces of the one import that a person has open,
// anything else a clear sentence. Its preview is edited as they come (import-message.ts).
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
import { reply } from '../replies.ts';
import { LANGUAGES, name } from '../texts.ts';
import { showPiece, takeMessage, type ShownImport } from './import-message.ts';
import { holdsCodes } from './code-order.ts';

/** `closed`: the import was decided meanwhile. */
type Took = 'taken' | 'refused' | 'closed';

export interface Collecting {
  /** Takes a piece into the import; what cannot be read is refused in words. Its preview follows. */
  take(
    ctx: BotContext,
    importId: number,
    came: Came,
    how?: Pick<ShownImport, 'note' | 'messageId'>,
  ): Promise<Took>;
  /** The import that this person has open. */
  findOpen(ctx: BotContext): Promise<Open | undefined>;
  /** Forgets what was pasted, and the message that showed it. */
  drop(ctx: BotContext, importId: number): Promise<void>;
  /** Whether it holds codes, or is a list of them. */
  isPaste(message: Message | undefined): boolean;
}

/** `codes`: how many it holds that are not added. */
export interface Open {
  id: number;
  gameId: string;
  denomination: number | undefined;
  codes: number;
  /** Something came for it within the last hour. */
  isRecent: boolean;
  /** By this update, which was interrupted and is handled again. */
  isOwn: boolean;
}

/** Something that came for an import: a message, or what stood in one. */
export interface Came {
  /** The same again is the same piece. */
  key: string;
  position: number;
  message?: Message | undefined;
  text?: string | undefined;
  /** Said before, of what follows. */
  heading?: string | undefined;
}

interface CollectingDeps extends Pick<BotDeps, 'core' | 'store' | 'texts' | 'clock'> {
  files: Files;
}

/** What comes later than this after the last of it, and without a command, may be something else. */
const JOINED_WITHIN_MS = 60 * 60 * 1000;
const FILE_NAME = /\.(?:txt|csv|xls[xm])$/i;
const SPREADSHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function createCollecting(deps: CollectingDeps): Collecting {
  const { core } = deps;
  const readSpreadsheet = createSpreadsheetReader();
  return {
    async take(ctx, importId, { key, position, message, text = '', heading }, how) {
      const refuse = async (sentence: string, file?: string) => {
        await reply(ctx, ctx.say(sentence, { file: name(file ?? ctx.label('add-this-file')) }));
        showPiece(deps, ctx, importId);
        return 'refused' as const;
      };
      const plain = { kind: 'message' as const, text };
      const piece = message ? await readPiece({ ...deps, readSpreadsheet }, ctx, message) : plain;
      if ('refusal' in piece) return refuse(piece.refusal, message?.document?.file_name);
      const whole = [heading, piece.text].filter((each) => each !== undefined && each !== '').join('\n');
      const taken = await core.imports.addPiece(actorOf(ctx), importId, {
        ...piece,
        text: whole,
        key,
        position,
      });
      if (taken === 'closed') return 'closed';
      if (taken === 'full') return refuse('add-full');
      showPiece(deps, ctx, importId, how);
      return 'taken';
    },
    findOpen: (ctx) => findOpen(deps, ctx),
    async drop(ctx, importId) {
      await cancelImport(deps, ctx, importId);
      await takeMessage(ctx, core.imports.describe(actorOf(ctx), importId).shownIn);
    },
    isPaste: (message) =>
      message?.document ? isListFile(message.document) : holdsCodes(message?.text ?? '', core.games.managed),
  };
}

async function findOpen({ core, clock }: CollectingDeps, ctx: BotContext): Promise<Open | undefined> {
  const actor = actorOf(ctx);
  const found = core.imports.findOpen(actor, [pieceKey(ctx.update)]);
  if (!found) return undefined;
  const { at, ...known } = found;
  const { stockKeys, asked } = await core.imports.preview(actor, found.id);
  const counts = [...stockKeys.map(({ fresh }) => fresh), ...asked.map(({ codes }) => codes)];
  const codes = counts.reduce((sum, count) => sum + count, 0);
  return { ...known, codes, isRecent: clock.now() - at <= JOINED_WITHIN_MS };
}

/** The key of the piece that an update brings. */
const pieceKey = ({ update_id: id }: { update_id: number }): string => `update:${id}`;

/** Forgets what was collected, with what is said of that; false when it was decided before. */
export function cancelImport(
  { core, store }: Pick<BotDeps, 'core' | 'store'>,
  ctx: BotContext,
  importId: number,
  messages: readonly OutgoingRow[] = [],
): Promise<boolean> {
  const inTransaction = store.inTransaction(() => ({ messages }));
  return core.imports.cancel(actorOf(ctx), importId, inTransaction);
}

/** The message at hand. */
export const cameWith = ({ update, message, msg }: BotContext): Came => ({
  key: pieceKey(update),
  position: msg?.message_id ?? 0,
  message,
});

/** Whether a message says Done instead of pressing it. */
export function isDone({ texts }: Pick<BotDeps, 'texts'>, { text }: Message): boolean {
  const said = text?.trim().toLowerCase();
  return LANGUAGES.some((language) => texts.label(language, 'button-done').toLowerCase() === said);
}

const RECEIPT = /^(?:#|№|receipt|чек)[ _]?\d{1,15}$/i;

/** Whether it is no paste: an order for a player, a code for one, somebody who is known by name, a receipt's number. */
export function isForOthers({ core }: Pick<BotDeps, 'core'>, ctx: BotContext): boolean {
  const text = ctx.message?.text ?? '';
  const read = readPlainMessage(text, core.games);
  return (
    read.kind === 'orders' ||
    RECEIPT.test(text.trim()) ||
    (read.kind === 'candidates' && read.players.length === 1 && read.players[0]?.codes.length === 1) ||
    (read.kind === 'nothing' && core.findNamed(actorOf(ctx), text) !== undefined)
  );
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
