// Time, injected: nothing of the product reads the machine's clock by itself, so that tests can move it.
import { uptime } from 'node:os';

export interface Clock {
  /** Milliseconds since 1970 UTC, as an integer. May jump and go back; nothing may rely on it only growing. */
  now(): number;
  /**
   * Milliseconds since some moment, only growing: for how long something took, whatever the calendar does. Counts also while
   * the machine is suspended.
   */
  elapsed(): number;
}

/**
 * Safe time, for what is forgotten or given up when it is old: what is over by it is over by the calendar and by the time since
 * the start, so that a calendar that jumps forward ends nothing. Integer milliseconds.
 */
export function createSafeNow({ now, elapsed }: Clock): () => number {
  const startedAt = now() - elapsed();
  return () => Math.min(now(), Math.floor(startedAt + elapsed()));
}

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
 * Time as `monotonic` counts it, corrected where `uptime` ran ahead. On Linux the monotonic clock, which is fine, stands
 * still during a suspend, and uptime, which is coarse, does not. Both in milliseconds; first read at the first call.
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
