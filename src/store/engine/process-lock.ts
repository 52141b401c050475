// The lock that keeps a second service off the same database.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

import { assertWritable } from './connection.ts';
import { StoreRefusal } from './refusal.ts';

export interface ProcessLock {
  /**
   * Takes it again where its file was removed, so that nobody starts beside; false where another process has it by now.
   */
  retake(): boolean;
  release(): void;
}

/** Where a database really lies: SQLite follows links, and beside the file are its log and its lock. */
export const realPathOf = (databasePath: string): string =>
  existsSync(databasePath) && lstatSync(databasePath).isSymbolicLink()
    ? realpathSync(databasePath)
    : databasePath;

/** The same for every name that a database has. */
const lockFileOf = (databasePath: string): string => `${realPathOf(databasePath)}.lock`;

/** One live process per database: an exclusive lock on a sidecar file, gone with its process. Throws StoreRefusal. */
export function takeProcessLock(databasePath: string): ProcessLock {
  const file = lockFileOf(databasePath);
  assertWritable(file);
  let held: Held;
  try {
    held = hold(file);
  } catch (error) {
    throw inUse(databasePath, error);
  }
  return {
    retake() {
      if (inodeOf(file) === held.inode) return true;
      try {
        const again = hold(file);
        held.sidecar.close();
        held = again;
        return true;
      } catch {
        // Its folder may be gone as well: then there is nothing to lock.
        return inodeOf(file) === undefined;
      }
    },
    release: () => void held.sidecar.close(),
  };
}

/** Throws StoreRefusal where a process has it. Nothing is written: it may lie on a disk that may only be read. */
export function assertUnlocked(databasePath: string): void {
  const file = lockFileOf(databasePath);
  if (!existsSync(file)) return;
  let sidecar: Database.Database | undefined;
  try {
    sidecar = new Database(file, { readonly: true, timeout: 0 });
    sidecar.prepare('select 1 from sqlite_schema').get();
  } catch (error) {
    throw inUse(databasePath, error);
  } finally {
    sidecar?.close();
  }
}

const inUse = (databasePath: string, cause: unknown) =>
  new StoreRefusal(`Another process is using ${databasePath}. Stop it first.`, { cause });

interface Held {
  sidecar: Database.Database;
  inode: bigint | undefined;
}

function hold(file: string): Held {
  const sidecar = new Database(file, { timeout: 0 });
  try {
    sidecar.pragma('journal_mode = MEMORY');
    sidecar.exec('BEGIN EXCLUSIVE');
    return { sidecar, inode: inodeOf(file) };
  } catch (error) {
    sidecar.close();
    throw error;
  }
}

const inodeOf = (file: string): bigint | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
