// Backpressure on the writer for the moment in which a long log is begun anew: only one that is copied to its end is,
// and while the thread copies, more is written. The event loop goes on meanwhile.
import type { Held } from './writer.ts';

/** A log of more pages is begun anew. 32 MB. */
const LONG_PAGES = 8_000;
/** The writer is not held back longer by a thread that does not answer. */
const HELD_MS = 250;
/** One pass while the writer works, one without bulk work, which leaves little to the last, for which it waits. */
const AFTER: Record<Held, Held> = { nothing: 'bulk', bulk: 'everything', everything: 'nothing' };

export interface Backpressure {
  /** Told of each pass: whether the next is due at once. */
  isAnotherPassDue(pass: { pages: number; copied: number }): boolean;
  letGo(): void;
}

export function createBackpressure(hold: (held: Held) => void, longPages = LONG_PAGES): Backpressure {
  let held: Held = 'nothing';
  let timer: NodeJS.Timeout | undefined;

  function set(next: Held): void {
    if (next === held) return;
    held = next;
    clearTimeout(timer);
    if (next !== 'nothing') timer = setTimeout(set, HELD_MS, 'nothing');
    hold(next);
  }

  return {
    isAnotherPassDue({ pages, copied }) {
      // Where somebody still reads what was before, no pass gets to the end.
      set(copied < pages || pages <= longPages ? 'nothing' : AFTER[held]);
      return held !== 'nothing';
    },
    letGo: () => set('nothing'),
  };
}
