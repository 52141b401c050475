// Failed authentications: how many are heard in a minute, and who is forgotten first.
import { expect, test } from 'vitest';

import { createManualClock } from '../clock.ts';
import { createFailedAttempts } from './failed-attempts.ts';

test('the failure over the limit is told how long the window lasts, and the next window starts anew', () => {
  const clock = createManualClock(1_000_000);
  const attempts = createFailedAttempts({ clock, limit: 2 });
  expect([attempts.count('a'), attempts.count('a'), attempts.count('a')]).toEqual([0, 0, 60]);
  clock.advance(30_500);
  expect(attempts.count('a')).toBe(30);
  expect(attempts.count('b')).toBe(0);
  clock.advance(29_500);
  expect([attempts.count('a'), attempts.count('a'), attempts.count('a')]).toEqual([0, 0, 60]);
});

test('a clock that goes back locks nobody out', () => {
  const clock = createManualClock(1_000_000);
  const attempts = createFailedAttempts({ clock, limit: 1 });
  attempts.count('a');
  expect(attempts.count('a')).toBe(60);
  clock.set(0);
  expect(attempts.count('a')).toBe(0);
});

test('the oldest is forgotten when the memory is full', () => {
  const attempts = createFailedAttempts({ clock: createManualClock(0), limit: 1, maxEntries: 2 });
  attempts.count('a');
  attempts.count('b');
  attempts.count('c');
  expect(attempts.count('c')).toBe(60);
  expect(attempts.count('b')).toBe(60);
  expect(attempts.count('a')).toBe(0);
});

test('the oldest is whose window began first, however early they failed before', () => {
  const clock = createManualClock(0);
  const attempts = createFailedAttempts({ clock, limit: 1, maxEntries: 3 });
  attempts.count('a');
  clock.advance(30_000);
  attempts.count('b');
  clock.advance(30_000);
  for (const who of ['a', 'c', 'd']) attempts.count(who);
  expect(['a', 'c', 'd'].map(attempts.count)).toEqual([60, 60, 60]);
  expect(attempts.count('b')).toBe(0);
});

test('whose window begins anew takes nobody’s place', () => {
  const clock = createManualClock(0);
  const attempts = createFailedAttempts({ clock, limit: 1, maxEntries: 2 });
  attempts.count('a');
  attempts.count('b');
  clock.set(-1);
  attempts.count('b');
  clock.set(1);
  expect(attempts.count('a')).toBe(60);
});
