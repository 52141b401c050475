// The lock that keeps a second service off the same database.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

import { StoreRefusal } from './refusal.ts';

export interface ProcessLock {
  release(): void;
}

/** One live process per database: an exclusive lock on a sidecar file, gone with its process. Throws StoreRefusal. */
export function takeProcessLock(databasePath: string): ProcessLock {
  mkdirSync(dirname(databasePath), { recursive: true });
  const sidecar = new Database(`${databasePath}.lock`, { timeout: 0 });
  try {
    sidecar.pragma('journal_mode = MEMORY');
    sidecar.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    sidecar.close();
    throw new StoreRefusal(`Another process is using ${databasePath}. Stop it first.`, { cause: error });
  }
  return { release: () => void sidecar.close() };
}
