// Whether a database may be served: it is no backup, no older file than it was and no copy, and was used with the
// platform of the settings.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import type { Database as Connection } from 'better-sqlite3';

import { hasTable, openReader, readNumber } from './connection.ts';
import { isElsewhere } from './home.ts';
import { deleteMeta, readMeta, writeMeta } from './meta.ts';
import { StoreRefusal } from './refusal.ts';
import { findNewerTime } from './sidecar.ts';
import { assertSameUpstreams, markUpstreams, type UpstreamIdentities } from './upstream-names.ts';

const PLATFORM = 'platform';
const BACKED_UP_AT = 'backed_up_at';
const STOPPED_AT = 'stopped_at';

/** Whom the settings name: the sandbox or services, and each upstream by its name. */
export interface PlatformIdentity {
  platform: string;
  upstreams: UpstreamIdentities;
}

/**
 * Throws StoreRefusal with what to do; changes nothing, and passes where there is no database yet. `settings`: whom
 * they name; left out where nobody is asked anything.
 */
export function assertOwn(path: string, settings: PlatformIdentity | undefined): void {
  if (!existsSync(path)) return;
  assertAlone(path);
  const connection = openReader(path);
  try {
    // One without tables is as good as none.
    if (!hasTable(connection, 'meta')) return;
    assertNewest(connection, path);
    if (isElsewhere(connection, path)) throw new StoreRefusal(formatCopy(path, findStop(connection, path)));
    if (settings === undefined) return;
    const { platform, upstreams } = settings;
    const used = findOtherPlatform(connection, platform);
    if (used !== undefined) throw new StoreRefusal(formatPlatform(path, used, platform));
    assertSameUpstreams(connection, path, upstreams);
  } finally {
    connection.close();
  }
}

/** Throws StoreRefusal for a backup that lies beside the log of another. Call it before anything opens the file. */
export function assertAlone(path: string): void {
  if (isBesideForeignLog(path))
    throw new StoreRefusal(formatByHand(path, `${path}-wal is of another database`));
}

/** Throws StoreRefusal for a backup, and for a file that is older than it was. */
export function assertNewest(connection: Connection, path: string): void {
  const madeAt = readBackedUpAt(connection);
  if (madeAt !== undefined) throw new StoreRefusal(formatByHand(path, `it was made at ${isoOf(madeAt)}`));
  const newerAt = findNewerTime(connection, path);
  if (newerAt !== undefined) throw new StoreRefusal(formatOlder(path, newerAt));
}

/** When a backup was made; undefined of a file that is none. A restore makes a database of it. */
export const readBackedUpAt = (connection: Connection) => readTime(connection, BACKED_UP_AT);

/** Lets a backup know when it was made: what is removed leaves no entry by which it could be told. */
export function markBackup(connection: Connection, now: number): void {
  writeMeta(connection, BACKED_UP_AT, String(now));
}

export function unmarkBackup(connection: Connection): void {
  deleteMeta(connection, BACKED_UP_AT);
}

/** When the service on it ended by itself; undefined while it is served, and after a kill. */
export const readStoppedAt = (connection: Connection) => readTime(connection, STOPPED_AT);

/** The same of what lies there as a whole: a stop leaves no log, and one that is there is of another time, or file. */
export const findStop = (connection: Connection, path: string) =>
  hasLog(path) ? undefined : readStoppedAt(connection);

export function markStopped(connection: Connection, now: number): void {
  writeMeta(connection, STOPPED_AT, String(now));
}

/** It is served from now on: whether it was stopped before. */
export const unmarkStopped = (connection: Connection): boolean => deleteMeta(connection, STOPPED_AT);

function readTime(connection: Connection, key: string): number | undefined {
  const value = readMeta(connection, key);
  return value === undefined ? undefined : Number(value);
}

/** Whom a database was used with; undefined where it was with nobody. */
export const readPlatform = (connection: Connection): string | undefined => readMeta(connection, PLATFORM);

/** From now on it is theirs. */
export function markPlatform(connection: Connection, { platform, upstreams }: PlatformIdentity): void {
  writeMeta(connection, PLATFORM, platform);
  markUpstreams(connection, upstreams);
}

/** Services of a file: each is known by its name. */
export const UPSTREAMS = 'upstreams';

/**
 * One that holds no code and has ordered nothing is anybody's still: whoever tries out settings is not asked about it.
 */
function findOtherPlatform(connection: Connection, platform: string): string | undefined {
  const used = readPlatform(connection);
  if (used === undefined || used === platform) return undefined;
  if ([used, platform].includes(UPSTREAMS) && [used, platform].every((each) => each.startsWith('upstream')))
    return undefined;
  const isUsed = ['codes', 'redemptions'].some(
    (table) => hasTable(connection, table) && readNumber(connection, `select 1 from ${table} limit 1`) === 1,
  );
  return isUsed ? used : undefined;
}

/** A backup is in one file, and says so in its head; SQLite would read the pages of any log that lies beside it. */
export function isBesideForeignLog(path: string): boolean {
  if (!hasLog(path)) return false;
  const head = Buffer.alloc(20);
  const file = openSync(path, 'r');
  try {
    return readSync(file, head, 0, 20, 0) === 20 && head[18] === 1 && head[19] === 1;
  } finally {
    closeSync(file);
  }
}

/** Whoever reads a file leaves an empty one beside it. */
const hasLog = (path: string): boolean => (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;

const isoOf = (at: number) => new Date(at).toISOString();

/** Takes the file out of the way with its log, and restores it. */
function formatRestore(path: string, suffix: string): string {
  const aside = `${path}.${suffix}`;
  const log = hasLog(path) ? ` && mv ${path}-wal ${aside}-wal` : '';
  return `\`mv ${path} ${aside}${log}\`, then \`redemption restore ${aside}\``;
}

const formatByHand = (path: string, why: string) =>
  `${path} is a backup that was put there by hand (${why}): codes that were used since would be used again. Put it in place with \`restore\`: \`mv ${path} ${path}.backup\`, then \`redemption restore ${path}.backup\`. Nothing was changed.`;

const formatOlder = (path: string, newerAt: number) =>
  `${path} is older than it was: it lacks something that was in it at ${isoOf(newerAt)} (${path}.state). Codes that were used since would be used again. Put the newest one back; where there is none any more: ${formatRestore(path, 'older')}. Nothing was changed.`;

function formatCopy(path: string, stoppedAt: number | undefined): string {
  const restore = formatRestore(path, 'copy');
  const advice =
    stoppedAt === undefined
      ? `It was made of one that was not stopped, and codes that were used since would be used again. Serve the file itself; where that is gone: ${restore}.`
      : `It was stopped at ${isoOf(stoppedAt)}. Where nothing was served of it since, and never will be elsewhere: \`redemption adopt\`. Where it was: ${restore}.`;
  return `${path} is a copy of the database, not the file that was served. ${advice} Nothing was changed.`;
}

const formatPlatform = (path: string, used: string, now: string) =>
  `${path} was used with the platform ${used}, and the settings name ${now}: what is in doubt can be settled by nobody else. Set PLATFORM and UPSTREAM_URL right (is .env where it was?). Where it is to go on with ${now}: \`redemption platform adopt\`. Nothing was changed.`;
