// When Telegram's list is gone through: at the start, daily, ten minutes after a failure; and what a stop waits for.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import { createReconciling } from './reconcile-payments.ts';

const MINUTE_MS = 60_000;
let clock: ManualClock;
let asked: number;
let warned: string[];
let answer: () => Promise<{ transactions: never[] }>;
beforeEach(() => {
  vi.useFakeTimers();
  clock = createManualClock(0);
  asked = 0;
  warned = [];
  answer = () => Promise.resolve({ transactions: [] });
});
afterEach(() => void vi.useRealTimers());

function open() {
  const getStarTransactions = () => {
    asked += 1;
    return answer();
  };
  const log = { warn: (_: object, message: string) => void warned.push(message) };
  const store = { starPlace: { find: () => undefined } };
  return createReconciling(fake({ clock, log, store }), fake({ getStarTransactions }));
}
/** Both of them: the clock that decides and the timers that look at it. */
async function pass(minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n += 1) {
    clock.advance(MINUTE_MS);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
  }
}

test('at the start and then daily', async () => {
  const reconciling = open();
  reconciling.start();
  await pass(24 * 60 - 1);
  expect(asked).toBe(1);
  await pass(2);
  expect(asked).toBe(2);
  await reconciling.stop();
});

test('a look that failed is made again ten minutes later', async () => {
  // A payment, and nobody there to book it.
  const source = { type: 'user', transaction_type: 'invoice_payment', user: { id: 1 } };
  answer = () => Promise.resolve({ transactions: [{ id: 'x', amount: 1, date: 1, source } as never] });
  const reconciling = open();
  reconciling.start();
  await pass(8);
  answer = () => Promise.resolve({ transactions: [] });
  await pass(1);
  expect(asked).toBe(1);
  await pass(3);
  expect(asked).toBe(2);
  expect(warned).toEqual(["payments could not be compared with Telegram's list"]);
  await reconciling.stop();
});

test('a stop waits for the look that is under way, and nothing is looked at afterwards', async () => {
  let end: () => void = () => undefined;
  answer = () => new Promise((resolve) => (end = () => resolve({ transactions: [] })));
  const reconciling = open();
  reconciling.start();
  let isStopped = false;
  const stopped = reconciling.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  end();
  await stopped;
  await pass(2 * 24 * 60);
  expect(asked).toBe(1);
});

test('a look that a stop interrupted is no warning', async () => {
  let fail: () => void = () => undefined;
  answer = () => new Promise((_, reject) => (fail = () => reject(new Error('stopped'))));
  const reconciling = open();
  reconciling.start();
  const stopped = reconciling.stop();
  fail();
  await stopped;
  expect(warned).toEqual([]);
});
