// Going back to a backup. The new database is made complete in a file beside the old one and takes its name in one rename:
// whenever this is interrupted, either the old or the new one is in place, and never a foreign log beside it.
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { openConnection, openReader } from '../engine/connection.ts';
import { migrate } from '../engine/migrations.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import { carryFacts, carryIdentifiers, isSameOrigin } from './restore-facts.ts';
import { createSecrets, type Secrets } from '../engine/secrets.ts';
import {
  assertConserved,
  assertSound,
  foldIntoOneFile,
  isSqliteError,
  refuseUnreadable,
  removeDatabase,
  SIDECARS,
  syncFile,
} from './snapshot-file.ts';

export interface RestoreOptions {
  /** The backup. It is only read. */
  file: string;
  databasePath: string;
  /** The encryption key that the backup was written with. */
  key: Buffer;
  /** The time of day, for the name of the database that is kept aside. */
  now: number;
}

export interface Restored {
  /** Codes about which the platform is asked before they are used. */
  unverified: number;
  /** Where the replaced database is now; undefined when there was none. */
  keptAs: string | undefined;
  /**
   * What is still known of the time since the backup. `carried`: what left, was paid or was revoked. `identifiers`: of
   * a database of another origin only which identifiers are taken. `nothing`: it could not be read, or there was none.
   */
  since: 'carried' | 'identifiers' | 'nothing';
}

/**
 * Replaces the database by a backup, once that is proven sound. Throws StoreRefusal, with everything as it was, while
 * another process uses the database or when the backup does not pass. Safe to repeat.
 */
export function restore({ file, databasePath, key, now }: RestoreOptions): Restored {
  assertFinished(file, databasePath);
  const lock = takeProcessLock(databasePath);
  const fresh = `${databasePath}.restoring`;
  let replaced: Connection | undefined;
  try {
    prepare(file, fresh, createSecrets(key));
    const existed = existsSync(databasePath);
    replaced = existed ? holdReplaced(databasePath) : undefined;
    const since = replaced ? carry(replaced, fresh) : 'nothing';
    const unverified = proveResult(fresh);
    const keptAs = `${databasePath}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
    swap(databasePath, fresh, keptAs);
    return { unverified, keptAs: existed ? keptAs : undefined, since };
  } finally {
    replaced?.close();
    removeDatabase(fresh);
    lock.release();
  }
}

function assertFinished(file: string, databasePath: string): void {
  if (!existsSync(file)) throw new StoreRefusal(`${file} does not exist.`);
  if (existsSync(databasePath) && realpathSync(file) === realpathSync(databasePath)) {
    throw new StoreRefusal(`${file} is the database itself. Name a backup of it.`);
  }
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) {
    throw new StoreRefusal(
      `${file} is not a finished backup: ${file}-wal lies beside it. Make one with \`backup\`.`,
    );
  }
}

/** A copy of the backup: proven, brought to this version's tables, every available code in question. */
function prepare(file: string, fresh: string, secrets: Secrets): void {
  removeDatabase(fresh);
  refuseUnreadable(file, () => {
    copyFileSync(file, fresh, constants.COPYFILE_EXCL);
    chmodSync(fresh, 0o600);
    const connection = openConnection(fresh);
    try {
      assertSound(connection, secrets, file);
      migrate(connection);
      assertConserved(connection, secrets, file);
      connection.exec("update codes set state = 'unverified' where state = 'available'");
      foldIntoOneFile(connection);
    } finally {
      connection.close();
    }
  });
}

/** Opens the database that is replaced, its log folded in, closed to everybody else; undefined when it cannot be read. */
function holdReplaced(databasePath: string): Connection | undefined {
  let connection: Connection | undefined;
  try {
    connection = openConnection(databasePath);
    migrate(connection);
    foldIntoOneFile(connection);
    connection.pragma('main.locking_mode = EXCLUSIVE');
    connection.exec('begin exclusive; commit');
    return connection;
  } catch (error) {
    connection?.close();
    if (!isSqliteError(error)) throw error;
    if (!error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw new StoreRefusal(`Another process is using ${databasePath}. Stop it first.`, { cause: error });
  }
}

function carry(replaced: Connection, fresh: string): Restored['since'] {
  replaced.prepare('attach database ? as fresh').run(fresh);
  try {
    if (!attempt(replaced, carryIdentifiers)) return 'nothing';
    if (replaced.pragma('main.integrity_check(1)', { simple: true }) !== 'ok' || !isSameOrigin(replaced))
      return 'identifiers';
    return attempt(replaced, carryFacts) ? 'carried' : 'identifiers';
  } finally {
    replaced.exec('detach database fresh');
  }
}

/** All or nothing; false when the replaced database could not be read so far. */
function attempt(replaced: Connection, work: (replaced: Connection) => void): boolean {
  try {
    replaced.transaction(() => work(replaced)).immediate();
    return true;
  } catch (error) {
    if (isSqliteError(error)) return false;
    throw error;
  }
}

/** The last look before the file takes its place; returns how many codes are unverified. */
function proveResult(fresh: string): number {
  const connection = openReader(fresh);
  try {
    assertConserved(connection, undefined, 'The restored database');
    return connection
      .prepare("select count(*) from codes where state = 'unverified'")
      .pluck()
      .get() as number;
  } finally {
    connection.close();
  }
}

// The rename decides. Until it the old database has its name; the log of one that could not be read is moved away first,
// since SQLite would replay it into whatever file has the name.
function swap(databasePath: string, fresh: string, keptAs: string): void {
  syncFile(fresh);
  if (existsSync(databasePath)) keep(databasePath, keptAs);
  for (const suffix of SIDECARS) {
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, keptAs + suffix);
  }
  renameSync(fresh, databasePath);
  syncFile(databasePath);
}

function keep(databasePath: string, keptAs: string): void {
  try {
    linkSync(databasePath, keptAs);
  } catch {
    // A file system without links.
    copyFileSync(databasePath, keptAs, constants.COPYFILE_EXCL);
  }
  syncFile(keptAs);
}
