// Going back to a backup. The new database is made complete in a file beside the old one and takes its name in one rename:
// whenever this is interrupted, either the old or the new one is in place, and never a foreign log beside it.
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { forgetCommitFile, isBehind } from '../engine/commit-count.ts';
import { openConnection } from '../engine/connection.ts';
import { migrate } from '../engine/migrations.ts';
import { turnOver } from '../engine/turnover.ts';
import { realPathOf, takeProcessLock } from '../engine/process-lock.ts';
import { StoreRefusal } from '../engine/refusal.ts';
import { carryFacts, isSameOrigin } from './carry.ts';
import { closeUnfinished } from './closing.ts';
import {
  beginEpoch,
  compareLines,
  joinLines,
  isBackup,
  joinNumbers,
  leapOver,
  nameEpoch,
  newestOf,
  numbersOf,
  raiseNumbers,
  readBackupLine,
  readLine,
  type Line,
  type Numbers,
} from './epochs.ts';
import { putUnreadableAside, type Flaws } from './flaws.ts';
import { createSecrets, type Secrets } from '../engine/secrets.ts';
import {
  assertSound,
  foldIntoOneFile,
  isDiskFull,
  isSqliteError,
  keepBeside,
  refuseUnreadable,
  removeDatabase,
  SIDECARS,
  syncFile,
} from './snapshot-file.ts';
import { recount, suspendCounting } from './counting.ts';

export interface RestoreOptions {
  /** The backup. It is only read. */
  file: string;
  databasePath: string;
  /** The encryption key that the backup was written with. */
  key: Buffer;
  /** The time of day, for the name of the database that is kept aside. */
  now: number;
}

export interface Restored extends Flaws {
  /** Codes about which the platform is asked before they are used. */
  unverified: number;
  /** Where the replaced database is now; undefined when there was none. */
  keptAs: string | undefined;
  /**
   * What is still known of the time since the backup. `carried`: who may come in, what left, what was redeemed and paid.
   * `identifiers`: the replaced database is damaged or of another origin, and only the numbers it gave are kept free.
   * `nothing`: it could not be read, or there was none.
   */
  since: 'carried' | 'identifiers' | 'nothing';
  /** Why nothing was carried from a replaced database that is there. */
  because?: string;
  /** When the backup was made, or its newest entry: unless `since` is `carried`, nothing after it is known. */
  asOf: number;
}

/**
 * Replaces the database by a backup, once that is proven sound. Throws StoreRefusal, with everything as it was, while
 * another process uses the database, the disk is full, or the backup does not pass. Safe to repeat.
 */
export function restore({ file, databasePath: named, key, now }: RestoreOptions): Restored {
  const databasePath = realPathOf(named);
  assertFinished(file, databasePath);
  const lock = takeProcessLock(databasePath);
  const fresh = `${databasePath}.restoring`;
  const secrets = createSecrets(key);
  let replaced: Connection | undefined;
  try {
    const prepared = prepare(file, fresh, secrets, now);
    const existed = existsSync(databasePath);
    replaced = existed ? holdReplaced(databasePath) : undefined;
    const epoch = nameEpoch();
    const carried = carry(replaced, fresh, { ...prepared, secrets, now, epoch });
    const { unverified, ...flaws } = finish(fresh, prepared, carried, { secrets, now, epoch });
    const keptAs = `${databasePath}.before-restore-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
    swap(databasePath, fresh, keptAs);
    const because =
      existed && carried.since !== 'carried' ? (carried.because ?? 'it cannot be read') : undefined;
    return {
      unverified,
      keptAs: existed ? keptAs : undefined,
      since: carried.since,
      ...(because !== undefined && { because }),
      asOf: newestOf(prepared.line),
      ...flaws,
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

function assertFinished(file: string, databasePath: string): void {
  assertReadable(file);
  if (existsSync(databasePath) && realpathSync(file) === realpathSync(databasePath)) {
    throw new StoreRefusal(`${file} is the database itself. Name a backup of it.`);
  }
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) {
    throw new StoreRefusal(
      `${file} is not a finished backup: ${file}-wal lies beside it. Make one with \`backup\`.`,
    );
  }
}

/** What a closed folder hides looks like nothing: whoever fetched a backup as root is told why it is not seen. */
function assertReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const isHidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (!isHidden) throw new StoreRefusal(`${file} does not exist.`);
    throw new StoreRefusal(
      `The user of the service may not read ${file}: open it, and the folders above it, to them.`,
    );
  }
}

interface Prepared {
  /** The backup's past. */
  line: Line;
  /** Puts back what counts as rows move. */
  resumeCounting: (connection: Connection) => void;
}

