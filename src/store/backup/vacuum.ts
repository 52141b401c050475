// The whole file written anew: what SQLite left of deleted values inside its pages goes with the old ones.
import { openConnection } from '../engine/connection.ts';
import { takeProcessLock } from '../engine/process-lock.ts';

/** Runs `work`, then rewrites the file; throws StoreRefusal, with nothing done, while a service has it. */
export async function vacuumAfter<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = takeProcessLock(path);
  try {
    const done = await work();
    const connection = openConnection(path);
    try {
      connection.exec('vacuum');
      connection.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      connection.close();
    }
    return done;
  } finally {
    lock.release();
  }
}
