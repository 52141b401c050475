// A backup: a copy of the running database in one file, proven before it is called by its name. Restoring is
// restore.ts.
import { chmodSync, copyFileSync, existsSync, linkSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

import { markBackup } from '../engine/identity.ts';
import { isCurrent, migrate } from '../engine/migrations.ts';
import { reasonOf, StoreRefusal } from '../engine/refusal.ts';
import { findDamagedRows, type DamagedRows } from './damaged-rows.ts';
import {
  assertSound,
  copyRunning,
  foldIntoOneFile,
  openForProof,
  refuseUnreadable,
  syncFile,
} from './snapshot-file.ts';
import type { Secrets } from '../engine/secrets.ts';

export interface BackupOptions {
  secrets: Secrets;
  /** The time of day: the backup knows when it was made. */
  now: number;
  /** Prove the pages and the key alone, and no row. */
  everyday?: boolean | undefined;
}

export interface MadeBackup extends Pick<DamagedRows, 'unreadable' | 'drift' | 'rows'> {
  proof: 'whole' | 'everyday';
}

/**
 * Copies the database to `file` while the service runs; resolves when the copy is proven sound and on disk, mode 0600.
 * Tells what in it does not open or contradicts itself: that is kept as it is, since a disk that begins to rot is when
 * a backup is needed. Never overwrites: throws StoreRefusal when `file` exists, its folder does not, or SQLite cannot
 * read the copy.
 */
export async function backup(
  databasePath: string,
  file: string,
  options: BackupOptions,
): Promise<MadeBackup> {
  const target = resolve(file);
  if (existsSync(target)) throw new StoreRefusal(`${file} exists already. Name a file that does not.`);
  const folder = makeFolder(target, file);
  try {
    const copy = join(folder, basename(target));
    await copyRunning(databasePath, copy);
    const made = prove(copy, options);
    chmodSync(copy, 0o600);
    syncFile(copy);
    place(copy, target, file);
    return made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A folder of its own beside the target, for the owner alone: nobody reads the copy before its mode is set.
function makeFolder(target: string, file: string): string {
  try {
    return mkdtempSync(`${target}.partial-`);
  } catch (error) {
    throw new StoreRefusal(`${file} cannot be written there: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
}

function prove(copy: string, { secrets, now, everyday = false }: BackupOptions): MadeBackup {
  return refuseUnreadable('The copy', () => {
    const connection = openForProof(copy);
    try {
      assertSound(connection, secrets, 'The copy', { quick: everyday });
      markBackup(connection, now);
      foldIntoOneFile(connection);
      if (everyday) return { proof: 'everyday', unreadable: 0, drift: 0, rows: [] };
      const find = () => findDamagedRows(connection, secrets);
      return { proof: 'whole', ...(isCurrent(connection) ? find() : findDamagedRowsOfOlder(copy, secrets)) };
    } finally {
      connection.close();
    }
  });
}

/** A backup made before an upgrade stays as it is; what is proven is what the upgrade would make of it. */
function findDamagedRowsOfOlder(copy: string, secrets: Secrets): DamagedRows {
  const upgraded = `${copy}.upgraded`;
  copyFileSync(copy, upgraded);
  const connection = openForProof(upgraded);
  try {
    migrate(connection);
    return findDamagedRows(connection, secrets);
  } finally {
    connection.close();
  }
}

/** A link never replaces a file, not even one that came up since the beginning. */
function place(copy: string, target: string, file: string): void {
  try {
    linkSync(copy, target);
  } catch {
    // It is there by now; else a file system without links.
    if (existsSync(target)) throw new StoreRefusal(`${file} exists already. Name a file that does not.`);
    renameSync(copy, target);
  }
  syncFile(target);
}
