// One consistent snapshot of what is committed, for whoever reads.
import type { Database as Connection } from 'better-sqlite3';

/**
 * Reads on the connection that writes: its cache is warm, where every commit empties the cache of another connection.
 * No commit is ever under way here, since both are synchronous. What tries to write is undone, and throws.
 */
export function createSnapshot(connection: Connection) {
  const begin = connection.prepare('BEGIN');
  const commit = connection.prepare('COMMIT');
  const rollback = connection.prepare('ROLLBACK');
  const totalChanges = connection.prepare<[], number>('select total_changes()').pluck();
  let reading = false;

  function check(): void {
    if (connection.inTransaction && !reading)
      throw new Error('A read inside a write would miss what it wrote: use its tables.');
  }

  function take<T>(work: () => T): T {
    if (reading) return work();
    check();
    const before = totalChanges.get();
    begin.run();
    reading = true;
    try {
      const result = work();
      if (totalChanges.get() !== before) throw new Error('A read is readonly: what it wrote was undone.');
      commit.run();
      return result;
    } finally {
      reading = false;
      if (connection.inTransaction) rollback.run();
    }
  }

  return { take, check };
}
