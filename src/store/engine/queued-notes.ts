// Which queues of tasks have something new: told after each commit, and now and then of all that wait, where another
// process has committed.
import type { Database as Connection } from 'better-sqlite3';

type Listener = (queues: readonly string[]) => void;

/** What was undone is told of, too. */
export function createQueuedNotes(connection: Connection, listWaiting: () => readonly string[]) {
  const queues = new Set<string>();
  const listeners: Listener[] = [];
  // Another number after a commit by another connection: the command line works beside the service.
  const version = connection.prepare<[], number>('pragma data_version').pluck();
  let seen = version.get();

  function notify(): void {
    if (queues.size === 0) return;
    const told = [...queues];
    queues.clear();
    for (const listener of listeners) listener(told);
  }

  return {
    note: (queue: string) => void queues.add(queue),
    listen: (listener: Listener) => void listeners.push(listener),
    notify,
    /**
     * Tells of all that wait where another process has committed since; costs a microsecond where none has. Never
     * throws.
     */
    check(): void {
      try {
        const now = version.get();
        if (now === seen) return;
        for (const queue of listWaiting()) queues.add(queue);
        seen = now;
      } catch {
        // A disk that cannot be read is looked at again.
        return;
      }
      notify();
    },
  };
}
