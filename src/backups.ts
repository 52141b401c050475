// Backups that happen by themselves: one every so many hours into a folder, of which the newest stay. The first of a
// week proves every row, the others the pages and the key. How one is made is handed in (a process of its own,
// cli/spawn-backup.ts), so that nobody who is served waits for it.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import {
  findNewest,
  findSurplus,
  isFirstOfWeek,
  listBackups,
  listPartial,
  nameBackup,
  newestBackup,
} from './backup-files.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { BackupFailure, BackupStatus } from './core/index.ts';
import { StoreRefusal } from './store/index.ts';
import { createTicking, type Ticking } from './ticking.ts';

/**
 * `everyMs`: between two, counted from when the newest in the folder was made. `keep`: how many stay (backup-files.ts).
 */
export type BackupSettings = NonNullable<Config['backups']>;

/** Makes a proven backup in this file, which does not exist; `isWhole`: with every row. Rejects with a sentence for the host. */
export type MakeBackup = (
  file: string,
  options: { isWhole: boolean; signal: AbortSignal },
) => Promise<ProvenBackup>;

/** `damagedRows`: rows that do not open, or contradict others; they are in the backup as they are. */
export interface ProvenBackup {
  proof: 'whole' | 'everyday';
  damagedRows: number;
}

/** The same, done when it returns; throws the sentence. */
export type MakeBackupNow = (file: string) => void;

export interface BackupParts {
  clock: Clock;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Throws with a sentence for the host. */
  make: MakeBackup;
}

export interface Backups extends Ticking {
  /** How they stand, for the host. */
  status(): BackupStatus;
}

const LOOKED_EVERY_MS = 60_000;
/** A failed one is tried again after this: a full disk may have room by then. */
const TRIED_AGAIN_MS = 15 * 60_000;

/** Nothing is made before `start`, and then the first within a minute where one is due. */
export function createBackups(settings: BackupSettings, parts: BackupParts): Backups {
  const giveUp = new AbortController();
  const last: LastAttempt = { failure: undefined, damagedRows: 0 };
  const tick = createTick(settings, parts, { signal: giveUp.signal, last });
  const ticking = createTicking(LOOKED_EVERY_MS, tick, (error) =>
    parts.log.error({ err: error }, 'the backups could not be looked after, it is tried again'),
  );
  return {
    start: () => ticking.start(),
    status: () => ({
      ...last,
      everyMs: settings.everyMs,
      newestAt: () => newestBackup(settings.folder, parts.clock.now()),
    }),
    async stop() {
      giveUp.abort();
      await ticking.stop();
    },
  };
}

/** What became of it; kept by each look. */
export type LastAttempt = Pick<BackupStatus, 'failure' | 'damagedRows'>;

/** One look: makes a backup where one is due, and removes what is more than enough. */
export function createTick(
  settings: BackupSettings,
  { clock, log, make }: BackupParts,
  { signal, last }: { signal: AbortSignal; last: LastAttempt },
): () => Promise<void> {
  const { folder, everyMs } = settings;
  // By elapsed time, so that a calendar that jumps neither repeats nor skips them.
  let notBefore = -Infinity;
  const logKept = (error: unknown, name: string) => log.error({ err: error, backup: name }, KEPT);

  return async () => {
    const now = clock.now();
    if (clock.elapsed() < notBefore) return;
    const file = join(folder, nameBackup(now));
    try {
      // A folder that cannot be read is a failure like any other.
      const newest = findNewest(folder, now);
      if (!isDue(newest?.at, everyMs, now)) return;
      makeReady(folder);
      // Before it, too: fewer are to be kept, perhaps, because the disk is full.
      const surplus = thinOut(settings, now, logKept);
      const { proof, damagedRows } = await make(file, { isWhole: isFirstOfWeek(folder, now), signal });
      notBefore = clock.elapsed() + everyMs;
      last.failure = null;
      // One that looks at no row has nothing to say of them.
      if (proof === 'whole') last.damagedRows = damagedRows;
      const removed = surplus + thinOut(settings, now, logKept);
      log.info({ backup: file, proof, removed }, 'a backup was made and proven');
      if (damagedRows > 0) log.error({ backup: file, damagedRows }, FLAWED);
    } catch (error) {
      // The service ends: that is no failure, and the next start makes it.
      if (signal.aborted) return;
      notBefore = clock.elapsed() + Math.min(everyMs, TRIED_AGAIN_MS);
      log.error({ err: error, backup: file }, 'no backup could be made, it is tried again');
      const sentence = error instanceof Error ? error.message : String(error);
      const reason = failureOf(sentence);
      last.failure = { sentence, ...(reason && { reason }) };
    }
  };
}

/**
 * Makes one before a newer program changes the database, since there is no other way back. Throws StoreRefusal where it
 * cannot be made: then nothing was changed, and the program of before still serves.
 */
export function backUpBeforeUpgrade(
  settings: BackupSettings,
  { clock, log, make }: Pick<BackupParts, 'clock' | 'log'> & { make: MakeBackupNow },
): void {
  const { folder } = settings;
  const now = clock.now();
  const file = join(folder, nameBackup(now, { isBeforeUpgrade: true }));
  log.info({ backup: file }, 'the database is of an earlier version: a backup is made before it is upgraded');
  try {
    makeReady(folder);
    make(file);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreRefusal(
      `The database is of an earlier version, and no backup could be made in BACKUP_FOLDER before the upgrade: ${reason} Mend that and start again. Nothing was changed: the version of before starts, too.`,
      { cause },
    );
  }
  thinOut(settings, now, (err, name) => log.error({ err, backup: name }, KEPT));
}

const KEPT = 'an old backup could not be removed';
const FLAWED =
  'the backup holds values that do not open, or rows that contradict each other, as the database does: `check` names them';

/** By the words of the system and of SQLite, which stand in those of the command; undefined for anything else. */
function failureOf(sentence: string): BackupFailure | undefined {
  if (/ENOSPC|EDQUOT|disk is full/.test(sentence)) return 'noRoom';
  // A program that could not be started is none of the folder's.
  if (/^(?!spawn ).*(EACCES|EPERM|EROFS|ENOENT|ENOTDIR)/.test(sentence)) return 'notWritable';
  return /is damaged|malformed|file is not a database/.test(sentence) ? 'damaged' : undefined;
}

function isDue(newest: number | undefined, everyMs: number, now: number): boolean {
  return newest === undefined || now - newest >= everyMs;
}

/** How many were removed. One that cannot be keeps none of the others, and is no failure of the one that was made. */
function thinOut(
  { folder, keep }: BackupSettings,
  now: number,
  onError: (error: unknown, name: string) => void,
): number {
  let removed = 0;
  for (const { name } of findSurplus(listBackups(folder), keep, now)) {
    try {
      rmSync(join(folder, name));
      removed += 1;
    } catch (error) {
      onError(error, name);
    }
  }
  return removed;
}

/** It is there, and nothing lies in it that was killed. */
function makeReady(folder: string): void {
  const killed = listPartial(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of killed) rmSync(join(folder, name), { recursive: true });
}
