// So many of each key within any minute.
import { expect, test } from 'vitest';

import { createManualClock } from './clock.ts';
import { createRateLimit } from './rate-limit.ts';

const MINUTE_MS = 60_000;

test('counts so many within any minute, and tells after how long one more would be', () => {
  const clock = createManualClock(1_000);
  const limit = createRateLimit({ clock, perMinute: 2 });
  expect(limit.count('a')).toBe(0);
  clock.advance(10_000);
  expect([limit.count('a'), limit.count('a'), limit.count('a')]).toEqual([0, 50_000, 50_000]);
  expect(limit.count('b')).toBe(0);
  clock.advance(49_999);
  expect(limit.count('a')).toBe(1);
  clock.advance(1);
  // The first is forgotten, the second counts for ten more seconds.
  expect([limit.count('a'), limit.count('a')]).toEqual([0, 10_000]);
  clock.advance(10_000);
  expect([limit.count('a'), limit.count('a')]).toEqual([0, 50_000]);
});

test.each([10 * MINUTE_MS, -10 * MINUTE_MS])('a calendar that jumps by %i frees nobody', (jump) => {
  const clock = createManualClock(1_000);
  const limit = createRateLimit({ clock, perMinute: 1 });
  limit.count('a');
  clock.set(1_000 + jump);
  expect(limit.count('a')).toBe(MINUTE_MS);
});

test('remembers ten thousand, and forgets the one that was counted longest ago', () => {
  const limit = createRateLimit({ clock: createManualClock(1_000), perMinute: 2 });
  for (let id = 1; id <= 10_000; id += 1) limit.count(String(id));
  expect(limit.count('1')).toBe(0);
  expect(limit.count('1')).toBe(MINUTE_MS);
  // One more: the second is forgotten, since the first was counted again.
  limit.count('10001');
  expect([limit.count('2'), limit.count('2'), limit.count('2')]).toEqual([0, 0, MINUTE_MS]);
  expect(limit.count('1')).toBe(MINUTE_MS);
});
