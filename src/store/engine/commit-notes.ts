// Notes of what has changed, and of the queues of tasks that have something new, told after each commit.
import type { Database as Connection } from 'better-sqlite3';

/** What was noted since the last commit is told after the next; what was undone is told of, too. */
export function createCommitNotes() {
  const names = new Set<string>();
  const listeners: ((names: readonly string[]) => void)[] = [];
  return {
    note: (name: string) => void names.add(name),
    listen: (listener: (names: readonly string[]) => void) => void listeners.push(listener),
    notify() {
      if (names.size === 0) return;
      const told = [...names];
      names.clear();
      for (const listener of listeners) listener(told);
    },
  };
}

/** The same of queues: now and then, where another process has committed, of all that wait. */
export function createQueuedNotes(connection: Connection, listWaiting: () => readonly string[]) {
  const notes = createCommitNotes();
  // Another number after a commit by another connection: the command line works beside the service.
  const version = connection.prepare<[], number>('pragma data_version').pluck();
  let seen = version.get();
  return {
    ...notes,
    /**
     * Tells of all that wait where another process has committed since; costs a microsecond where none has. Never
     * throws.
     */
    check(): void {
      try {
        const now = version.get();
        if (now === seen) return;
        for (const queue of listWaiting()) notes.note(queue);
        seen = now;
      } catch {
        // A disk that cannot be read is looked at again.
        return;
      }
      notes.notify();
    },
  };
}
