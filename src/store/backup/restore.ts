// Going back to a backup. The new database is made complete in a file beside the old one and takes its name in one
// rename: whenever this is interrupted, either the old or the new one is in place, and never a foreign log beside it.
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable, openAsItIs, openConnection, readNumber } from '../engine/connection.ts';
import { leaveHome } from '../engine/home.ts';
import { assertAlone, unmarkBackup, unmarkStopped } from '../engine/identity.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { reasonOf, StoreRefusal } from '../engine/refusal.ts';
import { realPathOf } from '../engine/rights.ts';
import { deleteState } from '../engine/sidecar.ts';
import { closeUnfinished, listStoppedOrders, type StoppedOrders } from './unfinished-work.ts';
import { putUnreadableAside, type DamagedRows } from './damaged-rows.ts';
import { questionStock } from './lost-time.ts';
import { findKey, openSecrets, readSecrets, type KeyRing } from '../engine/keys.ts';
import {
  assertFinished,
  copyProven,
  foldIntoOneFile,
  findDamage,
  isDamage,
  isDiskFull,
  isSqliteError,
  moveBeside,
  removeDatabase,
  replaceBy,
  SIDECARS,
} from './snapshot-file.ts';
import { deleteLastCheck } from './last-check.ts';
import { sealAnew } from './rekey.ts';
import { markLost, readAsOf, recordByHost } from './restored.ts';
import { recounting } from './recount.ts';

export interface RestoreOptions {
  /** The backup. It is only read. */
  file: string;
  databasePath: string;
  /** The encryption key. A backup that one of `otherKeys` opens is sealed anew with it. */
  key: Buffer;
  otherKeys?: readonly Buffer[] | undefined;
  /** The time of day, for the name of the database that is kept aside. */
  now: number;
  /**
   * Whether there is anybody whose word that a code of a game is unspent counts; left out: there is. Asked of each game
   * that has codes.
   */
  canProve?: ((gameId: string) => boolean) | undefined;
}

export interface Restored extends DamagedRows {
  /** Codes about which the platform is asked before they are used. */
  unverified: number;
  /** Codes that wait for somebody to release them, since the lost time may have handed them out. */
  inQuestion: number;
  /** Where the replaced database is now; undefined when there was none. */
  keptAs: string | undefined;
  /** What is wrong with the replaced database; undefined where there was none. */
  because: string | undefined;
  /** When the backup was made, or its newest entry: nothing after it is known. */
  asOf: number;
  /** Whose orders were open, and how many: they stop. */
  ordersStopped: StoppedOrders[];
}

/** In an hour nobody knows of, no table is given more numbers than this, and this many a second on top. */
const GAP = 1_000_000;
const GAP_PER_SECOND = 100;

/**
 * Replaces a database that is lost or damaged by a backup, once that is proven sound. Throws StoreRefusal, with
 * everything as it was, while another process uses the database, the disk is full, the backup does not pass, or the
 * database is sound. Interrupted anywhere it is repeated, or is done.
 */
export function restore({ file, databasePath: named, now, ...options }: RestoreOptions): Restored {
  const databasePath = realPathOf(named);
  assertFinished(file, databasePath);
  const lock = takeProcessLock(databasePath);
  const fresh = `${databasePath}.restoring`;
  const keys = { current: options.key, others: options.otherKeys ?? [] };
  const { canProve = () => true } = options;
  let replaced: Connection | undefined;
  try {
    const asOf = copyProven(file, fresh, readSecrets(file, keys), (copy) => readAsOf(copy, now));
    const existed = existsSync(databasePath);
    if (existed) replaced = holdReplaced(databasePath);
    const because = existed ? findWrong(replaced, { file, asOf }) : undefined;
    const restored = goOn(fresh, keys, { asOf, now, because, canProve });
    if (replaced) foldOrLeave(replaced);
    const keptAs = `${databasePath}.before-restore-${isoOf(now).replace(/[-:.]/g, '')}`;
    swap(databasePath, fresh, keptAs);
    return { ...restored, because, asOf, keptAs: existed ? keptAs : undefined };
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const name = `The disk of ${databasePath} is full`;
    throw new StoreRefusal(`${name}: nothing was restored. Make room, and try again.`, { cause: error });
  } finally {
    replaced?.close();
    removeDatabase(fresh);
    lock.release();
  }
}

interface Loss extends Required<Pick<RestoreOptions, 'now' | 'canProve'>> {
  asOf: number;
  because: string | undefined;
}

/** Makes a database of the copy of a backup: every code in question, what was unfinished closed. */
function goOn(
  fresh: string,
  keys: KeyRing,
  { asOf, now, because, canProve }: Loss,
): Omit<Restored, 'because' | 'asOf' | 'keptAs'> {
  const connection = openConnection(fresh);
  try {
    sealAnew(connection, findKey(connection, keys) ?? keys.current, keys.current);
    const secrets = openSecrets(connection, keys);
    connection.transaction(() => {
      leap(connection, now - asOf);
      recounting(connection, () => {
        questionStock(connection, { asOf, now, canProve });
        closeUnfinished(connection, secrets, now);
      });
      begin(connection, { asOf, now, because });
    })();
    const damagedRows = connection.transaction(() => putUnreadableAside(connection, secrets, now))();
    const ordersStopped = listStoppedOrders(connection);
    foldIntoOneFile(connection);
    const count = (state: string) =>
      readNumber(connection, 'select count(*) from codes where state = ?', state);
    return {
      ...damagedRows,
      unverified: count('unverified'),
      inQuestion: count('in_question'),
      ordersStopped,
    };
  } finally {
    connection.close();
  }
}

