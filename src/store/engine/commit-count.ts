// How many commits a database has had: counted in the transaction of each, and written into a small file beside it now and then. A file
// that has had fewer than were written there is an older one. It costs no fsync: what the small file lacks, it only notices later.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { readMeta } from './meta.ts';
import { realPathOf } from './process-lock.ts';

const KEY = 'commits';

export interface CommitCount {
  /** Counts the commit of the open transaction. */
  add(): void;
  /** Writes the count beside the database, where it has grown. Outside any transaction; never throws. */
  write(): void;
}

export function createCommitCount(connection: Connection, path: string): CommitCount {
  const add = connection.prepare(
    `insert into meta (key, value) values ('${KEY}', cast(1 as blob))
     on conflict do update set value = cast(cast(cast(value as text) as integer) + 1 as blob)`,
  );
  const file = commitFileOf(path);
  let hasGrown = true;
  return {
    add() {
      add.run();
      hasGrown = true;
    },
    write() {
      if (!hasGrown) return;
      hasGrown = false;
      try {
        writeFileSync(file, `${readCommits(connection)}\n`, { mode: 0o600 });
      } catch {
        // A full disk: the next one tells as much.
        hasGrown = true;
      }
    },
  };
}

export const commitFileOf = (path: string): string => `${realPathOf(path)}.commits`;

/** How many the file itself knows of. */
export const readCommits = (connection: Connection): number => Number(readMeta(connection, KEY) ?? 0);

/** How many were written beside it; undefined where that file is not there, or holds no number. */
export function readCommitFile(path: string): number | undefined {
  try {
    const text = readFileSync(commitFileOf(path), 'utf8').trim();
    return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a database is older than it was. */
export function isBehind(connection: Connection, path: string): boolean {
  return readCommits(connection) < (readCommitFile(path) ?? 0);
}

/** For a database that takes the place of another: the count begins anew. */
export function forgetCommitFile(path: string): void {
  rmSync(commitFileOf(path), { force: true });
}

/** The same, in the database itself. */
export function forgetCommits(connection: Connection): void {
  connection.prepare('delete from meta where key = ?').run(KEY);
}
