// What failed without being at fault is done again after a pause: the disk, a full queue, Telegram.
import { findPassingCause, readRetryAfterMs, type PassingCause } from '../errors.ts';
import { OVERLOAD_PAUSE_MS } from '../overload.ts';

/** With pauses up to a minute some ten minutes: nothing that Telegram fails at for so long is waited for. */
const MOST_TRIES = 14;
const LONGEST_PAUSE_MS = 60_000;

export interface NextTry {
  cause: PassingCause;
  pauseMs: number;
}

/** When that is done again which failed `tries` times before, and with this error now; undefined where it failed for good. */
export function findNextTry(error: unknown, tries: number): NextTry | undefined {
  const cause = findPassingCause(error);
  if (cause === undefined || (cause === 'telegram' && tries >= MOST_TRIES)) return undefined;
  const pauseMs = cause === 'overload' ? OVERLOAD_PAUSE_MS : growingPauseMs(tries);
  return { cause, pauseMs: Math.max(pauseMs, readRetryAfterMs(error)) };
}

/** Longer after each of so many tries, up to a minute. */
export function growingPauseMs(tries: number): number {
  return Math.min(OVERLOAD_PAUSE_MS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_MS);
}

/** Resolves after so long, or at once when it is aborted, before or meanwhile. A timer that tests can move. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
