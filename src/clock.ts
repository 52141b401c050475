// Time, injected: nothing of the product reads the machine's clock by itself, so that tests can move it.

export interface Clock {
  /** Milliseconds since 1970 UTC, as an integer. May jump and go back; nothing may rely on it only growing. */
  now(): number;
  /** Milliseconds since some moment, only growing: for how long something took, whatever the calendar does. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

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
