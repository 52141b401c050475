// Live message of an import: its preview, below the last piece, a moment after the last of them came. Where something
// came after it, it is posted anew and the old one removed. Which message it is, the import knows, also after a
// restart.

import type { Clock } from '../../clock.ts';
import { pause } from '../../waiting.ts';
import { describeError, isInterrupted, keyOf } from '../errors.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { BackgroundTasks } from '../inbox/background-tasks.ts';
import type { Progress } from '../telegram/progress.ts';
import { isRefused } from '../telegram/telegram-errors.ts';
import { HTML, isRefusal, isUnchanged, MESSAGE_GONE, reply } from '../replies.ts';
import { showImport, type PreviewNote } from './preview-message.ts';

export interface ImportStatusMessage {
  /**
   * Something came for the import: `messageId` is the newest message of the chat. Its update is over when the preview
   * with it was shown: after a crash it is handled again, and whoever pasted is not left without a word.
   */
  show(ctx: BotContext, importId: number, messageId: number, note?: PreviewNote): void;
  /** Shows no more; resolves when nothing of it is under way. */
  end(ctx: BotContext, importId: number): Promise<void>;
  /** Has the import shown in this message, and takes the one away that showed it before. */
  move(ctx: BotContext, importId: number, messageId: number): Promise<void>;
  /** Takes its message away. */
  remove(ctx: BotContext, importId: number): Promise<void>;
}

interface ImportStatusDeps extends Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'log'> {
  backgroundTasks: Pick<BackgroundTasks, 'begin'>;
  progress: Progress;
}

/** What goes on with one import, as this process knows it. */
interface Line {
  newest: number;
  /** In elapsed time. */
  cameAt: number;
  note: PreviewNote | undefined;
  failures: number;
  isOver: boolean;
  isSettling: boolean;
  /** Told when what came until now was shown, or will not be. */
  pending: (() => void)[];
}

/** A client sends the pieces of one paste within moments: who shows each says the same thing many times. */
const QUIET_MS = 400;
const LONGEST_WAIT_MS = 3_000;
const MOST_FAILURES = 20;
const CLEARED_FROM = 500;

export function createImportStatusMessage(deps: ImportStatusDeps): ImportStatusMessage {
  const { clock, log, backgroundTasks, progress } = deps;
  const lines = new Map<number, Line>();
  const placeOf = (ctx: BotContext, importId: number) => ({
    chatId: ctx.chat?.id ?? 0,
    messageId: -importId,
  });

  function begin(ctx: BotContext, importId: number, line: Line): void {
    const render = async () => {
      try {
        const pending = line.pending.length;
        if (!line.isOver) await post(deps, ctx, importId, line);
        line.failures = 0;
        release(line, pending);
      } catch (error) {
        const key = isInterrupted(error) ? undefined : keyOf(error);
        // It cannot be read any more, or not by them.
        if (key !== undefined) {
          release(line);
          return void (await reply(ctx, ctx.say(key)));
        }
        log.warn({ error: describeError(error) }, 'the preview of an import could not be shown');
        line.failures += 1;
        if (!line.isOver && !isRefused(error) && line.failures < MOST_FAILURES) begin(ctx, importId, line);
        else release(line);
      }
      return undefined;
    };
    progress.at(placeOf(ctx, importId)).show(render, { isAnswer: true });
  }

  async function beginWhenQuiet(ctx: BotContext, importId: number, line: Line): Promise<void> {
    if (line.isSettling) return;
    line.isSettling = true;
    await settle(clock, line);
    line.isSettling = false;
    if (!line.isOver) begin(ctx, importId, line);
  }

  return {
    show(ctx, importId, messageId, note) {
      const known = lines.get(importId) ?? createLine();
      if (lines.size > CLEARED_FROM) releaseAll(lines);
      const line = known.isOver ? { ...known, isOver: false } : known;
      line.newest = Math.max(line.newest, messageId);
      line.cameAt = clock.elapsed();
      line.note ??= note;
      lines.set(importId, line);
      const shown = new Promise<void>((resolve) => line.pending.push(resolve));
      backgroundTasks.begin(ctx, () => shown);
      void beginWhenQuiet(ctx, importId, line);
    },
    async end(ctx, importId) {
      const line = lines.get(importId);
      lines.delete(importId);
      if (line) line.isOver = true;
      if (line) release(line);
      await progress.end(placeOf(ctx, importId));
    },
    move: (ctx, importId, messageId) => move(deps, ctx, importId, messageId),
    remove: (ctx, importId) => remove(deps, ctx, importId),
  };
}

