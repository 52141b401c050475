// A database in one finished file: what a backup is and what a restore starts from. Here it is proven sound, and what
// in it does not open is told.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Database as Connection } from 'better-sqlite3';

import { retry } from '../../waiting.ts';
import { openConnection, openReader } from '../engine/connection.ts';
import { isBusy } from '../engine/group-commit.ts';
import { isBesideForeignLog } from '../engine/identity.ts';
import { assertCanary, readCanary } from '../engine/keys.ts';
import { migrate } from '../engine/migrations.ts';
import { assertUnlocked } from '../engine/process-lock.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import type { Secrets } from '../engine/secrets.ts';

/** What SQLite may leave beside a database. */
export const SIDECARS: readonly string[] = ['-wal', '-shm', '-journal'];

/**
 * About 4 MB, put on disk before the next: what lies unwritten in the system's cache, the commits of the service would
 * wait for.
 */
const PAGES_A_STEP = 1_000;

/** The log's index is the first that finds no room. */
const FULL: readonly string[] = ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC'];

/** A service that starts or ends holds the file for a moment, beyond what SQLite waits by itself. */
const BUSY_TRIES = 40;
const BUSY_PAUSE_MS = 250;

/**
 * Proves that the file behind a connection is sound, ours, and readable with this key. `name` stands in the message.
 * `quick`: pages and rows, without holding every index against its table, which takes several times as long. Throws
 * StoreRefusal.
 */
export function assertSound(
  connection: Connection,
  secrets: Secrets,
  name: string,
  { quick = false }: { quick?: boolean } = {},
): void {
  const found = findDamage(connection, quick ? 'quick_check(1)' : 'integrity_check(1)');
  if (found !== undefined) {
    const cause = new Database.SqliteError(found, 'SQLITE_CORRUPT');
    throw new StoreRefusal(`${name} is damaged: ${found}`, { cause });
  }
  if (!readCanary(connection)) throw new StoreRefusal(`${name} is not a database of this service.`);
  assertCanary(connection, secrets);
}

/** What a check finds first. Throws where the disk did not give a page, or there was no room: that is no damage. */
export function findDamage(connection: Connection, check: string): string | undefined {
  const found = connection.pragma(check, { simple: true }) as string;
  const code = /error code[ =](\d+)/.exec(found)?.[1];
  // By its last eight bits: 11 is SQLITE_CORRUPT.
  if (code !== undefined && (Number(code) & 0xff) !== 11)
    throw new Database.SqliteError(found, 'SQLITE_IOERR');
  return found === 'ok' ? undefined : found;
}

/** Throws StoreRefusal for a file that cannot be read, is in use, or is the database itself. */
export function assertFinished(file: string, databasePath: string): void {
  assertReadable(file);
  if (existsSync(databasePath) && realpathSync(file) === realpathSync(databasePath)) {
    throw new StoreRefusal(`${file} is the database itself. Name another file.`);
  }
  if (isBesideForeignLog(file))
    throw new StoreRefusal(`${file}-wal is not the log of ${file}, and would be read with it. Move it away.`);
  // What is served changes while it is copied.
  assertUnlocked(file);
}

/** What a closed folder hides looks like nothing: whoever fetched a backup as root is told why it is not seen. */
function assertReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
    if (statSync(file).isDirectory()) throw new StoreRefusal(`${file} is a folder. Name a file in it.`);
  } catch (error) {
    if (error instanceof StoreRefusal) throw error;
    const isHidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (!isHidden) throw new StoreRefusal(`${file} does not exist.`);
    throw new StoreRefusal(
      `The user of the service may not read ${file}: open it, and the folders above it, to them.`,
    );
  }
}

/**
 * Copies a finished file, proves it, brings it to this version's tables, and leaves it in one file after `work`. Throws
 * StoreRefusal.
 */
export function copyProven<T>(
  file: string,
  copy: string,
  secrets: Secrets,
  work: (connection: Connection) => T,
): T {
  removeDatabase(copy);
  return refuseUnreadable(file, () => {
    // A copy of a database has its log beside it.
    for (const suffix of ['', '-wal']) {
      if (!existsSync(file + suffix)) continue;
      copyFileSync(file + suffix, copy + suffix, constants.COPYFILE_EXCL);
      chmodSync(copy + suffix, 0o600);
    }
    const connection = openConnection(copy);
    try {
      assertSound(connection, secrets, file);
      migrate(connection);
      const done = work(connection);
      foldIntoOneFile(connection);
      return done;
    } finally {
      connection.close();
    }
  });
}

