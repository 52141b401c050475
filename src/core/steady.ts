// Clock discipline: beside the calendar, which may be wrong for a minute or corrected, two scales that no jump of it moves. Ages (the
// quota's window, how long a key is kept) are measured on a steady scale that goes on from one process to the next; dates that people
// were promised are over when the calendar and the time since the start both say so.
import type { Clock } from '../clock.ts';
import type { Store } from '../store/index.ts';
import { WINDOW_MS } from './window.ts';

export interface CoreClock extends Clock {
  /**
   * Only growing, suspends included, and the same scale in every process over a database: a calendar that is corrected while one
   * lives changes the age of nothing. Integer milliseconds, about the calendar's as a rule.
   */
  steadyNow(): number;
  /** What it said when this process began. */
  begunAt: number;
  /** The calendar of the start and the time since. */
  datedNow(): number;
  /** By how much the calendar is ahead of the steady scale: kept, so that the next process goes on where this one is. */
  calendarAheadMs(): number;
}

/** One moment on all scales. */
export interface Moment {
  /** As the calendar has it. */
  now: number;
  steadyNow: number;
  datedNow: number;
}

/** Where the steady scale goes on. */
export interface SteadyScale {
  calendarAheadMs: number;
  /** What it has reached already. */
  notBefore: number;
}

const BEGINNING: SteadyScale = { calendarAheadMs: 0, notBefore: 0 };
/** What the calendar is slewed by is kept, too, before it adds up. */
const KEPT_FROM_MS = 1_000;

export function createCoreClock({ now, elapsed }: Clock, from: SteadyScale = BEGINNING): CoreClock {
  const start = Math.max(now() - from.calendarAheadMs, from.notBefore) - elapsed();
  const dated = now() - elapsed();
  const steadyNow = () => Math.floor(start + elapsed());
  const datedNow = () => Math.floor(dated + elapsed());
  return {
    now,
    elapsed,
    steadyNow,
    begunAt: steadyNow(),
    datedNow,
    calendarAheadMs: () => now() - steadyNow(),
  };
}

/** The clock over a database, as the processes before left it. */
export function openCoreClock(store: Pick<Store, 'read'>, clock: Clock): CoreClock {
  const { calendarAheadMs, newestStart } = store.read(({ quota }) => quota.readScale());
  return createCoreClock(clock, { calendarAheadMs, notBefore: newestStart + WINDOW_MS });
}

/** Keeps where the steady scale is, whenever the calendar has moved against it. What waited for a person by the old one is asked about again. */
export function createScaleKeeping({
  store,
  clock,
}: {
  store: Store;
  clock: CoreClock;
}): () => Promise<void> {
  let kept: number | undefined;
  return async () => {
    kept ??= store.read(({ quota }) => quota.readScale().calendarAheadMs);
    const ahead = clock.calendarAheadMs();
    if (Math.abs(ahead - kept) < KEPT_FROM_MS) return;
    await store.write(({ quota, doubts }) => {
      quota.keepScale(ahead);
      doubts.makeHeldDue(clock.now());
    });
    kept = ahead;
  };
}

export function momentOf(clock: CoreClock): Moment {
  return { now: clock.now(), steadyNow: clock.steadyNow(), datedNow: clock.datedNow() };
}

/** What is over by this moment is over by the calendar and by the time since the start: for ends that people were told as a date. */
export function earlierOf({ now, datedNow }: Pick<Moment, 'now' | 'datedNow'>): number {
  return Math.min(now, datedNow);
}

/** By how much another clock is ahead of ours, where it is known what it says. */
export const aheadOf = ({ now }: Clock, other: number | undefined): number | undefined =>
  other === undefined ? undefined : other - now();
