// One consistent snapshot of what is committed, for whoever reads in one turn of the event loop.
import type { Database as Connection } from 'better-sqlite3';

import type { Readers } from './group-commit.ts';

interface Snapshot extends Readers {
  /** Runs `work`, which reads. What tries to write is undone, and throws. */
  take<T>(work: () => T): T;
}

/**
 * Reads on the connection that writes: its cache is warm, where every commit empties the cache of another connection.
 * All reads of a turn share a transaction, since to begin one costs more than most statements do. It outlives neither
 * the turn, nor a read that throws; and no commit is ever under way here, both are synchronous.
 */
export function createSnapshot(connection: Connection): Snapshot {
  const begin = connection.prepare('BEGIN');
  const rollback = connection.prepare('ROLLBACK');
  const totalChanges = connection.prepare<[], number>('select total_changes()').pluck();
  let isOpen = false;
  /** How many there were when it began. */
  let changes: number | undefined;
  let isPaused = false;
  let reading = false;

  function open(): void {
    if (isOpen) return;
    if (isPaused || connection.inTransaction)
      throw new Error('A read inside a write would miss what it wrote: use its tables.');
    begin.run();
    isOpen = true;
    changes = totalChanges.get();
    setImmediate(end);
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    if (connection.inTransaction) rollback.run();
  }

  return {
    take(work) {
      if (reading) return work();
      let isUnchanged = false;
      try {
        open();
        reading = true;
        const result = work();
        isUnchanged = totalChanges.get() === changes;
        if (!isUnchanged) throw new Error('A read is readonly: what it wrote was undone.');
        return result;
      } finally {
        reading = false;
        if (!isUnchanged) end();
      }
    },
    pause() {
      end();
      isPaused = true;
    },
    resume: () => void (isPaused = false),
  };
}
