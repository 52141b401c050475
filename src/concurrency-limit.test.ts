// So many at once; whoever takes long is not counted any more.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createConcurrencyLimit } from './concurrency-limit.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Whatever can happen without time passing. */
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Tasks under a limit of two; a task ends when it is told to. */
function take(count: number) {
  const limit = createConcurrencyLimit(2, 1_000);
  const ends: (() => void)[] = [];
  let freed = 0;
  for (let n = 0; n < count; n += 1)
    limit.take(
      () => new Promise((resolve) => ends.push(resolve)),
      () => (freed += 1),
    );
  return { limit, end: (n: number) => ends[n]?.(), freed: () => freed };
}

test('they are full with as many as they have, and free when one is over', async () => {
  expect(take(1).limit.isFull()).toBe(false);
  const { limit, end, freed } = take(2);
  expect([limit.isFull(), freed()]).toEqual([true, 0]);
  end(0);
  await settle();
  expect(freed()).toBe(1);
  expect(limit.isFull()).toBe(false);
});

test('who takes long leaves the slot, once, and is still waited for at the end', async () => {
  const { limit, end, freed } = take(3);
  vi.advanceTimersByTime(999);
  expect([limit.isFull(), freed()]).toEqual([true, 0]);
  vi.advanceTimersByTime(1);
  expect([limit.isFull(), freed()]).toEqual([false, 3]);
  let isSettled = false;
  const settled = limit.settled().then(() => (isSettled = true));
  end(0);
  end(1);
  await settle();
  expect(freed()).toBe(5);
  expect(isSettled).toBe(false);
  end(2);
  await settled;
  // None of them gave its slot back a second time: two fill them, as before.
  const hang = () => new Promise<void>(() => undefined);
  limit.take(hang, () => undefined);
  expect(limit.isFull()).toBe(false);
  limit.take(hang, () => undefined);
  expect(limit.isFull()).toBe(true);
});

test('who is over leaves no timer behind', async () => {
  const { end, freed } = take(1);
  end(0);
  await settle();
  expect(freed()).toBe(1);
  vi.advanceTimersByTime(5_000);
  expect([freed(), vi.getTimerCount()]).toEqual([1, 0]);
});
