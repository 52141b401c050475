// So many of each within any minute.
import { expect, test } from 'vitest';

import { createManualClock } from '../clock.ts';
import { createMinuteLimit } from './minute-limit.ts';

const MINUTE_MS = 60_000;

test('counts so many within any minute, and tells after how long one more would be', () => {
  const clock = createManualClock(1_000);
  const limit = createMinuteLimit({ clock, most: 2 });
  expect(limit.count(1)).toBe(0);
  clock.advance(10_000);
  expect([limit.count(1), limit.count(1), limit.count(1)]).toEqual([0, 50_000, 50_000]);
  expect(limit.count(2)).toBe(0);
  clock.advance(49_999);
  expect(limit.count(1)).toBe(1);
  clock.advance(1);
  // The first is forgotten, the second counts for ten more seconds.
  expect([limit.count(1), limit.count(1)]).toEqual([0, 10_000]);
  clock.advance(10_000);
  expect([limit.count(1), limit.count(1)]).toEqual([0, 50_000]);
});

test('goes by elapsed time: a calendar that jumps frees nobody', () => {
  const clock = createManualClock(1_000);
  const limit = createMinuteLimit({ clock, most: 1 });
  limit.count(1);
  clock.set(1_000 + 10 * MINUTE_MS);
  expect(limit.count(1)).toBe(MINUTE_MS);
});

test('remembers ten thousand, and forgets the one that was counted longest ago', () => {
  const limit = createMinuteLimit({ clock: createManualClock(1_000), most: 2 });
  for (let id = 1; id <= 10_000; id += 1) limit.count(id);
  expect(limit.count(1)).toBe(0);
  expect(limit.count(1)).toBe(MINUTE_MS);
  // One more: the second is forgotten, since the first was counted again.
  limit.count(10_001);
  expect([limit.count(2), limit.count(2), limit.count(2)]).toEqual([0, 0, MINUTE_MS]);
  expect(limit.count(1)).toBe(MINUTE_MS);
});
