// Two scales of time. The calendar is what people are shown and promised; it may be wrong for a minute, or corrected. What the
// core decides by age (the quota's window, how long a key is kept) goes by a scale of its own, which never jumps.
import type { Clock } from '../clock.ts';

export interface CoreClock extends Clock {
  /** The calendar of the core's creation and the time since, suspends included: only growing. Integer milliseconds, as `now`. */
  steadyNow(): number;
}

/** One moment on both scales. */
export interface Moment {
  /** As the calendar has it. */
  now: number;
  steadyNow: number;
}

/** Begins the steady scale at what the calendar says at this moment. */
export function createCoreClock({ now, elapsed }: Clock): CoreClock {
  const start = now() - elapsed();
  return { now, elapsed, steadyNow: () => Math.floor(start + elapsed()) };
}

export function momentOf(clock: CoreClock): Moment {
  return { now: clock.now(), steadyNow: clock.steadyNow() };
}

/** What is over by this moment is over on both scales: for ends that people were told as a date. */
export function earlierOf({ now, steadyNow }: Moment): number {
  return Math.min(now, steadyNow);
}