/** A copy of the backup: proven, brought to this version's tables, what was unfinished closed, every code in question. */
function prepare(file: string, fresh: string, secrets: Secrets, now: number): Prepared {
  removeDatabase(fresh);
  return refuseUnreadable(file, () => {
    copyFileSync(file, fresh, constants.COPYFILE_EXCL);
    chmodSync(fresh, 0o600);
    const connection = openConnection(fresh);
    try {
      assertSound(connection, secrets, file);
      migrate(connection);
      turnOver(connection, { alone: true, atOnce: Infinity });
      const line = readBackupLine(connection, now);
      const resumeCounting = connection.transaction(() => {
        const resume = suspendCounting(connection);
        closeUnfinished(connection, secrets, now);
        return resume;
      })();
      foldIntoOneFile(connection);
      return { line, resumeCounting };
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
    if (!isSqliteError(error) || isDiskFull(error)) throw error;
    if (!error.code.startsWith('SQLITE_BUSY')) return undefined;
    throw new StoreRefusal(`Another process is using ${databasePath}. Stop it first.`, { cause: error });
  }
}

interface Carried {
  since: Restored['since'];
  because?: string;
  /** The past that the restored database knows. */
  line: Line;
  /** The highest numbers known to be given. */
  numbers: Numbers;
  /** Whether numbers may have been given that nobody knows of. */
  isBlind: boolean;
}

interface CarryOptions {
  line: Line;
  secrets: Secrets;
  now: number;
  epoch: string;
}

function carry(
  replaced: Connection | undefined,
  fresh: string,
  { line, secrets, now, epoch }: CarryOptions,
): Carried {
  const nothing = { since: 'nothing' as const, line, numbers: numbersOf(line), isBlind: true };
  if (!replaced) return nothing;
  replaced.prepare('attach database ? as fresh').run(fresh);
  try {
    const read = attempt(replaced, () => readLine(replaced, now));
    if ('because' in read) return { ...nothing, ...read };
    const other = read.value;
    const numbers = joinNumbers(numbersOf(line), numbersOf(other));
    const identifiers = { ...nothing, since: 'identifiers' as const, numbers };
    const found = replaced.pragma('main.integrity_check(1)', { simple: true }) as string;
    if (found !== 'ok') return { ...identifiers, because: found };
    if (!isSameOrigin(replaced)) return { ...identifiers, because: 'it is of another origin' };
    const kinship = compareLines(line, other);
    const carried = attempt(replaced, () =>
      carryFacts({ connection: replaced, secrets, now, ...kinship }, `host:restore:${epoch}`),
    );
    if ('because' in carried) return { ...identifiers, ...carried };
    // One that was put there by hand does not know what happened until now, whatever it is otherwise.
    const isBlind = !kinship.descends || isBackup(replaced) || isBehind(replaced, replaced.name);
    return { since: 'carried', line: joinLines(line, other), numbers, isBlind };
  } finally {
    replaced.exec('detach database fresh');
  }
}

/** All or nothing; what SQLite says where the replaced database cannot be read so far. Throws where the disk is full. */
function attempt<T>(replaced: Connection, work: () => T): { value: T } | { because: string } {
  try {
    return { value: replaced.transaction(work).immediate() };
  } catch (error) {
    if (isSqliteError(error) && !isDiskFull(error)) return { because: error.message };
    throw error;
  }
}

/** The end of the work, and the last look before the file takes its place. */
function finish(
  fresh: string,
  prepared: Prepared,
  { line, numbers, isBlind }: Carried,
  { secrets, now, epoch }: Omit<CarryOptions, 'line'>,
): Flaws & { unverified: number } {
  const connection = openConnection(fresh);
  try {
    const flaws = connection.transaction(() => {
      recount(connection);
      prepared.resumeCounting(connection);
      raiseNumbers(connection, isBlind ? leapOver(numbers, now - newestOf(prepared.line)) : numbers);
      beginEpoch(connection, { id: epoch, startedAt: now, isBlind }, line);
      return putUnreadableAside(connection, secrets, now);
    })();
    foldIntoOneFile(connection);
    const unverified = connection.prepare("select count(*) from codes where state = 'unverified'").pluck();
    return { ...flaws, unverified: unverified.get() as number };
  } finally {
    connection.close();
  }
}

// The rename decides. Until it the old database has its name; the log of one that could not be read is moved away first,
// since SQLite would replay it into whatever file has the name.
function swap(databasePath: string, fresh: string, keptAs: string): void {
  syncFile(fresh);
  if (existsSync(databasePath)) keepBeside(databasePath, keptAs);
  for (const suffix of SIDECARS) {
    if (existsSync(databasePath + suffix)) renameSync(databasePath + suffix, keptAs + suffix);
  }
  forgetCommitFile(databasePath);
  renameSync(fresh, databasePath);
  syncFile(databasePath);
}
