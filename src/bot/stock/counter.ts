// The status message of an import: how much came so far, with Done, below the last piece. It counts along at growing distances; where
// something came after it, it is posted anew and the old one removed. Which message it is, the import knows, also after a restart.
import { setTimeout as pause } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { Core } from '../../core/index.ts';
import { describeError } from '../errors.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Later } from '../delivery/later.ts';
import type { Progress } from '../delivery/progress.ts';
import { isRefused } from '../delivery/trouble.ts';
import { HTML, isRefusal, isUnchanged, MESSAGE_GONE } from '../replies.ts';
import { describeLot, doneKeyboard } from './wording.ts';

export interface Counter {
  /**
   * Something came for the import: `messageId` is the newest message of the chat. Its update is over when the count with it was
   * shown: after a crash it is handled again, and whoever pasted is not left without a word.
   */
  show(ctx: BotContext, importId: number, messageId: number): void;
  /** Counts no more; resolves when nothing of it is under way. */
  end(ctx: BotContext, importId: number): Promise<void>;
  /** Takes the status message away, once something else says how it goes on. */
  remove(ctx: BotContext, importId: number): Promise<void>;
}

interface CounterDeps extends Pick<BotDeps, 'core' | 'clock' | 'log'> {
  later: Pick<Later, 'begin'>;
  progress: Progress;
}

/** What goes on with one import, as this process knows it. */
interface Line {
  newest: number;
  /** In elapsed time. */
  cameAt: number;
  failures: number;
  isOver: boolean;
  /** Told when what came until now was counted, or will not be. */
  owed: (() => void)[];
}

/** A client sends the pieces of one paste within moments: who counts after each says the same thing many times. */
const QUIET_MS = 400;
const LONGEST_WAIT_MS = 3_000;
const MOST_FAILURES = 20;
const FORGOTTEN_FROM = 500;

export function createCounter(deps: CounterDeps): Counter {
  const { core, clock, log, later, progress } = deps;
  const lines = new Map<number, Line>();
  const placeOf = (ctx: BotContext, importId: number) => ({
    chatId: ctx.chat?.id ?? 0,
    messageId: -importId,
  });

  function begin(ctx: BotContext, importId: number, line: Line): void {
    progress.at(placeOf(ctx, importId)).show(async () => {
      try {
        await settle(clock, line);
        const counted = line.owed.length;
        if (!line.isOver) await count(core, ctx, importId, line);
        line.failures = 0;
        release(line, counted);
      } catch (error) {
        log.warn({ error: describeError(error) }, 'the count of an import could not be shown');
        line.failures += 1;
        if (!line.isOver && !isRefused(error) && line.failures < MOST_FAILURES) begin(ctx, importId, line);
        else release(line);
      }
      return undefined;
    });
  }

  return {
    show(ctx, importId, messageId) {
      const known = lines.get(importId) ?? createLine();
      if (lines.size > FORGOTTEN_FROM) {
        for (const each of lines.values()) release(each);
        lines.clear();
      }
      const line = known.isOver ? { ...known, isOver: false } : known;
      line.newest = Math.max(line.newest, messageId);
      line.cameAt = clock.elapsed();
      lines.set(importId, line);
      const shown = new Promise<void>((resolve) => line.owed.push(resolve));
      later.begin(ctx, () => shown);
      begin(ctx, importId, line);
    },
    async end(ctx, importId) {
      const line = lines.get(importId);
      lines.delete(importId);
      if (line) line.isOver = true;
      if (line) release(line);
      await progress.end(placeOf(ctx, importId));
    },
    async remove(ctx, importId) {
      const { shownIn } = core.imports.describe(actorOf(ctx), importId);
      if (shownIn !== undefined) await take(ctx, shownIn);
    },
  };
}

/** Says how much came, below what came last. Rejects where Telegram does not take it. */
async function count(core: Core, ctx: BotContext, importId: number, line: Line): Promise<void> {
  const actor = actorOf(ctx);
  const codes = await core.imports.count(actor, importId);
  const { state, shownIn, messages, files, ...lot } = core.imports.describe(actor, importId);
  if (state !== 'collecting' || line.isOver || !ctx.chat) return;
  const counts = { ...describeLot(ctx, core, lot), messages, files, codes };
  const html = ctx.say(messages + files > 0 ? 'add-counting' : 'add-paste', counts);
  const chatId = ctx.chat.id;
  const options = { ...HTML, reply_markup: doneKeyboard(ctx, importId) };
  if (shownIn !== undefined && shownIn > line.newest) {
    return void (await ctx.api.editMessageText(chatId, shownIn, html, options).catch(forgiveEdit));
  }
  const sent = await ctx.api.sendMessage(chatId, html, options).catch((error: unknown) => {
    // What Telegram has read and refused it refuses again: without buttons, or not at all.
    if (!isRefused(error)) throw error;
    return ctx.api.sendMessage(chatId, html, HTML);
  });
  await core.imports.showIn(actor, importId, sent.message_id);
  if (shownIn !== undefined) await take(ctx, shownIn);
}

const createLine = (): Line => ({ newest: 0, cameAt: 0, failures: 0, isOver: false, owed: [] });

/** The first of those who wait for the count, or all. */
function release({ owed }: Line, count = owed.length): void {
  for (const tell of owed.splice(0, count)) tell();
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
    if (!isRefusal(error, /message to delete not found/)) ctx.voice.forgive(error);
  });
}

function forgiveEdit(error: unknown): void {
  if (!isUnchanged(error) && !isRefusal(error, MESSAGE_GONE)) throw error;
}
