// The file that a database was last served as, by inode and time of birth: a copy has others. They are believed only of
// file systems that keep both for as long as the file lives; elsewhere nothing is refused for them.
import { statfsSync, statSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { deleteMeta, readMeta, writeMeta } from './meta.ts';
import { realPathOf } from './rights.ts';

const HOME = 'home';

/**
 * The magic numbers of ext4, xfs, btrfs, zfs, f2fs, bcachefs, tmpfs, and overlayfs (the inodes are those of the layer
 * below).
 */
const STABLE: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x01021994, 0x794c7630,
]);

/**
 * Nanoseconds; `birth` is null where it is not told, or no other than that of the last change: some tell that in its
 * place.
 */
interface Home {
  inode: string;
  birth: string | null;
}

/** Undefined where the file system does not tell files apart for good. */
function findHome(path: string): Home | undefined {
  const file = realPathOf(path);
  if (!STABLE.has(statfsSync(file).type)) return undefined;
  const { ino, birthtimeNs, ctimeNs } = statSync(file, { bigint: true });
  const isTold = birthtimeNs > 0n && birthtimeNs !== ctimeNs;
  return { inode: String(ino), birth: isTold ? String(birthtimeNs) : null };
}

/** Whether a copy of this file could be told from it. */
export const canTellCopies = (path: string): boolean => findHome(path) !== undefined;

/** Whether it is another file than the one that was served. One that was never served is at home everywhere. */
export function isElsewhere(connection: Connection, path: string): boolean {
  const kept = readMeta(connection, HOME);
  const found = kept === undefined ? undefined : findHome(path);
  if (kept === undefined || found === undefined) return false;
  const { inode, birth } = JSON.parse(kept) as Home;
  return inode !== found.inode || (birth !== null && found.birth !== null && birth !== found.birth);
}

/** From now on it is served as this file. */
export function settleHome(connection: Connection, path: string): void {
  const found = findHome(path);
  if (found) writeMeta(connection, HOME, JSON.stringify(found));
  else leaveHome(connection);
}

/** Whether it was served, where that is told. */
export const hasHome = (connection: Connection): boolean => readMeta(connection, HOME) !== undefined;

/** It may be served from wherever it is put. */
export function leaveHome(connection: Connection): void {
  deleteMeta(connection, HOME);
}
