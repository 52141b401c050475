// Opening the file: pragmas set and asserted, migrations, the encryption key and its canary, the single-process lock.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';

import { KEY_BYTES, type Secrets } from './secrets.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../drizzle', import.meta.url));
const BUSY_TIMEOUT_MS = 250;
const CANARY_IDENTITY = 'meta:canary';
const CANARY = 'the key is right';

/** A reason not to start that the host can act on; the message is the whole sentence. */
export class StoreRefusal extends Error {
  override readonly name = 'StoreRefusal';
}

/** Opens for writing. Throws StoreRefusal when a pragma does not hold. */
export function openConnection(path: string): Connection {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const connection = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('foreign_keys = ON');
  connection.pragma('trusted_schema = OFF');
  // Small steps: copying a longer log into the database would hold the event loop for tens of milliseconds.
  connection.pragma('wal_autocheckpoint = 1000');
  connection.pragma('cache_size = -16000');
  // What a savepoint may have to undo is kept in memory instead of a file: every job of a commit has one.
  connection.pragma('temp_store = MEMORY');
  assertPragmas(connection);
  return connection;
}

/** Opens for reading: a write through it fails. */
export function openReader(path: string): Connection {
  const connection = new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  connection.pragma('cache_size = -8000');
  return connection;
}

// A reopened WAL file comes back with synchronous NORMAL: what was set is read back, every time.
function assertPragmas(connection: Connection): void {
  const expected = { journal_mode: 'wal', synchronous: 2, foreign_keys: 1, busy_timeout: BUSY_TIMEOUT_MS };
  for (const [pragma, value] of Object.entries(expected)) {
    const actual: unknown = connection.pragma(pragma, { simple: true });
    if (actual !== value) {
      throw new StoreRefusal(
        `The database does not keep ${pragma} = ${value} (it says ${String(actual)}): is the disk a network share?`,
      );
    }
  }
}

interface Migration {
  tag: string;
  when: number;
  statements: string[];
}

/**
 * Applies the migrations of drizzle/ that the file does not have: all or none, in one transaction.
 * Throws StoreRefusal when the file was written by a newer program.
 */
export function migrate(connection: Connection): void {
  const migrations = readMigrations();
  if (findMissing(connection, migrations).length === 0) return;
  const apply = connection.transaction(() => {
    connection.exec(
      'create table if not exists migrations (tag text primary key, written integer not null) strict',
    );
    for (const migration of findMissing(connection, migrations)) {
      for (const statement of migration.statements) connection.exec(statement);
      connection
        .prepare('insert into migrations (tag, written) values (?, ?)')
        .run(migration.tag, migration.when);
    }
  });
  apply.immediate();
}

function findMissing(connection: Connection, migrations: Migration[]): Migration[] {
  if (!hasTable(connection, 'migrations')) return migrations;
  const applied = new Set(connection.prepare('select tag from migrations').pluck().all() as string[]);
  const unknown = [...applied].filter((tag) => !migrations.some((migration) => migration.tag === tag));
  if (unknown.length > 0) {
    throw new StoreRefusal(
      `The database was written by a newer version of this program (${unknown.join(', ')}). Start that version, or restore an older backup.`,
    );
  }
  return migrations.filter((migration) => !applied.has(migration.tag));
}

function hasTable(connection: Connection, name: string): boolean {
  return (
    connection.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !==
    undefined
  );
}

function readMigrations(): Migration[] {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  return journal.entries.map(({ tag, when }) => ({
    tag,
    when,
    statements: readFileSync(join(MIGRATIONS, `${tag}.sql`), 'utf8').split('--> statement-breakpoint'),
  }));
}

/**
 * The encryption key: `configured`, else `encryption.key` beside the database, made at the very first start.
 * Throws StoreRefusal when a database exists but its key file is gone.
 */
export function loadKey(databasePath: string, configured: Buffer | undefined): Buffer {
  if (configured) return configured;
  const file = join(dirname(databasePath), 'encryption.key');
  if (existsSync(file)) return readKey(file);
  if (existsSync(databasePath)) {
    throw new StoreRefusal(
      `The database ${databasePath} exists, but its key file ${file} does not. Put the key file back, or set ENCRYPTION_KEY.`,
    );
  }
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  } catch (error) {
    // Another process made it in the same moment: its key is the key.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readKey(file);
}

function readKey(file: string): Buffer {
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== KEY_BYTES)
    throw new StoreRefusal(`The key file ${file} does not hold 32 bytes in base64.`);
  return key;
}

/**
 * Proves that the key is the one this file was written with. A file without a canary (it has no tables yet) passes.
 * Throws StoreRefusal; writes nothing.
 */
export function assertCanary(connection: Connection, secrets: Secrets): void {
  if (!hasTable(connection, 'meta')) return;
  const sealed = connection.prepare("select value from meta where key = 'canary'").pluck().get() as
    Buffer | undefined;
  if (sealed && !opensCanary(sealed, secrets)) {
    throw new StoreRefusal(
      'The encryption key is not the one this database was written with. Set the right ENCRYPTION_KEY, or put the right encryption.key beside the database. Nothing was changed.',
    );
  }
}

/** Leaves the canary in a new file. Safe to repeat. */
export function writeCanary(connection: Connection, secrets: Secrets): void {
  if (connection.prepare("select 1 from meta where key = 'canary'").get()) return;
  const value = secrets.seal(CANARY_IDENTITY, CANARY);
  connection.prepare("insert into meta (key, value) values ('canary', ?) on conflict do nothing").run(value);
}

function opensCanary(sealed: Buffer, secrets: Secrets): boolean {
  try {
    return secrets.open(CANARY_IDENTITY, sealed) === CANARY;
  } catch {
    return false;
  }
}

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
