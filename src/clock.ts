// The clock, injected: nothing of the product reads the machine's clock by itself, so that tests can move it. Beside
// the calendar, which may be wrong for a minute or corrected, two scales that no jump of it moves: ages (the quota's
// window, how long a key is kept) are measured in monotonic time; dates that people were told, and what is forgotten
// when it is old, are over in safe time.
import { uptime } from 'node:os';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export interface Clock {
  /** Milliseconds since 1970 UTC, as an integer. May jump and go back; nothing may rely on it only growing. */
  now(): number;
  /**
   * Milliseconds since some moment, only growing: for how long something took, whatever the calendar does. Counts also
   * while the machine is suspended.
   */
  elapsed(): number;
}

export interface CoreClock extends Clock {
  /**
   * Only growing, suspends included, and the same scale in every process over a database: a calendar that is corrected
   * while one lives changes the age of nothing. Integer milliseconds, about the calendar's as a rule.
   */
  monotonicNow(): number;
  /** What it said when this process began. */
  begunAt: number;
  /** What is over by it is over by the calendar and by the time since the start. */
  safeNow(): number;
  /**
   * By how much the calendar is ahead of the monotonic scale: kept, so that the next process goes on where this one is.
   */
  calendarAheadMs(): number;
}

/** One moment on all scales. */
export type Moment = Record<'now' | 'monotonicNow' | 'safeNow', number>;

/** Where the monotonic scale goes on. */
export interface MonotonicScale {
  calendarAheadMs: number;
  /** What it has reached already. */
  notBefore: number;
}

const BEGINNING: MonotonicScale = { calendarAheadMs: 0, notBefore: 0 };

export function createCoreClock(clock: Clock, from: MonotonicScale = BEGINNING): CoreClock {
  const { now, elapsed } = clock;
  const start = Math.max(now() - from.calendarAheadMs, from.notBefore) - elapsed();
  const monotonicNow = () => Math.floor(start + elapsed());
  return {
    now,
    elapsed,
    monotonicNow,
    begunAt: monotonicNow(),
    safeNow: createSafeNow(clock),
    calendarAheadMs: () => now() - monotonicNow(),
  };
}

export function momentOf({ now, monotonicNow, safeNow }: CoreClock): Moment {
  return { now: now(), monotonicNow: monotonicNow(), safeNow: safeNow() };
}

/** Safe time in integer milliseconds: a calendar that jumps forward ends nothing. */
export function createSafeNow({ now, elapsed }: Clock): () => number {
  const startedAt = now() - elapsed();
  return () => Math.min(now(), Math.floor(startedAt + elapsed()));
}

/** By how much another clock is ahead of ours, where it is known what it says. */
export const aheadOf = ({ now }: Clock, other: number | undefined): number | undefined =>
  other === undefined ? undefined : other - now();

/** Milliseconds that this process has run, suspends left out: for what takes moments. */
export const runTime = (): number => performance.now();

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: createElapsed(runTime, () => uptime() * 1000),
};

/** Uptime may be told in whole seconds: only what it ran ahead by more than this was a suspend. */
const SUSPEND_MS = 2_000;
/** Uptime is read from a file: not at every call. A suspend is noticed this much after waking. */
const ASKED_EVERY_MS = 1_000;

/**
 * Time as `monotonic` counts it, corrected where `uptime` ran ahead. On Linux the monotonic clock, which is fine,
 * stands still during a suspend, and uptime, which is coarse, does not. Both in milliseconds; first read at the first
 * call.
 */
export function createElapsed(monotonic: () => number, uptimeMs: () => number): () => number {
  let ahead: number | undefined;
  let suspendedMs = 0;
  let askAt = 0;
  return () => {
    const running = monotonic();
    if (running >= askAt || ahead === undefined) {
      askAt = running + ASKED_EVERY_MS;
      const nowAhead = uptimeMs() - running;
      ahead ??= nowAhead;
      if (nowAhead - ahead - suspendedMs > SUSPEND_MS) suspendedMs = nowAhead - ahead;
    }
    return running + suspendedMs;
  };
}

/** A clock that stands still until told. `set` moves the calendar alone; `advance` lets time pass. */
export interface ManualClock extends Clock {
  set(now: number): void;
  advance(ms: number): void;
}

export function createManualClock(start: number): ManualClock {
  let current = start;
  let elapsed = 0;
  return {
    now: () => current,
    elapsed: () => elapsed,
    set: (now) => void (current = now),
    advance(ms) {
      current += ms;
      elapsed += ms;
    },
  };
}
