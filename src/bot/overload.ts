// Where the core has too much to write: nothing was begun, so that the same is begun again after a pause, and nobody is told.
import { CoreError } from '../core/index.ts';

/** How long what was not begun waits until it is tried again. */
export const OVERLOAD_PAUSE_MS = 2_000;

const LONGEST_PAUSE_MS = 60_000;

/** The pause before something is tried again that failed `tries` times before: longer each time where it `grows`. */
export function pauseAfter(
  tries: number,
  { grows, leastMs = 0 }: { grows: boolean; leastMs?: number },
): number {
  const ms = OVERLOAD_PAUSE_MS * (grows ? 2 ** Math.min(tries, 10) : 1);
  return Math.max(leastMs, Math.min(ms, LONGEST_PAUSE_MS));
}

/** Whether nothing was begun since too much waits to be written. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof CoreError && error.code === 'OVERLOADED';
}

/** Does `work`, again after a pause as often as it could not begin, at most `tries` times. Throws what it threw last. */
export async function beginAgain<T>(work: () => T | Promise<T>, tries = Infinity): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isOverloaded(error) || left <= 1) throw error;
      await new Promise((resolve) => setTimeout(resolve, OVERLOAD_PAUSE_MS).unref());
    }
  }
}

/** Resolves after so long, or at once when it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}
