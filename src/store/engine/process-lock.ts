// The lock that keeps a second service off the same database.
import { existsSync, lstatSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';

import { assertWritable } from './connection.ts';
import { StoreRefusal } from './refusal.ts';

export interface ProcessLock {
  release(): void;
}

/** Where a database really lies: SQLite follows links, and beside the file are its log and its lock. */
export const realPathOf = (databasePath: string): string =>
  existsSync(databasePath) && lstatSync(databasePath).isSymbolicLink()
    ? realpathSync(databasePath)
    : databasePath;

/** The same for every name that a database has. */
export const lockFileOf = (databasePath: string): string => `${realPathOf(databasePath)}.lock`;

/** One live process per database: an exclusive lock on a sidecar file, gone with its process. Throws StoreRefusal. */
export function takeProcessLock(databasePath: string): ProcessLock {
  const file = lockFileOf(databasePath);
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
