// Where the core has too much to write: nothing was begun, so that the same is begun again after a pause, and nobody is told.
import { CoreError } from '../core/index.ts';

/** How long what was not begun waits until it is tried again. */
export const OVERLOAD_PAUSE_MS = 2_000;

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
