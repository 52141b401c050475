// Opening the file: pragmas set and asserted.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';

import { AUTOMATIC_PAGES } from './checkpoints.ts';
import { StoreRefusal } from './refusal.ts';
import { assertRights } from './rights.ts';

const BUSY_TIMEOUT_MS = 250;

/** Opens for writing. Throws StoreRefusal when this user may not write there, or a pragma does not hold. */
export function openConnection(path: string): Connection {
  if (path !== ':memory:') makeFolder(path);
  const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('trusted_schema = OFF');
  // Small steps: copying a longer log holds the event loop for tens of milliseconds (see checkpoints.ts).
  connection.pragma(`wal_autocheckpoint = ${AUTOMATIC_PAGES}`);
  // What is deleted is overwritten. What SQLite leaves between rows that it moved is not.
  connection.pragma('secure_delete = ON');
  connection.pragma('cache_size = -16000');
  // What a savepoint or a statement may have to undo is kept in memory instead of a file.
  connection.pragma('temp_store = MEMORY');
  assertPragmas(connection, { ...DURABLE, busy_timeout: BUSY_TIMEOUT_MS });
  return connection;
}

/** Makes the folder of a database. Throws StoreRefusal where this user may not write what it consists of. */
export function makeFolder(path: string): void {
  assertRights(path);
  mkdirSync(dirname(path), { recursive: true });
}

/**
 * From here on a lock that is taken is told at once: a process that serves waits beside its event loop, by timers
 * (writer.ts), never on it. Throws StoreRefusal when the pragma does not hold.
 */
export function stopWaiting(connection: Connection): void {
  connection.pragma('busy_timeout = 0');
  assertPragmas(connection, { busy_timeout: 0 });
}

/** Opens for reading: a write through it fails. */
export function openReader(path: string): Connection {
  const connection = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  connection.pragma('cache_size = -8000');
  return connection;
}

// A reopened WAL file comes back with synchronous NORMAL: what was set is read back, every time.
const DURABLE = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1 };

function assertPragmas(connection: Connection, expected: Record<string, string | number>): void {
  for (const [pragma, value] of Object.entries(expected)) {
    const actual: unknown = connection.pragma(pragma, { simple: true });
    if (actual !== value) {
      throw new StoreRefusal(
        `The database does not keep ${pragma} = ${value} (it says ${String(actual)}): is the disk a network share?`,
      );
    }
  }
}

/** Opens what may be no database of ours, or damaged: by that alone nothing in it changes. */
export const openAsItIs = (path: string): Connection =>
  new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });

/** A file that is new has no tables yet, and an older one not all of them. */
export const hasTable = (connection: Connection, name: string): boolean =>
  readNumber(connection, "select 1 from sqlite_schema where type = 'table' and name = ?", name) === 1;

/** What a query counts, or tells as its one value; 0 where that is nothing. */
export function readNumber(connection: Connection, sql: string, ...values: (string | number)[]): number {
  const statement = connection.prepare<unknown[], number | null>(sql).pluck();
  return statement.get(...values) ?? 0;
}
