// How many commits a database has had: counted in the transaction of each, and written into a small file beside it
// after it. A file that has had fewer than stand there is an older one. It costs no fsync: after a power loss the small
// file knows of fewer, never of more. Behind the count stands when the service was alive last.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { deleteMeta, readMeta } from './meta.ts';
import { realPathOf } from './rights.ts';

const KEY = 'commits';

export interface CommitCount {
  /** Counts the commit of the open transaction. */
  add(): void;
  /** Writes the count beside the database. Call it after each COMMIT that was counted; never throws. */
  write(): void;
  /** Makes the small file anew where somebody took it away. */
  recreate(): void;
  /** The process was alive at `now`, ms UTC: for whoever comes after a kill. */
  markAlive(now: number): void;
  close(): void;
}

export function createCommitCount(connection: Connection, path: string): CommitCount {
  const add = connection
    .prepare<[], number>(
      `insert into meta (key, value) values ('${KEY}', cast(1 as blob))
       on conflict do update set value = cast(cast(cast(value as text) as integer) + 1 as blob)
       returning cast(cast(value as text) as integer)`,
    )
    .pluck();
  // What is counted in an older file would hide that it is one.
  const file = isBehind(connection, path) ? undefined : openCountFile(commitFileOf(path));
  let committed = readCommits(connection);
  let counted = committed;
  let aliveAt = readAliveAt(path);
  const write = () => file?.write(aliveAt === undefined ? `${committed}\n` : `${committed} ${aliveAt}\n`);
  write();
  return {
    add: () => void (counted = add.get() ?? 0),
    write() {
      committed = counted;
      write();
    },
    recreate: () => void (file?.recreate() === false && write()),
    markAlive(now) {
      aliveAt = now;
      write();
    },
    close: () => file?.close(),
  };
}

/**
 * A file that holds one line. Nothing of it throws: a full disk tells what it is by itself, and the next count tells as
 * much.
 */
function openCountFile(name: string) {
  let descriptor = open();

  function open(): number | undefined {
    try {
      const anew = readNumbers(name) === undefined ? constants.O_TRUNC : 0;
      return openSync(name, constants.O_RDWR | constants.O_CREAT | anew, 0o600);
    } catch {
      return undefined;
    }
  }

  function close(): void {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  }

  // Numbers that grow cover every digit of those before.
  function write(line: string): void {
    try {
      if (descriptor !== undefined) writeSync(descriptor, line, 0);
    } catch {
      // Said above.
    }
  }

  return {
    write,
    /** False where it had to be made anew: nothing is in it yet. */
    recreate(): boolean {
      const found = statSync(name, { throwIfNoEntry: false });
      if (descriptor !== undefined && found?.ino === fstatSync(descriptor).ino) return true;
      close();
      descriptor = open();
      return false;
    },
    close,
  };
}

export const commitFileOf = (path: string): string => `${realPathOf(path)}.commits`;

/** How many the file itself knows of. */
export const readCommits = (connection: Connection): number => Number(readMeta(connection, KEY) ?? 0);

/** How many were written beside it; undefined where that file is not there, or holds no number. */
export const readCommitFile = (path: string): number | undefined => readNumbers(commitFileOf(path))?.[0];

/** When a process on it was alive last, in ms UTC; undefined where that was not written. */
export const readAliveAt = (path: string): number | undefined => readNumbers(commitFileOf(path))?.[1];

function readNumbers(name: string): [commits: number, aliveAt?: number] | undefined {
  try {
    const [, commits, aliveAt] = /^(\d{1,15})(?: (\d{1,15}))?$/.exec(readFileSync(name, 'utf8').trim()) ?? [];
    if (commits === undefined) return undefined;
    return aliveAt === undefined ? [Number(commits)] : [Number(commits), Number(aliveAt)];
  } catch {
    return undefined;
  }
}

/** Whether a database is older than it was. */
export function isBehind(connection: Connection, path: string): boolean {
  return readCommits(connection) < (readCommitFile(path) ?? 0);
}

/** For a database that takes the place of another: the count begins anew. */
export function deleteCommitFile(path: string): void {
  rmSync(commitFileOf(path), { force: true });
}

/** The same, in the database itself. */
export function deleteCommits(connection: Connection): void {
  deleteMeta(connection, KEY);
}
