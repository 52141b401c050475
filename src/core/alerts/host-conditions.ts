// The table of troubles that hosts are told of, once when one begins and once when it is over. To add one: a row here
// by its name, its words (alert-NAME, alert-NAME-over) in every language, and its line in docs/at-night.md, which
// has the same name. One that can be of several things at once, upstreams above all, has `readEach`.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts';
import type { AlertDetails, KnownToHost } from './known-to-host.ts';

/** Facts where it is so; undefined where nobody can tell now, so that nothing changes. */
export type AlertReading = AlertDetails | false | undefined;

interface Patience {
  /** It is read no more often. Every second, unless said otherwise. */
  everyMs?: number;
  /** It must be so for so long before it is told, and be over for so long. */
  begunAfterMs: number;
  overAfterMs: number;
  /**
   * `directly`: past the database, which takes nothing while it lasts; `inTheEnd`: Telegram takes nothing meanwhile.
   * Else by a notice, as everything is that is over.
   */
  begunIsTold?: 'directly' | 'inTheEnd';
}

export type HostCondition = Patience &
  (
    | { read(known: KnownToHost): AlertReading | Promise<AlertReading> }
    /**
     * What it is so of, and facts of each. One that was told (`told`: the alerts of this condition) and is not in there
     * is over.
     */
    | { readEach(known: KnownToHost, told: readonly HostAlert[]): Readonly<Record<string, AlertDetails>> }
  );

const SECOND_MS = 1_000;
const OLD_DOUBT_MS = 15 * MINUTE_MS;
const LEAST_BYTES = 2e9;
const LEAST_SHARE = 0.1;
/** What is low is over once there is so much more than that. */
const MARGIN = 1.1;
const GIGABYTE = 1e9;