/**
 * Copies the database as it is at one moment, while the service goes on. Only the copying holds on to that moment, a
 * few seconds a gigabyte: meanwhile the log of the running database grows, after it the log is used again from its
 * beginning. So whatever takes longer is done with the copy. Throws StoreRefusal when SQLite cannot read the database.
 */
export async function copyRunning(
  databasePath: string,
  copy: string,
  { pagesAStep = PAGES_A_STEP }: { pagesAStep?: number } = {},
): Promise<void> {
  const policy = (failures: number, error: unknown) =>
    isBusy(error) && failures <= BUSY_TRIES ? BUSY_PAUSE_MS : undefined;
  const onRetry = () => rmSync(copy, { force: true });
  await retry(policy, () => copyOnce(databasePath, copy, pagesAStep), { onRetry }).catch((error: unknown) =>
    refuseUnreadable(databasePath, () => rethrow(error)),
  );
}

async function copyOnce(databasePath: string, copy: string, pagesAStep: number): Promise<void> {
  const source = openReader(databasePath);
  let descriptor: number | undefined;
  try {
    // All steps read this one moment: without it every write of the service would start the copy anew.
    source.exec('BEGIN');
    source.prepare('select count(*) from sqlite_schema').get();
    await source.backup(copy, {
      progress: () => {
        descriptor ??= openSync(copy, 'r+');
        fdatasyncSync(descriptor);
        return pagesAStep;
      },
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
    source.close();
  }
}

function rethrow(error: unknown): never {
  throw error;
}

/**
 * Opens a copy for proving it: what is sorted on the way goes to the disk, since a large file has more than fits in
 * memory. The cache is for the pages of the indexes, which are read again and again when they are held against their
 * tables.
 */
export function openForProof(copy: string): Connection {
  const connection = openConnection(copy);
  connection.pragma('cache_size = -64000');
  connection.pragma('temp_store = FILE');
  return connection;
}

/** Runs `work`; what SQLite says of a file that it cannot read becomes a sentence. */
export function refuseUnreadable<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    throw new StoreRefusal(`${name} cannot be read: ${error.message}.`, { cause: error });
  }
}

/** Whether SQLite refused: busy, damaged, full. */
export function isSqliteError(error: unknown): error is Error & { code: string } {
  return error instanceof Database.SqliteError;
}

/** Whether the file itself is damaged, as SQLite or a sentence of ours says. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))) || isDamage(error.cause));

/** Whether there is no room: that tells nothing of the file that was being read. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.includes(String(error.code));

/** Puts the whole database in its one file: no log beside it, none expected by whoever opens it. */
export function foldIntoOneFile(connection: Connection): void {
  const mode: unknown = connection.pragma('journal_mode = DELETE', { simple: true });
  if (mode !== 'delete')
    throw new Error(`The write-ahead log could not be folded in (it stays ${String(mode)}).`);
}

/** Removes a database file and everything SQLite may have left beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', ...SIDECARS]) rmSync(path + suffix, { force: true });
}

/** Makes a file durable, and its name in the folder. */
export function syncFile(path: string): void {
  syncPath(path);
  syncName(path);
}

/** Gives a finished file the name of a database, in whose place it is from then on. */
export function replaceBy(databasePath: string, fresh: string): void {
  syncFile(fresh);
  renameSync(fresh, databasePath);
  syncFile(databasePath);
}

/** Makes the name of a file durable, without opening the file. */
const syncName = (path: string): void => syncPath(dirname(path));

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A second name for a database that is about to be replaced, on disk when it returns. */
export function moveBeside(databasePath: string, keptAs: string): void {
  try {
    linkSync(databasePath, keptAs);
    // It is on disk; whoever closes it beside SQLite lets go of SQLite's lock, and others write into it.
    return syncName(keptAs);
  } catch {
    // A file system without links.
    copyFileSync(databasePath, keptAs, constants.COPYFILE_EXCL);
  }
  syncFile(keptAs);
}
