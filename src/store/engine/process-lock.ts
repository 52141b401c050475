// The lock that keeps a second service off the same database.
import { existsSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

import { makeFolder } from './connection.ts';
import { isBusy } from './group-commit.ts';
import { reasonOf, StoreRefusal } from './refusal.ts';
import { realPathOf } from './rights.ts';

export interface ProcessLock {
  /**
   * Takes it again where its file was removed, so that nobody starts beside; false where another process has it by now.
   */
  retake(): boolean;
  release(): void;
}

/** The same for every name that a database has. */
const lockFileOf = (databasePath: string): string => `${realPathOf(databasePath)}.lock`;

/** One live process per database: an exclusive lock on a sidecar file, gone with its process. Throws StoreRefusal. */
export function takeProcessLock(databasePath: string): ProcessLock {
  makeFolder(databasePath);
  const file = lockFileOf(databasePath);
  let sidecar = openUnused(databasePath, file);
  let inode = inodeOf(file);
  return {
    retake() {
      if (inodeOf(file) === inode) return true;
      try {
        const again = open(file);
        sidecar.close();
        [sidecar, inode] = [again, inodeOf(file)];
        return true;
      } catch {
        // Its folder may be gone as well: then there is nothing to lock.
        return inodeOf(file) === undefined;
      }
    },
    release: () => void sidecar.close(),
  };
}

/** Throws StoreRefusal where a process has it. Nothing is written: it may lie on a disk that may only be read. */
export function assertUnlocked(databasePath: string): void {
  const file = lockFileOf(databasePath);
  if (existsSync(file)) openUnused(databasePath, file, { readonly: true }).close();
}

function openUnused(databasePath: string, file: string, options?: { readonly: boolean }): Database.Database {
  try {
    return open(file, options);
  } catch (cause) {
    if (!isBusy(cause)) throw new StoreRefusal(`${file} cannot be used: ${reasonOf(cause)}.`, { cause });
    throw new StoreRefusal(`Another process is using ${databasePath}. Stop it first.`, { cause });
  }
}

/** Read-only it is looked at, otherwise locked. Throws where another process has it. */
function open(file: string, { readonly } = { readonly: false }): Database.Database {
  const sidecar = new Database(file, { readonly, timeout: 0 });
  try {
    if (!readonly) sidecar.pragma('journal_mode = MEMORY');
    sidecar.exec(readonly ? 'select 1 from sqlite_schema' : 'BEGIN EXCLUSIVE');
    return sidecar;
  } catch (error) {
    sidecar.close();
    throw error;
  }
}

const inodeOf = (file: string): bigint | undefined =>
  statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
