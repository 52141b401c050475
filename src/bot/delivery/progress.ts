// Messages that show how something goes on: edited at most once a second each, the latest word wins. What is lost by a
// restart is only how far it had come to be shown.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, InlineKeyboard } from 'grammy';

import type { Clock } from '../../clock.ts';
import type { BotLog } from '../context.ts';
import { describeError } from '../errors.ts';
import type { BotBackground } from '../feature.ts';
import { fit, forgiveUnchanged, HTML } from '../replies.ts';

export interface Target {
  chatId: number;
  messageId: number;
}

export interface Shown {
  html: string;
  keyboard?: InlineKeyboard | undefined;
}

export interface Progress extends BotBackground {
  /** Shows it soon. What was to be shown before and was not yet is left out; `look` runs when its turn has come. */
  show(target: Target, look: () => Shown | Promise<Shown>): void;
  /** Shows the last word, whatever was to be shown before. */
  settle(target: Target, shown: Shown): Promise<void>;
}

interface Line {
  next: (() => Shown | Promise<Shown>) | undefined;
  running: Promise<void> | undefined;
}

const EVERY_MS = 1_100;
/** A look that took long is not repeated at once: it may take a fifth of the time. */
const PAUSE_FACTOR = 4;

export function createProgress(deps: { api: Api; clock: Clock; log: BotLog }): Progress {
  const { api, clock, log } = deps;
  const lines = new Map<string, Line>();
  const stopping = new AbortController();

  async function edit({ chatId, messageId }: Target, { html, keyboard }: Shown): Promise<void> {
    const options = { ...HTML, ...(keyboard && { reply_markup: keyboard }) };
    await api.editMessageText(chatId, messageId, fit(html), options).catch(forgiveUnchanged);
  }

  /** Until the message may be edited again. */
  async function rest(tookMs: number): Promise<void> {
    const restMs = Math.max(EVERY_MS, tookMs * PAUSE_FACTOR);
    await sleep(restMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }

  async function run(key: string, target: Target, line: Line): Promise<void> {
    while (line.next && !stopping.signal.aborted) {
      const look = line.next;
      line.next = undefined;
      const began = clock.elapsed();
      try {
        const shown = await look();
        await edit(target, shown);
      } catch (error) {
        if (!stopping.signal.aborted)
          log.warn({ error: describeError(error) }, 'the progress of something could not be shown');
      }
      await rest(clock.elapsed() - began);
    }
    lines.delete(key);
  }

  return {
    start: () => undefined,
    async stop() {
      stopping.abort();
      for (const line of [...lines.values()]) await line.running;
    },
    show(target, look) {
      if (stopping.signal.aborted) return;
      const key = `${target.chatId}:${target.messageId}`;
      const line = lines.get(key) ?? { next: undefined, running: undefined };
      lines.set(key, line);
      line.next = look;
      line.running ??= run(key, target, line);
    },
    async settle(target, shown) {
      const key = `${target.chatId}:${target.messageId}`;
      const line = lines.get(key);
      if (line) {
        line.next = undefined;
        await line.running;
      }
      await edit(target, shown);
    },
  };
}
