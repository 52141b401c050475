// Backups that happen by themselves: one every so many hours into a folder, the oldest removed after a new one is proven.
// How one is made is handed in (a process of its own, cli/spawn-backup.ts), so that nobody who is served waits for it.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { BackupFailure } from './core/index.ts';
import { createTicking, type Ticking } from './ticking.ts';

/** `everyMs`: between two, counted from when the newest in the folder was made. `keep`: how many stay. */
export type BackupSettings = NonNullable<Config['backups']>;

export interface BackupParts {
  clock: Clock;
  log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Makes a proven backup in this file, which does not exist; throws with a sentence for the host. */
  make: (file: string, signal: AbortSignal) => Promise<void>;
  /** Told once when backups begin to fail, and again only after one has gone through. */
  tellFailure: (sentence: string, reason?: BackupFailure) => Promise<void>;
}

export type Backups = Ticking;

const LOOKED_EVERY_MS = 60_000;
/** A failed one is tried again after this: a full disk may have room by then. */
const TRIED_AGAIN_MS = 15 * 60_000;
const NAME = /^redemption-(\d{4})-(\d\d)-(\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;
/** What one that was killed leaves. */
const PARTIAL = /^redemption-[\dTZ-]+\.db\.partial-/;

/** Nothing is made before `start`, and then the first within a minute where one is due. */
export function createBackups(settings: BackupSettings, parts: BackupParts): Backups {
  const giveUp = new AbortController();
  const tick = createTick(settings, parts, giveUp.signal);
  const ticking = createTicking(LOOKED_EVERY_MS, tick, (error) =>
    parts.log.error({ err: error }, 'the backups could not be looked after, it is tried again'),
  );
  return {
    start: () => ticking.start(),
    async stop() {
      giveUp.abort();
      await ticking.stop();
    },
  };
}

/** One look: makes a backup where one is due, and removes what is more than enough. */
export function createTick(
  { folder, everyMs, keep }: BackupSettings,
  { clock, log, make, tellFailure }: BackupParts,
  signal: AbortSignal,
): () => Promise<void> {
  // By elapsed time, so that a calendar that jumps neither repeats nor skips them.
  let notBefore = -Infinity;
  let isFailing = false;

  return async () => {
    const now = clock.now();
    if (clock.elapsed() < notBefore) return;
    const file = join(folder, nameBackup(now));
    try {
      // A folder that cannot be read is a failure like any other.
      if (!isDue(newestBackup(folder, now), everyMs, now)) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removePartial(folder);
      await make(file, signal);
      notBefore = clock.elapsed() + everyMs;
      isFailing = false;
      const removed = thinOut(folder, keep, now, (error, name) =>
        log.error({ err: error, backup: name }, 'an old backup could not be removed'),
      );
      log.info({ backup: file, removed }, 'a backup was made and proven');
    } catch (error) {
      // The service ends: that is no failure, and the next start makes it.
      if (signal.aborted) return;
      notBefore = clock.elapsed() + Math.min(everyMs, TRIED_AGAIN_MS);
      log.error({ err: error, backup: file }, 'no backup could be made, it is tried again');
      if (isFailing) return;
      isFailing = true;
      const sentence = error instanceof Error ? error.message : String(error);
      await tellFailure(sentence, failureOf(sentence));
    }
  };
}

/** By the words of the system and of SQLite, which stand in those of the command; undefined for anything else. */
function failureOf(sentence: string): BackupFailure | undefined {
  if (/ENOSPC|EDQUOT|disk is full/.test(sentence)) return 'noRoom';
  // A program that could not be started is none of the folder's.
  if (/^(?!spawn ).*(EACCES|EPERM|EROFS|ENOENT|ENOTDIR)/.test(sentence)) return 'notWritable';
  return /is damaged|malformed/.test(sentence) ? 'damaged' : undefined;
}

/**
 * When the newest backup of the folder was made, by its name; undefined where there is none. One of the future comes from a calendar
 * that was wrong: it proves nothing.
 */
export function newestBackup(folder: string, now: number): number | undefined {
  const newest = momentOf(listBackups(folder, now).at(-1));
  return newest !== undefined && newest <= now ? newest : undefined;
}

function isDue(newest: number | undefined, everyMs: number, now: number): boolean {
  return newest === undefined || now - newest >= everyMs;
}

function nameBackup(now: number): string {
  return `redemption-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;
}

function momentOf(name: string | undefined): number | undefined {
  const parts = name === undefined ? null : NAME.exec(name);
  if (!parts) return undefined;
  const [year = 0, month = 0, ...rest] = parts.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...(rest as [number, number, number, number]));
}

/**
 * Their names, oldest first; those of the future before all others, since whatever the calendar said, they were made before now.
 * Nothing else in the folder is ever touched.
 */
function listBackups(folder: string, now: number): string[] {
  const isOfTheFuture = (name: string) => (momentOf(name) ?? 0) > now;
  try {
    const names = readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort();
    return [...names.filter(isOfTheFuture), ...names.filter((name) => !isOfTheFuture(name))];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** How many were removed. One that cannot be keeps none of the others, and is no failure of the one that was made. */
function thinOut(
  folder: string,
  keep: number,
  now: number,
  onError: (error: unknown, name: string) => void,
): number {
  let removed = 0;
  for (const name of listBackups(folder, now).slice(0, -keep)) {
    try {
      rmSync(join(folder, name));
      removed += 1;
    } catch (error) {
      onError(error, name);
    }
  }
  return removed;
}

function removePartial(folder: string): void {
  for (const name of readdirSync(folder))
    if (PARTIAL.test(name)) rmSync(join(folder, name), { recursive: true });
}
