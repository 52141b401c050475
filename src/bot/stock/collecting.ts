// What arrives while codes are collected: texts and files become pieces of the import, anything else a clear sentence.
// The status message counts along; reading and adding is in reviewing.ts.
import { InlineKeyboard } from 'grammy';
import type { Document, Message } from 'grammy/types';

import { decodePaste, type Game } from '../../core/index.ts';
import { wordLot } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { MOST_FILE_BYTES, type Files } from '../delivery/files.ts';
import type { Progress, Target } from '../delivery/progress.ts';
import { editHtml, reply } from '../replies.ts';
import { LANGUAGES, name } from '../texts.ts';

/** `closed`: the import was decided meanwhile. */
export type Took = 'taken' | 'refused' | 'done' | 'closed';

export interface Collecting {
  /** Begins an import and shows its status message, or shows that of an import that goes on. */
  open(ctx: BotContext, order: CollectOrder): Promise<{ importId: number; messageId: number }>;
  /** Takes the message of this update into the import, or what came before it. */
  take(ctx: BotContext, importId: number, target: Target, came?: Came): Promise<Took>;
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
  progress: Progress;
}

/** The number of a message that Telegram has not taken yet. */
const NOT_YET = 0;
/** What comes later than this after its beginning, and without a command, begins an import of its own. */
const JOINED_WITHIN_MS = 60 * 60 * 1000;
const FILE_NAME = /\.(?:txt|csv)$/i;

export function createCollecting(deps: CollectingDeps): Collecting {
  const { core, progress, clock } = deps;

  function showCount(ctx: BotContext, importId: number, target: Target): void {
    const actor = actorOf(ctx);
    // It could not be said yet: there is nothing to count along in.
    if (target.messageId === NOT_YET) return;
    progress.at(target).show(async () => {
      const codes = await core.imports.count(actor, importId);
      const state = core.imports.describe(actor, importId);
      if (state.state !== 'collecting') return { html: ctx.say('add-decided') };
      const { messages, files } = state;
      const html = ctx.say('add-counting', { ...describeLot(ctx, core, state), messages, files, codes });
      return { html, keyboard: doneKeyboard(ctx, importId) };
    });
  }

  return {
    async open(ctx, { gameId, denomination, importId: known, messageId, goesOn = false, bare = false }) {
      const actor = actorOf(ctx);
      const target = denomination === undefined ? { gameId } : { gameId, denomination };
      const importId = known ?? (await core.imports.begin(actor, target));
      const key = bare ? 'add-began' : 'add-paste';
      const ask = ctx.say(key, describeLot(ctx, core, { gameId, denomination }));
      const html = goesOn ? `${ctx.say('add-goes-on')}\n\n${ask}` : ask;
      const keyboard = doneKeyboard(ctx, importId);
      const chatId = ctx.chat?.id;
      if (messageId !== undefined && chatId !== undefined) {
        await editHtml(ctx, html, keyboard, { chatId, messageId });
        return { importId, messageId };
      }
      const sent = (await reply(ctx, html, keyboard))?.message_id ?? NOT_YET;
      if (known !== undefined && chatId !== undefined) showCount(ctx, importId, { chatId, messageId: sent });
      return { importId, messageId: sent };
    },
    async take(ctx, importId, target, came = cameWith(ctx)) {
      const { key, message, text } = came;
      if (!message && text === undefined) return 'refused';
      if (message && isDone(deps, message)) return 'done';
      const piece = message
        ? await readPiece(deps, ctx, message)
        : { kind: 'message' as const, text: text ?? '' };
      if ('refusal' in piece) {
        await reply(ctx, ctx.say(piece.refusal, { file: name(message?.document?.file_name ?? '') }));
        return 'refused';
      }
      const position = message?.message_id ?? 0;
      const taken = await core.imports.addPiece(actorOf(ctx), importId, { ...piece, key, position });
      if (taken === 'closed') return 'closed';
      if (taken === 'full') {
        await reply(ctx, ctx.say('add-full'));
        return 'refused';
      }
      showCount(ctx, importId, target);
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

/** The button that ends collecting; it works wherever the conversation stands. */
export function doneKeyboard(ctx: Pick<BotContext, 'label'>, importId: number): InlineKeyboard {
  return new InlineKeyboard()
    .text(ctx.label('button-done'), `add:done:${importId}`)
    .text(ctx.label('button-cancel'), `add:stop:${importId}`);
}

/** Game and denomination as the messages of an import name them. */
export function describeLot(
  ctx: Pick<BotContext, 'label'>,
  core: BotDeps['core'],
  { gameId, denomination }: { gameId: string; denomination?: number | undefined },
): { game: string; lot: string } {
  const game: Game | undefined = core.games.find(gameId);
  const lot =
    denomination === undefined || !game ? ctx.label('add-lot-by-text') : wordLot(ctx, game, denomination);
  return { game: gameId, lot };
}

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

type Piece = { kind: 'message' | 'file'; text: string } | { refusal: string };

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
  return { kind: 'file', text: withCaption(message.caption, text) };
}

/** A caption such as `60` or `60 UC` stands over the file as its heading; any other as it is. */
function withCaption(caption: string | undefined, text: string): string {
  if (caption === undefined) return text;
  const amount = /^\s*(\d{1,9})\s*:?\s*$/.exec(caption)?.[1];
  return `${amount === undefined ? caption : `${amount}:`}\n${text}`;
}
