// Going back to a backup. The new database is made complete in a file beside the old one and takes its name in one
// rename: whenever this is interrupted, either the old or the new one is in place, and never a foreign log beside it.
import { existsSync, renameSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { deleteCommitFile } from '../engine/commit-count.ts';
import { openAsItIs, openConnection, readNumber } from '../engine/connection.ts';
import { assertAlone } from '../engine/identity.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { reasonOf, StoreRefusal } from '../engine/refusal.ts';
import { realPathOf } from '../engine/rights.ts';
import { closeUnfinished, listStoppedOrders, type StoppedOrders } from './unfinished-work.ts';
import { beginRestored, leapOver, noteLostEpochs, readAsOf, readLine, type Line } from './epochs.ts';
import { putUnreadableAside, type DamagedRows } from './damaged-rows.ts';
import { questionStock } from './lost-time.ts';
import { findKey, openSecrets, readSecrets, type KeyRing } from '../engine/keys.ts';
import type { Secrets } from '../engine/secrets.ts';
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
import { recount, suspendTriggers } from './recount.ts';

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

/**
 * Replaces a database that is lost or damaged by a backup, once that is proven sound. Throws StoreRefusal, with
 * everything as it was, while another process uses the database, the disk is full, the backup does not pass, or the
 * database is sound. Interrupted anywhere it is repeated, or is done.
 */
export function restore({ file, databasePath: named, key, now, ...options }: RestoreOptions): Restored {
  const databasePath = realPathOf(named);
  assertFinished(file, databasePath);
  const lock = takeProcessLock(databasePath);
  const fresh = `${databasePath}.restoring`;
  const keys = { current: key, others: options.otherKeys ?? [] };
  const { canProve = () => true } = options;
  let replaced: Connection | undefined;
  try {
    const { secrets, ordersStopped, ...prepared } = prepare(file, fresh, keys, { now, canProve });
    const existed = existsSync(databasePath);
    replaced = existed ? holdReplaced(databasePath) : undefined;
    const wrong = existed ? findWrong(replaced, databasePath, { file, asOf: prepared.asOf }) : undefined;
    const { unverified, inQuestion, ...damagedRows } = finish(fresh, prepared, { wrong, secrets, now });
    if (replaced) foldOrLeave(replaced);
    const keptAs = `${databasePath}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
    swap(databasePath, fresh, keptAs);
    return {
      unverified,
      inQuestion,
      keptAs: existed ? keptAs : undefined,
      because: wrong?.because,
      asOf: prepared.asOf,
      ordersStopped,
      ...damagedRows,
    };
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

interface Prepared {
  /** The backup's past. */
  line: Line;
  /** Until when it knows what happened. */
  asOf: number;
  /** Puts back the triggers. */
  resumeTriggers: (connection: Connection) => void;
}

/**
 * A copy of the backup: proven, brought to this version's tables, every code in question, what was unfinished closed.
 */
function prepare(
  file: string,
  fresh: string,
  keys: KeyRing,
  { now, canProve }: { now: number; canProve: (gameId: string) => boolean },
): Prepared & { secrets: Secrets; ordersStopped: StoppedOrders[] } {
  return copyProven(file, fresh, readSecrets(file, keys), (connection) => {
    sealAnew(connection, findKey(connection, keys) ?? keys.current, keys.current);
    const secrets = openSecrets(connection, keys);
    const asOf = readAsOf(connection, now);
    const past = { line: readLine(connection), asOf };
    const resumeTriggers = connection.transaction(() => {
      const resume = suspendTriggers(connection);
      questionStock(connection, { asOf, now, canProve });
      closeUnfinished(connection, secrets, now);
      return resume;
    })();
    return { ...past, resumeTriggers, secrets, ordersStopped: listStoppedOrders(connection) };
  });
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

interface Wrong {
  because: string;
  /** Its past, as far as that can be read. */
  replacedLine: Line;
}

/** What is wrong with a database that was there. Throws StoreRefusal where nothing is. */
function findWrong(
  replaced: Connection | undefined,
  databasePath: string,
  { file, asOf }: { file: string; asOf: number },
): Wrong {
  if (!replaced) return { because: 'it cannot be read', replacedLine: [] };
  const because = findUnsound(replaced);
  if (because === undefined) throw new StoreRefusal(formatSound(databasePath, file, asOf));
  return { because, replacedLine: readWhatIsLeft(replaced) };
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

/** What damage leaves of a value may be anything. */
function readWhatIsLeft(replaced: Connection): Line {
  try {
    return readLine(replaced);
  } catch (error) {
    // A table that is not there is none of the disk's.
    if (isSqliteError(error) && error.code !== 'SQLITE_ERROR') assertDamage(error, replaced.name);
    return [];
  }
}

function formatSound(path: string, file: string, asOf: number): string {
  const aside = `${path}.given-up`;
  return `${path} is sound, and a sound database is never replaced. Nothing was changed. Where it is to be given up for ${file} all the same, move it away, \`mv ${path} ${aside}\`, and restore again, or name another DATABASE_PATH; what was done in it since is read by \`DATABASE_PATH=${aside} redemption log --since ${new Date(asOf).toISOString()}\`.`;
}

/** The end of the work, and the last look before the file takes its place. */
function finish(
  fresh: string,
  { line, asOf, resumeTriggers }: Prepared,
  { wrong, secrets, now }: { wrong: Wrong | undefined; secrets: Secrets; now: number },
): DamagedRows & Pick<Restored, 'unverified' | 'inQuestion'> {
  const { because, replacedLine = [] } = wrong ?? {};
  const connection = openConnection(fresh);
  try {
    connection.transaction(() => {
      recount(connection);
      resumeTriggers(connection);
      leapOver(connection, replacedLine.at(-1)?.numbers ?? {}, now - asOf);
      beginRestored(connection, { now, asOf, because }, line);
      noteLostEpochs(connection, replacedLine);
    })();
    const damagedRows = connection.transaction(() => putUnreadableAside(connection, secrets, now))();
    foldIntoOneFile(connection);
    const count = (state: string) =>
      readNumber(connection, 'select count(*) from codes where state = ?', state);
    return { ...damagedRows, unverified: count('unverified'), inQuestion: count('in_question') };
  } finally {
    connection.close();
  }
}

// The rename decides. Until it the old database has its name; the log of one that could not be read is moved away
// first, since SQLite would replay it into whatever file has the name.
function swap(databasePath: string, fresh: string, keptAs: string): void {
  if (existsSync(databasePath)) moveBeside(databasePath, keptAs);
  for (const suffix of SIDECARS) {
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, keptAs + suffix);
  }
  deleteCommitFile(databasePath);
  deleteLastCheck(databasePath);
  replaceBy(databasePath, fresh);
}
