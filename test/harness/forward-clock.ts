// A clock for whole services: it runs with the machine's, and can be moved forward, so that long waits need no waiting.
import { systemClock, type Clock } from '../../src/clock.ts';

export interface ForwardClock extends Clock {
  /** As if this much time had passed at once. Timers do not notice; move it while nothing waits for one. */
  advance(ms: number): void;
}

export function createForwardClock(): ForwardClock {
  let ahead = 0;
  return {
    now: () => systemClock.now() + ahead,
    elapsed: () => systemClock.elapsed() + ahead,
    advance(ms) {
      if (ms < 0) throw new RangeError('This clock only moves forward.');
      ahead += ms;
    },
  };
}
