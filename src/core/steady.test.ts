// The scale that never jumps, beside the calendar.
import { expect, test } from 'vitest';

import { createManualClock } from '../clock.ts';
import { createCoreClock, earlierOf, momentOf } from './steady.ts';

test('goes on from the calendar of the start, whatever becomes of the calendar', () => {
  const manual = createManualClock(1_000_000);
  manual.advance(500);
  const clock = createCoreClock(manual);
  expect(momentOf(clock)).toEqual({ now: 1_000_500, steadyNow: 1_000_500 });
  manual.advance(70);
  manual.set(2_000_000);
  expect(momentOf(clock)).toEqual({ now: 2_000_000, steadyNow: 1_000_570 });
  manual.set(3);
  expect(momentOf(clock)).toEqual({ now: 3, steadyNow: 1_000_570 });
  expect(clock.elapsed()).toBe(570);
});

test('is told in whole milliseconds', () => {
  let elapsed = 0.25;
  const clock = createCoreClock({ now: () => 1_000, elapsed: () => elapsed });
  elapsed = 10.9;
  expect(clock.steadyNow()).toBe(1_010);
});

test('what is over by the earlier of both is over on both', () => {
  expect([earlierOf({ now: 5, steadyNow: 9 }), earlierOf({ now: 9, steadyNow: 5 })]).toEqual([5, 5]);
});
