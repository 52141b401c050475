// What is known of a database beside it: one line, written each second while it is served. A file that has given fewer
// numbers than stand there is an older one. It costs no fsync: after a power loss the line knows of less, never of more.
import { closeSync, constants, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable, readNumber } from './connection.ts';
import { realPathOf } from './rights.ts';

interface State {
  /** The sum of the highest numbers that its tables have given. */
  numbers: number;
  /** When a process served it last, ms UTC. */
  aliveAt: number;
}

/** It is written over in place, which needs no room on a full disk. */
const WIDTH = 40;

export const stateFileOf = (path: string): string => `${realPathOf(path)}.state`;

/** Undefined where that file is not there, or holds no such line. */
export function readState(path: string): State | undefined {
  try {
    const [, numbers, aliveAt] =
      /^(\d{1,16}) (\d{1,15})\s*$/.exec(readFileSync(stateFileOf(path), 'utf8')) ?? [];
    return aliveAt === undefined ? undefined : { numbers: Number(numbers), aliveAt: Number(aliveAt) };
  } catch {
    return undefined;
  }
}

/** Call it between two transactions: what is not on disk yet does not count. Never throws: the next one tells as much. */
export function writeState(connection: Connection, path: string, now: number): void {
  if (connection.inTransaction) return;
  try {
    const file = openSync(stateFileOf(path), constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      writeSync(file, `${sumNumbers(connection)} ${now}`.padEnd(WIDTH - 1) + '\n', 0);
      ftruncateSync(file, WIDTH);
    } finally {
      closeSync(file);
    }
  } catch {
    // Said above.
  }
}

/** Until when more was written into it than a database has; undefined where it has all of it. */
export function findNewerTime(connection: Connection, path: string): number | undefined {
  const state = readState(path);
  return state && state.numbers > sumNumbers(connection) ? state.aliveAt : undefined;
}

const sumNumbers = (connection: Connection): number =>
  hasTable(connection, 'sqlite_sequence')
    ? readNumber(connection, 'select sum(seq) from sqlite_sequence')
    : 0;

/** For a database that takes the place of another. */
export const deleteState = (path: string): void => rmSync(stateFileOf(path), { force: true });