/** Shows how the import stands, below what came last. Rejects where Telegram does not take it. */
async function post(deps: ImportStatusDeps, ctx: BotContext, importId: number, line: Line): Promise<void> {
  const shown = await showImport(deps, ctx, importId, { note: line.note });
  const { state, shownIn } = deps.core.imports.describe(actorOf(ctx), importId);
  if (!shown || state !== 'collecting' || line.isOver || !ctx.chat) return;
  const chatId = ctx.chat.id;
  const { html, keyboard } = shown;
  const options = { ...HTML, reply_markup: keyboard };
  if (shownIn !== undefined && shownIn > line.newest) {
    return void (await ctx.api.editMessageText(chatId, shownIn, html, options).catch(forgiveEdit));
  }
  const sent = await ctx.api.sendMessage(chatId, html, options).catch((error: unknown) => {
    // What Telegram has read and refused it refuses again: without buttons, or not at all.
    if (!isRefused(error)) throw error;
    return ctx.api.sendMessage(chatId, html, HTML);
  });
  // Decided while it was on its way: there is nothing to press under it.
  if (deps.core.imports.describe(actorOf(ctx), importId).state !== 'collecting')
    return take(ctx, sent.message_id);
  await move(deps, ctx, importId, sent.message_id);
}

async function move(
  { core }: ImportStatusDeps,
  ctx: BotContext,
  importId: number,
  messageId: number,
): Promise<void> {
  const actor = actorOf(ctx);
  const { shownIn } = core.imports.describe(actor, importId);
  if (shownIn === messageId) return;
  await core.imports.showIn(actor, importId, messageId);
  if (shownIn !== undefined) await take(ctx, shownIn);
}

async function remove({ core }: ImportStatusDeps, ctx: BotContext, importId: number): Promise<void> {
  const { shownIn } = core.imports.describe(actorOf(ctx), importId);
  if (shownIn !== undefined) await take(ctx, shownIn);
}

function releaseAll(lines: Map<number, Line>): void {
  for (const each of lines.values()) release(each);
  lines.clear();
}

const createLine = (): Line => ({
  newest: 0,
  cameAt: 0,
  note: undefined,
  failures: 0,
  isOver: false,
  isSettling: false,
  pending: [],
});

/** The first of those who wait for the preview, or all. */
function release({ pending }: Line, count = pending.length): void {
  for (const resolve of pending.splice(0, count)) resolve();
}

/** Until nothing came for a moment. */
async function settle(clock: Clock, line: Line): Promise<void> {
  const began = clock.elapsed();
  while (!line.isOver && clock.elapsed() - began < LONGEST_WAIT_MS) {
    const leftMs = line.cameAt + QUIET_MS - clock.elapsed();
    if (leftMs <= 0) return;
    await pause(leftMs);
  }
}

/** Removes a message; where Telegram does not, it stays, and its buttons say what they say. */
async function take(ctx: BotContext, messageId: number): Promise<void> {
  if (!ctx.chat) return;
  await ctx.api.deleteMessage(ctx.chat.id, messageId).catch((error: unknown) => {
    if (!isRefusal(error, /message to delete not found/)) ctx.replyChannel.forgive(error);
  });
}

function forgiveEdit(error: unknown): void {
  if (!isUnchanged(error) && !isRefusal(error, MESSAGE_GONE)) throw error;
}