/** From here on every number given is higher than any that was given in the time that nobody knows of. */
function leap(connection: Connection, unknownMs: number): void {
  connection.exec(
    `insert into sqlite_sequence (name, seq) select name, 0 from sqlite_schema where type = 'table'
       and sql like '%AUTOINCREMENT%' and name not in (select name from sqlite_sequence)`,
  );
  const gap = GAP + Math.ceil((unknownMs / 1000) * GAP_PER_SECOND);
  connection.prepare('update sqlite_sequence set seq = seq + ?').run(gap);
}

/** It is no backup any more, was served by nobody, and is at home wherever it is started next. */
function begin(connection: Connection, { asOf, now, because }: Omit<Loss, 'canProve'>): void {
  unmarkBackup(connection);
  unmarkStopped(connection);
  leaveHome(connection);
  markLost(connection, { asOf, until: now });
  // Who had ended one after the backup would be let in by it again.
  connection.exec('delete from console_sessions; delete from console_links');
  const times = { before: { asOf }, after: { until: now } };
  recordByHost(connection, { what: 'restored', ...times, reason: because, at: now });
}

/** Opens the database that is replaced, closed to everybody else; undefined when it cannot be read. */
function holdReplaced(databasePath: string): Connection | undefined {
  assertAlone(databasePath);
  let connection: Connection | undefined;
  try {
    connection = openAsItIs(databasePath);
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.exec('begin exclusive; commit');
    return connection;
  } catch (error) {
    connection?.close();
    assertDamage(error, databasePath);
    return undefined;
  }
}

/** Whatever else keeps SQLite from reading it, rights or the disk, says nothing of what is in it. */
function assertDamage(error: unknown, path: string): void {
  if (isDamage(error)) return;
  if (!isSqliteError(error) || isDiskFull(error)) throw error;
  if (error.code.startsWith('SQLITE_BUSY'))
    throw new StoreRefusal(`Another process is using ${path}. Stop it first.`, { cause: error });
  throw new StoreRefusal(
    `${path} cannot be read now (${error.code}: ${error.message}), which is no damage: it may be sound, and nothing was changed. Mend that first (\`redemption doctor\`, \`dmesg\`). Where it is to be given up all the same: \`mv ${path} ${path}.given-up\`, and its -wal likewise, then restore again.`,
    { cause: error },
  );
}

/** Puts it in one file; where that cannot be, its log is moved away with it, and nobody has it open then. */
function foldOrLeave(replaced: Connection): void {
  try {
    foldIntoOneFile(replaced);
  } catch (error) {
    if (!isSqliteError(error) || isDiskFull(error)) throw error;
    replaced.close();
  }
}

/** What is wrong with a database that was there. Throws StoreRefusal where nothing is. */
function findWrong(replaced: Connection | undefined, { file, asOf }: { file: string; asOf: number }): string {
  if (!replaced) return 'it cannot be read';
  const because = findUnsound(replaced);
  if (because === undefined) throw new StoreRefusal(formatSound(replaced, file, asOf));
  return because;
}

/** Undefined where SQLite finds nothing wrong with it, and there is anything in it, whosever that is. */
function findUnsound(replaced: Connection): string | undefined {
  try {
    const found = findDamage(replaced, 'integrity_check(1)');
    if (found !== undefined) return found;
    const tables = readNumber(replaced, "select count(*) from sqlite_schema where type = 'table'");
    return tables > 0 ? undefined : 'it is empty';
  } catch (error) {
    assertDamage(error, replaced.name);
    return reasonOf(error);
  }
}

function formatSound(replaced: Connection, file: string, asOf: number): string {
  const { name: path } = replaced;
  const aside = `${path}.given-up`;
  return `${path} is sound, and a sound database is never replaced: ${formatContent(replaced)}. Nothing was changed. Where it is to be given up for ${file} all the same, move it away, \`mv ${path} ${aside}\`, and restore again, or name another DATABASE_PATH; what was done in it since is read by \`DATABASE_PATH=${aside} redemption log --since ${isoOf(asOf)}\`.`;
}

function formatContent(connection: Connection): string {
  if (!['codes', 'redemptions', 'audit_log'].every((table) => hasTable(connection, table)))
    return 'it is of another program';
  const count = (table: string) => readNumber(connection, `select count(*) from ${table}`);
  const newest = readAsOf(connection, Infinity);
  const of = newest > 0 ? `, the newest entry of ${isoOf(newest)}` : '';
  return `it has ${count('codes')} codes and ${count('redemptions')} redemptions${of}`;
}

const isoOf = (at: number): string => new Date(at).toISOString();

// The rename decides. Until it the old database has its name; the log of one that could not be read is moved away
// first, since SQLite would replay it into whatever file has the name.
function swap(databasePath: string, fresh: string, keptAs: string): void {
  if (existsSync(databasePath)) moveBeside(databasePath, keptAs);
  for (const suffix of SIDECARS) {
    const left = databasePath + suffix;
    // Whoever only reads a file leaves an empty log, and its index.
    if (suffix === '-shm' || statSync(left, { throwIfNoEntry: false })?.size === 0)
      rmSync(left, { force: true });
    else if (existsSync(left)) renameSync(left, keptAs + suffix);
  }
  deleteState(databasePath);
  deleteLastCheck(databasePath);
  replaceBy(databasePath, fresh);
}
