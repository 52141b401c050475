// The lock that keeps a second service off the same database.
import Database from 'better-sqlite3';

import { assertWritable } from './connection.ts';
import { StoreRefusal } from './refusal.ts';

export interface ProcessLock {
  release(): void;
}

/** One live process per database: an exclusive lock on a sidecar file, gone with its process. Throws StoreRefusal. */
export function takeProcessLock(databasePath: string): ProcessLock {
  const file = `${databasePath}.lock`;
  assertWritable(file);
  const sidecar = new Database(file, { timeout: 0 });
  try {
    sidecar.pragma('journal_mode = MEMORY');
    sidecar.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    sidecar.close();
    throw new StoreRefusal(`Another process is using ${databasePath}. Stop it first.`, { cause: error });
  }
  return { release: () => void sidecar.close() };
}
