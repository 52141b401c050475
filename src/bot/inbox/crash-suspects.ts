// Crash suspects: what was under way when an earlier process ended without stopping: one of them may have brought it
// down. They are handled one after the other, those first that were there least often, so that only the one that does
// it again is counted again.
import { within } from '../../waiting.ts';
import type { Entry } from './chat-order.ts';

/** Whoever takes longer than this is not waited for: others have to be answered, too. */
const ALONE_MS = 5_000;

export interface CrashSuspects {
  add(entry: Entry): void;
  /** Forgets those that wait. */
  clear(): void;
}

/** `handle` resolves when the update is over. */
export function createCrashSuspects(handle: (entry: Entry) => Promise<void>): CrashSuspects {
  const waiting: Entry[] = [];
  let busy = false;

  async function work(): Promise<void> {
    if (busy) return;
    busy = true;
    // A start adds all of them at once, in the order in which they came.
    await Promise.resolve();
    for (let next = takeLeast(waiting); next; next = takeLeast(waiting)) await within(handle(next), ALONE_MS);
    busy = false;
  }

  return {
    add(entry) {
      waiting.push(entry);
      void work();
    },
    clear: () => void waiting.splice(0),
  };
}

function takeLeast(waiting: Entry[]): Entry | undefined {
  const least = Math.min(...waiting.map(({ attempts }) => attempts));
  const index = waiting.findIndex(({ attempts }) => attempts === least);
  return index < 0 ? undefined : waiting.splice(index, 1)[0];
}
