// Going back to a backup. The new database is made complete in a file beside the old one and takes its name in one
// rename: whenever this is interrupted, either the old or the new one is in place, and never a foreign log beside it.
import { existsSync, renameSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { deleteCommitFile } from '../engine/commit-count.ts';
import { openConnection, readNumber } from '../engine/connection.ts';
import { takeProcessLock } from '../engine/process-lock.ts';
import { reasonOf, StoreRefusal } from '../engine/refusal.ts';
import { realPathOf } from '../engine/rights.ts';
import { closeUnfinished, listStoppedOrders, type StoppedOrders } from './unfinished-work.ts';
import {
  beginRestored,
  countAhead,
  leapOver,
  noteLostEpochs,
  readAsOf,
  readLine,
  type Line,
} from './epochs.ts';
import { putUnreadableAside, type DamagedRows } from './damaged-rows.ts';
import { questionStock } from './lost-time.ts';
import { openSecrets, readSecrets, turnTo, type KeyRing } from '../engine/key-ring.ts';
import type { Secrets } from '../engine/secrets.ts';
import {
  assertFinished,
  copyProven,
  foldIntoOneFile,
  findDamage,
  isDamage,
  isDiskFull,
  isSameOrigin,
  isSqliteError,
  moveBeside,
  removeDatabase,
  SIDECARS,
  syncFile,
} from './snapshot-file.ts';
import { deleteLastCheck } from './last-check.ts';
import { recount, suspendTriggers } from './recount.ts';

export interface RestoreOptions {
  /** The backup. It is only read. */
  file: string;
  databasePath: string;
  /** The encryption key. A backup that one of `otherKeys` opens is sealed anew with it by the service. */
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
  /**
   * What is wrong with the replaced database; undefined where there was none, or it held nothing that the backup lacks.
   */
  because?: string;
  /** When the backup was made, or its newest entry: nothing after it is known. */
  asOf: number;
  /** Whose orders were open, and how many: they stop. */
  ordersStopped: StoppedOrders[];
}

/**
 * Replaces a database that is lost or damaged by a backup, once that is proven sound. Throws StoreRefusal, with
 * everything as it was, while another process uses the database, the disk is full, the backup does not pass, or the
 * database is sound and holds what the backup lacks: two pasts are never merged. Safe to repeat.
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
    const judged = existed ? judgeReplaced(replaced, { ...prepared, file, fresh }) : {};
    const { unverified, inQuestion, ...damagedRows } = finish(fresh, prepared, {
      ...judged,
      secrets,
      now,
    });
    if (replaced) foldOrLeave(replaced);
    const keptAs = `${databasePath}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
    swap(databasePath, fresh, keptAs);
    return {
      unverified,
      inQuestion,
      keptAs: existed ? keptAs : undefined,
      ...(judged.because !== undefined && { because: judged.because }),
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
    turnTo(connection, keys, keys.current);
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
  let connection: Connection | undefined;
  try {
    connection = openConnection(databasePath);
    connection.pragma('main.locking_mode = EXCLUSIVE');
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
    `${path} cannot be read now (${error.code}: ${error.message}), which is no damage: it may hold what the backup lacks, and nothing was changed. Mend that first (\`redemption doctor\`, \`dmesg\`). Where it is to be given up all the same: \`mv ${path} ${path}.given-up\`, and its -wal likewise, then restore again.`,
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

interface Judged {
  /** Its past, as far as that can be read. */
  replacedLine?: Line;
  because?: string;
}

/** What is known of the replaced database. Throws StoreRefusal where it is sound and holds what the backup lacks. */
function judgeReplaced(
  replaced: Connection | undefined,
  { line, file, fresh }: Pick<Prepared, 'line'> & { file: string; fresh: string },
): Judged {
  if (!replaced) return { because: 'it cannot be read' };
  let replacedLine: Line = [];
  replaced.prepare('attach database ? as backup').run(fresh);
  try {
    replacedLine = readLine(replaced);
    const found = findDamage(replaced, 'main.integrity_check(1)');
    if (found !== undefined) return { replacedLine, because: found };
    if (!isSameOrigin(replaced, 'backup')) return { replacedLine, because: 'it is of another origin' };
    const ahead = countAhead(replacedLine, line);
    if (ahead !== undefined) throw new StoreRefusal(formatNewer(replaced, file, ahead));
    return { replacedLine };
  } catch (error) {
    // A table that is not there is none of the disk's.
    const lacks = isSqliteError(error) && error.code === 'SQLITE_ERROR';
    if (!lacks) assertDamage(error, replaced.name);
    return { replacedLine, because: reasonOf(error) };
  } finally {
    replaced.exec('detach database backup');
  }
}

/** What going back costs. No two pasts give one number, so that a row is known by it. */
const COSTS: Readonly<Record<string, string>> = {
  redemptions: 'main.redemptions where id not in (select id from backup.redemptions)',
  'codes added': 'main.codes where id not in (select id from backup.codes)',
  'codes handed out': `main.codes where state = 'extracted'
    and id not in (select id from backup.codes where state = 'extracted')`,
  payments: `main.purchases where currency <> 'HOST' and charge_id not in (select charge_id from backup.purchases)`,
  refunds: `main.purchases where refunded_at is not null
    and charge_id not in (select charge_id from backup.purchases where refunded_at is not null)`,
  'accounts opened': 'main.accounts where id not in (select id from backup.accounts)',
  'keys revoked': `main.api_keys where revoked_at is not null
    and id not in (select id from backup.api_keys where revoked_at is not null)`,
};

function formatNewer(replaced: Connection, file: string, commits: number): string {
  const counts = Object.entries(COSTS).map(([what, rows]) => {
    return { what, count: readNumber(replaced, `select count(*) from ${rows}`) };
  });
  const costs = [{ what: 'commits', count: commits }, ...counts.filter(({ count }) => count > 0)];
  const path = replaced.name;
  return `${path} is sound, and holds what ${file} lacks (${costs.map(({ what, count }) => `${what}: ${count}`).join(', ')}): going back loses it, and two pasts are never merged. Nothing was changed. Where it is to be given up all the same: \`mv ${path} ${path}.given-up\`, then restore again.`;
}

/** The end of the work, and the last look before the file takes its place. */
function finish(
  fresh: string,
  { line, asOf, resumeTriggers }: Prepared,
  { replacedLine = [], because, secrets, now }: Judged & { secrets: Secrets } & Pick<RestoreOptions, 'now'>,
): DamagedRows & Pick<Restored, 'unverified' | 'inQuestion'> {
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
  syncFile(fresh);
  if (existsSync(databasePath)) moveBeside(databasePath, keptAs);
  for (const suffix of SIDECARS) {
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, keptAs + suffix);
  }
  deleteCommitFile(databasePath);
  deleteLastCheck(databasePath);
  renameSync(fresh, databasePath);
  syncFile(databasePath);
}
