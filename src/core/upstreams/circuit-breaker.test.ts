// How one upstream has served: when it rests and for how long, and that exactly one order tries it after.
import { expect, test } from 'vitest';

import { createCircuitBreaker, type Served } from './circuit-breaker.ts';

const [SECOND_MS, MINUTE_MS] = [1_000, 60_000];
const FAULT: Served = { is: 'fault' };
const SERVED: Served = { is: 'served' };

/** What is noted one after another, a second apart. */
function begin(mayRest = true) {
  const breaker = createCircuitBreaker();
  let now = 0;
  return {
    breaker,
    now: () => now,
    pass: (ms: number) => void (now += ms),
    note(served: Served, order = ''): boolean {
      now += SECOND_MS;
      breaker.note(served, order, now, mayRest);
      return breaker.rest() !== undefined;
    },
    mayTake: (order: string) => breaker.mayTake(order, now),
    take: (order: string) => breaker.take(order, now),
  };
}

test('three faults in a row, and it rests', () => {
  const { note, mayTake } = begin();
  expect([FAULT, SERVED, FAULT, FAULT].some((each) => note(each))).toBe(false);
  expect([note(FAULT), mayTake('a')]).toEqual([true, false]);
});

test('the last one of a game never rests, and one that has become it wakes', () => {
  const last = begin(false);
  for (let n = 0; n < 4; n += 1) expect(last.note(FAULT)).toBe(false);
  expect([last.mayTake('a'), last.breaker.isFailing()]).toEqual([true, true]);
  const woken = begin();
  for (let n = 0; n < 3; n += 1) woken.note(FAULT);
  woken.breaker.wake();
  expect([woken.mayTake('a'), woken.breaker.rest()]).toEqual([true, undefined]);
});

test('after the rest exactly one order tries it: others only when that has ended without a word, or is over', () => {
  const { breaker, note, pass, mayTake, take } = begin();
  for (let n = 0; n < 3; n += 1) note(FAULT);
  pass(30 * SECOND_MS - 1);
  expect(mayTake('a')).toBe(false);
  pass(1);
  expect(mayTake('a')).toBe(true);
  take('a');
  expect([mayTake('a'), mayTake('b')]).toEqual([true, false]);
  breaker.release('b');
  expect(mayTake('b')).toBe(false);
  breaker.release('a');
  expect(mayTake('b')).toBe(true);
  take('b');
  pass(MINUTE_MS - 1);
  expect(mayTake('c')).toBe(false);
  pass(1);
  expect(mayTake('c')).toBe(true);
});

test('a probe that was served ends the rest, what was sent before it says nothing', () => {
  const { breaker, note, pass, mayTake, take } = begin();
  for (let n = 0; n < 3; n += 1) note(FAULT);
  note(SERVED, 'sent before');
  expect(breaker.rest()).toBeDefined();
  pass(30 * SECOND_MS);
  take('probe');
  note(SERVED, 'probe');
  expect([breaker.rest(), mayTake('b'), mayTake('c')]).toEqual([undefined, true, true]);
  // The faults of before are forgiven.
  expect([note(FAULT), note(FAULT), note(FAULT)]).toEqual([false, false, true]);
});

test('each rest is twice as long, a quarter of an hour at most; after one that was served the first again', () => {
  const { breaker, note, pass, take, now } = begin();
  for (let n = 0; n < 3; n += 1) note(FAULT);
  const lengths: number[] = [];
  const next = (served: Served) => {
    const { until = 0 } = breaker.rest() ?? {};
    lengths.push((until - now()) / SECOND_MS);
    pass(until - now());
    take('probe');
    note(served, 'probe');
  };
  for (let n = 0; n < 6; n += 1) next(FAULT);
  next(SERVED);
  for (let n = 0; n < 3; n += 1) note(FAULT);
  next(FAULT);
  expect(lengths).toEqual([30, 60, 120, 240, 480, 900, 900, 30]);
});

test('one that asks to be left alone is, for as long as it asks, an hour at most', () => {
  const rest = (retryAfterMs: number | undefined) => {
    const { breaker, note, now } = begin();
    note({ is: 'rest', retryAfterMs });
    return (breaker.rest()?.until ?? 0) - now();
  };
  expect([rest(7 * SECOND_MS), rest(undefined), rest(86_400 * SECOND_MS)]).toEqual([
    ...[7 * SECOND_MS, 30 * SECOND_MS],
    60 * MINUTE_MS,
  ]);
});
