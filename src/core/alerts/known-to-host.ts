// What the conditions of host alerts are read from: what the core knows, and what the program around it hands in.
import type { CoreClock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import type { Health } from '../health.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

/** What is told of a trouble: moments in ms UTC by names that end with `At`, and what is said as it is. */
export type AlertDetails = Readonly<Record<string, string | number>>;

/** Why there is no backup: no room; its folder may not be written, or is not there; the database is damaged. */
export type BackupFailure = 'noRoom' | 'notWritable' | 'damaged';

/** What only the program around the core knows; what it does not have is left out. */
export interface Surroundings {
  /** How the bot stands with Telegram. */
  standing?: () => string | undefined;
  /** Of each folder that the service writes to. */
  readRoom?: () => Promise<DiskRoom[]>;
  readBackups?: () => BackupStatus | undefined;
  /** By the last `check`; undefined where none was made. */
  hasCheckFoundDamage?: () => boolean | undefined;
  /** Since when hosts know that nothing can be written, of a process before; ms UTC. */
  unwritableSince?: number | undefined;
  /** Keeps that past the database; undefined: it is over, or the database has it. */
  markUnwritable?: (since: number | undefined) => void;
}

/** In bytes. */
export interface DiskRoom {
  folder: string;
  /** What the service may still use. */
  free: number;
  total: number;
}

/**
 * `newestAt`: in ms UTC; throws where it cannot be read. `failure`: of the last attempt, null where it went through;
 * undefined: none yet.
 */
export interface BackupStatus {
  newestAt(): number | undefined;
  everyMs: number;
  failure: { sentence: string; reason?: BackupFailure } | null | undefined;
  /** Rows of the last one that do not open, or contradict others. */
  damagedRows: number;
}

export type KnownToHost = ReturnType<typeof gatherKnown>;

export interface KnownDeps extends Surroundings {
  store: Store;
  clock: CoreClock;
  health: Pick<Health, 'platformReachable'>;
  /** What upstreams refuse us (refusals.ts), by what it is of; `told`: what hosts know of. */
  refusals: {
    list(told: readonly { of?: string; facts: AlertDetails }[]): Readonly<Record<string, AlertDetails>>;
    listUnread(): string[];
  };
  upstreams: Pick<Upstreams, 'list' | 'listUnserved'>;
  /** How many redemptions the process before left open. */
  countRecovered: () => number;
}

export function gatherKnown(deps: KnownDeps, isRestoreTold: () => boolean) {
  const { store, clock, health, countRecovered } = deps;
  let uncleanEnd = store.uncleanEnd;
  let aheadMs = clock.calendarAheadMs();
  return {
    safeNow: clock.safeNow,
    isPlatformReachable: health.platformReachable,
    listRefusals: deps.refusals.list,
    listUnread: deps.refusals.listUnread,
    listUnserved: deps.upstreams.listUnserved,
    listResting: () => deps.upstreams.list().filter(({ state }) => state === 'resting'),
    oldestDoubt: () => store.read(({ doubts }) => doubts.oldestAt()),
    isWritable: store.isWritable,
    isInPlace: store.isInPlace,
    readRoom: deps.readRoom ?? (() => Promise.resolve([])),
    standing: deps.standing ?? (() => undefined),
    readBackups: deps.readBackups ?? (() => undefined),
    hasCheckFoundDamage: deps.hasCheckFoundDamage ?? (() => undefined),
    lost: store.lost,
    isRestoreTold,
    hasOpenSweep: () => store.read(({ takeover }) => takeover.hasOpenSweep()),
    /** Once. */
    takeUncleanEnd(): AlertDetails | undefined {
      if (!uncleanEnd) return undefined;
      const { aliveAt } = uncleanEnd;
      uncleanEnd = undefined;
      return { ...(aliveAt !== undefined && { aliveAt }), backAt: clock.now(), count: countRecovered() };
    },
    /** By how much the calendar has moved against the time that passed, since this was asked last. */
    takeClockJumpMs(): number {
      const before = aheadMs;
      aheadMs = clock.calendarAheadMs();
      return aheadMs - before;
    },
  };
}