export const HOST_CONDITIONS = {
  'platform-unreachable': {
    read: async ({ isPlatformReachable }) => ((await isPlatformReachable()) ? false : {}),
    ...{ everyMs: 30 * SECOND_MS, begunAfterMs: 5 * MINUTE_MS, overAfterMs: MINUTE_MS },
  },
  'upstream-refusing': {
    readEach: ({ listRefusals }, told) => listRefusals(told),
    ...{ begunAfterMs: 0, overAfterMs: 0 },
  },
  'upstream-resting': {
    readEach: ({ listResting }) =>
      Object.fromEntries(
        listResting().map(({ name: upstream, since = 0 }) => [upstream, { upstream, restsAt: since }]),
      ),
    ...{ begunAfterMs: 0, overAfterMs: 5 * MINUTE_MS },
  },
  'upstream-none': {
    readEach: ({ listUnserved }) => Object.fromEntries(listUnserved().map((game) => [game, { game }])),
    ...{ begunAfterMs: 0, overAfterMs: HOUR_MS },
  },
  'upstream-unread': {
    readEach: ({ listUnread }) =>
      Object.fromEntries(listUnread().map((upstream) => [upstream, { upstream }])),
    ...{ begunAfterMs: 0, overAfterMs: 0 },
  },
  'doubt-old': {
    read({ oldestDoubt, safeNow }) {
      const doubtedAt = oldestDoubt();
      return doubtedAt !== undefined && safeNow() - doubtedAt >= OLD_DOUBT_MS && { doubtedAt };
    },
    ...{ everyMs: 5 * SECOND_MS, begunAfterMs: 0, overAfterMs: MINUTE_MS },
  },
  'database-unwritable': {
    read: ({ isWritable, isInPlace }) => (isInPlace() ? !isWritable() && {} : undefined),
    ...{ begunAfterMs: 0, overAfterMs: MINUTE_MS, begunIsTold: 'directly' },
  },
  'database-moved': {
    read: ({ isInPlace }) => !isInPlace() && {},
    ...{ begunAfterMs: 0, overAfterMs: 0, begunIsTold: 'directly' },
  },
  'disk-low': {
    async read({ readRoom }) {
      const rooms = await readRoom();
      const lowBy = (factor: number) =>
        rooms.find(({ free, total }) => free < LEAST_BYTES * factor || free < total * LEAST_SHARE * factor);
      const low = lowBy(1);
      if (low) return { folder: low.folder, gigabytes: (low.free / GIGABYTE).toFixed(1) };
      return lowBy(MARGIN) || rooms.length === 0 ? undefined : false;
    },
    ...{ everyMs: 30 * SECOND_MS, begunAfterMs: 5 * MINUTE_MS, overAfterMs: 5 * MINUTE_MS },
  },
  'token-contested': {
    read: ({ standing }) => toReading(standing(), 'contested'),
    ...{ begunAfterMs: 0, overAfterMs: 90 * SECOND_MS },
  },
  'token-revoked': {
    read: ({ standing }) => toReading(standing(), 'revoked'),
    ...{ begunAfterMs: 0, overAfterMs: 0, begunIsTold: 'inTheEnd' },
  },
  'bot-start-failed': {
    read: ({ standing }) => toReading(standing(), 'failed'),
    ...{ begunAfterMs: 0, overAfterMs: 0, begunIsTold: 'inTheEnd' },
  },
  'backup-failing': {
    read({ readBackups }) {
      const failure = readBackups()?.failure;
      if (failure === undefined) return undefined;
      return failure !== null && failure.reason !== 'damaged' && { ...failure };
    },
    ...{ begunAfterMs: 0, overAfterMs: 0 },
  },
  'backup-too-old': {
    read({ readBackups, safeNow }) {
      const status = readBackups();
      const newestAt = status?.newestAt();
      if (status === undefined || newestAt === undefined) return undefined;
      return safeNow() - newestAt > 2 * status.everyMs && { newestAt };
    },
    ...{ everyMs: MINUTE_MS, begunAfterMs: HOUR_MS, overAfterMs: 0 },
  },
  'database-damaged': {
    read({ readBackups, hasCheckFoundDamage }) {
      const status = readBackups();
      if (hasCheckFoundDamage() === true) return {};
      // The process has made no backup yet that could tell.
      if (status && status.failure === undefined) return undefined;
      return status !== undefined && (status.damagedRows > 0 || status.failure?.reason === 'damaged') && {};
    },
    ...{ everyMs: 5 * SECOND_MS, begunAfterMs: 0, overAfterMs: 0 },
  },
  'unclean-end': {
    read: ({ takeUncleanEnd }) => takeUncleanEnd() ?? false,
    ...{ begunAfterMs: 0, overAfterMs: 10 * MINUTE_MS },
  },
  restored: {
    read({ lost, isRestoreTold, hasOpenSweep, safeNow }) {
      // A stock that nobody sells from is never asked about.
      const isOver = () => !hasOpenSweep() || safeNow() - (lost?.until ?? 0) >= DAY_MS;
      if (!lost || (isRestoreTold() && isOver())) return false;
      return { knownAt: lost.asOf, restoredAt: lost.until };
    },
    ...{ everyMs: MINUTE_MS, begunAfterMs: 0, overAfterMs: MINUTE_MS },
  },
  'clock-jumped': {
    read({ takeClockJumpMs }) {
      const ms = takeClockJumpMs();
      if (Math.abs(ms) < MINUTE_MS) return false;
      return { minutes: String(Math.round(Math.abs(ms) / MINUTE_MS)), way: ms > 0 ? 'forward' : 'back' };
    },
    ...{ begunAfterMs: 0, overAfterMs: HOUR_MS },
  },
} as const satisfies Record<string, HostCondition>;

export type HostAlertName = keyof typeof HOST_CONDITIONS;

/** One that has begun. `of`: what it is of, where it can be of several things; `since`: ms UTC. */
export interface HostAlert {
  name: HostAlertName;
  of?: string;
  since: number;
  facts: AlertDetails;
}

/** While Telegram cannot be reached nobody can tell. */
function toReading(standing: string | undefined, trouble: string): AlertReading {
  if (standing === trouble) return {};
  return standing === undefined || ['starting', 'unreachable'].includes(standing) ? undefined : false;
}
