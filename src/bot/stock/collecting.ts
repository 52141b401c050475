// What arrives while codes are collected: texts and files become pieces of the import, anything else a clear sentence.
// The status message counts along (counter.ts); reading and adding is in reviewing.ts.
import type { Document, Message } from 'grammy/types';

import { decodePaste } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { MOST_FILE_BYTES, type Files } from '../delivery/files.ts';
import { editHtml, reply } from '../replies.ts';
import { LANGUAGES, name } from '../texts.ts';
import type { Counter } from './counter.ts';
import { describeLot, doneKeyboard } from './wording.ts';

/** `closed`: the import was decided meanwhile. */
export type Took = 'taken' | 'refused' | 'done' | 'closed';

export interface Collecting {
  /** Begins an import and asks for the paste, or goes on with one. */
  open(ctx: BotContext, order: CollectOrder): Promise<{ importId: number }>;
  /** Takes the message of this update into the import, or what came before it. */
  take(ctx: BotContext, importId: number, came?: Came): Promise<Took>;
  /** The import that what comes without a command belongs to. */
  findOpen(ctx: BotContext): { id: number; gameId: string; denomination: number | undefined } | undefined;
}

/** Something that came for an import. */
export interface Came {
  /** The same again is the same piece. */
  key: string;
  message: Message | undefined;
  /** Where it was not in a message of its own. */
  text?: string | undefined;
}

export interface CollectOrder {
  gameId: string;
  denomination?: number | undefined;
  /** Goes on with this one. */
  importId?: number | undefined;
  /** It was left by itself meanwhile: says that nothing is lost. */
  goesOn?: boolean;
  /** It began with a paste, not with a command: nothing is asked for. */
  bare?: boolean;
  /** A message said before, which becomes the status message. */
  messageId?: number | undefined;
}

interface CollectingDeps extends Pick<BotDeps, 'core' | 'texts' | 'clock'> {
  files: Files;
  counter: Counter;
}

/** What comes later than this after its beginning, and without a command, begins an import of its own. */
const JOINED_WITHIN_MS = 60 * 60 * 1000;
const FILE_NAME = /\.(?:txt|csv)$/i;

export function createCollecting(deps: CollectingDeps): Collecting {
  const { core, counter, clock } = deps;

  return {
    async open(ctx, { gameId, denomination, importId: known, messageId, goesOn = false, bare = false }) {
      const actor = actorOf(ctx);
      const target = denomination === undefined ? { gameId } : { gameId, denomination };
      const importId = known ?? (await core.imports.begin(actor, target));
      // The paste is counted at once: nothing is to be asked for.
      if (bare) return { importId };
      const ask = ctx.say('add-paste', describeLot(ctx, core, { gameId, denomination }));
      const html = goesOn ? `${ctx.say('add-goes-on')}\n\n${ask}` : ask;
      const keyboard = doneKeyboard(ctx, importId);
      const chatId = ctx.chat?.id;
      const before = core.imports.describe(actor, importId).shownIn;
      let shownIn = messageId;
      if (messageId !== undefined && chatId !== undefined) {
        await editHtml(ctx, html, keyboard, { chatId, messageId });
      } else shownIn = (await reply(ctx, html, keyboard))?.message_id;
      if (shownIn !== undefined && before !== undefined) await counter.remove(ctx, importId);
      if (shownIn !== undefined) await core.imports.showIn(actor, importId, shownIn);
      if (known !== undefined) counter.show(ctx, importId, 0);
      return { importId };
    },
    async take(ctx, importId, came = cameWith(ctx)) {
      const { key, message, text } = came;
      // Whoever was removed meanwhile is told so, whatever they say.
      const actor = actorOf(ctx);
      if (!message && text === undefined) return 'refused';
      if (message && isDone(deps, message)) return 'done';
      const newest = ctx.message?.message_id ?? 0;
      const refuse = async (sentence: string, file = '') => {
        const said = await reply(ctx, ctx.say(sentence, { file: name(file) }));
        counter.show(ctx, importId, said?.message_id ?? newest);
        return 'refused' as const;
      };
      const plain = { kind: 'message' as const, text: text ?? '' };
      const piece = message ? await readPiece(deps, ctx, message) : plain;
      if ('refusal' in piece) return refuse(piece.refusal, message?.document?.file_name);
      const position = message?.message_id ?? 0;
      const taken = await core.imports.addPiece(actor, importId, { ...piece, key, position });
      if (taken === 'closed') return 'closed';
      if (taken === 'full') return refuse('add-full');
      counter.show(ctx, importId, Math.max(position, newest));
      return 'taken';
    },
    findOpen(ctx) {
      const actor = actorOf(ctx);
      const open = core.imports.findOpen(actor);
      return open && clock.now() - open.at <= JOINED_WITHIN_MS ? open : undefined;
    },
  };
}

const cameWith = (ctx: BotContext): Came => ({ key: `update:${ctx.update.update_id}`, message: ctx.message });

/** Whether a message says Done instead of pressing it. */
export function isDone({ texts }: Pick<BotDeps, 'texts'>, { text }: Message): boolean {
  const said = text?.trim().toLowerCase();
  return LANGUAGES.some((language) => texts.label(language, 'button-done').toLowerCase() === said);
}

/** Whether a document is of a kind that is read. */
export function isListFile(document: Document): boolean {
  if (document.file_name !== undefined) return FILE_NAME.test(document.file_name);
  return document.mime_type === 'text/plain' || document.mime_type === 'text/csv';
}

type Piece = { kind: 'message' | 'file'; text: string; name?: string | undefined } | { refusal: string };

async function readPiece({ files }: CollectingDeps, ctx: BotContext, message: Message): Promise<Piece> {
  if (message.text !== undefined) return { kind: 'message', text: message.text };
  const { document } = message;
  if (message.photo) return { refusal: 'add-wrong-photo' };
  if (!document) return { refusal: 'add-wrong-kind' };
  if (!isListFile(document)) return { refusal: 'add-wrong-file' };
  if ((document.file_size ?? 0) > MOST_FILE_BYTES) return { refusal: 'add-file-too-big' };
  await ctx.replyWithChatAction('typing').catch(() => undefined);
  const bytes = await files.read(document.file_id);
  if (bytes === 'tooBig') return { refusal: 'add-file-too-big' };
  if (bytes === 'unreachable') return { refusal: 'add-file-unreachable' };
  const text = decodePaste(bytes);
  if (text.includes('\0')) return { refusal: 'add-wrong-file' };
  return { kind: 'file', text: withCaption(message.caption, text), name: document.file_name };
}

/** A caption such as `60` or `60 UC` stands over the file as its heading; any other as it is. */
export function withCaption(caption: string | undefined, text: string): string {
  if (caption === undefined) return text;
  const amount = /^(\d{1,9})\s*:?$/.exec(caption.trim())?.[1];
  return `${amount === undefined ? caption : `${amount}:`}\n${text}`;
}
