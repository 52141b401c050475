// Telegram's own list of the Stars that went to the bot and back.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { StarTransaction } from 'grammy/types';

import { readRetryAfterMs } from '../errors.ts';

/** The most that Telegram gives at once. */
const PAGE = 100;
const TRIES = 5;
const PAUSE_MS = 2_000;

type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;
const pauseHere: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/**
 * The whole list: it names no order that could be relied on, nor a place to go on from. A page that cannot be had is asked for
 * five times, after longer and longer pauses, and not before Telegram allows it; then it rejects.
 */
export async function readStarList(
  api: Pick<Api, 'getStarTransactions'>,
  signal: AbortSignal,
  pause = pauseHere,
): Promise<StarTransaction[]> {
  const all: StarTransaction[] = [];
  for (;;) {
    const page = await readPage(api, all.length, signal, pause);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

async function readPage(
  api: Pick<Api, 'getStarTransactions'>,
  offset: number,
  signal: AbortSignal,
  pause: Pause,
): Promise<StarTransaction[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // grammY's signal type is a shim of its own.
      return (await api.getStarTransactions({ offset, limit: PAGE }, signal as never)).transactions;
    } catch (error) {
      if (attempt === TRIES || signal.aborted) throw error;
      await pause(Math.max(PAUSE_MS * attempt, readRetryAfterMs(error)), signal);
    }
  }
}
