// What is over is forgotten two days later, and never because the calendar jumped.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestCore } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { createBotStore } from '../../store/bot-store.ts';
import { createCleanup } from './cleanup.ts';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 13);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('forgets what was over two days ago, by the calendar and by the time that passed', async () => {
  const clock = createManualClock(START);
  const pruned: number[] = [];
  const prune = (until: number) => Promise.resolve(pruned.push(until) < 0);
  const cleanup = createCleanup(fake({ store: { prune }, clock, log: { warn: () => undefined } }));
  cleanup.start();
  const tidyAfter = (ms: number) => {
    clock.advance(ms);
    vi.advanceTimersByTime(10 * 60 * 1000);
    return pruned.at(-1);
  };
  expect(tidyAfter(HOUR_MS)).toBe(START - 47 * HOUR_MS);
  clock.set(START + 1_000 * HOUR_MS);
  expect(tidyAfter(HOUR_MS)).toBe(START - 46 * HOUR_MS);
  clock.set(START - 1_000 * HOUR_MS);
  expect(tidyAfter(HOUR_MS)).toBe(START - 1_047 * HOUR_MS);
  await cleanup.stop();
});

test('talks that nobody went on with are forgotten, others are not', async () => {
  const t = await openTestCore();
  try {
    const store = createBotStore(t.store, () => t.clock.now());
    const begin = (userId: number) => store.conversations.change({ chatId: 7, userId, state: '{}' });
    await begin(1);
    const until = t.clock.now();
    t.clock.advance(HOUR_MS);
    await begin(2);
    while (await store.prune(until, 200));
    expect([1, 2].map((userId) => store.conversations.find(7, userId) !== undefined)).toEqual([false, true]);
  } finally {
    await t.close();
  }
});

test('an order is known for a year, paid or not: its payment may be told that late', async () => {
  const t = await openTestCore();
  try {
    const store = createBotStore(t.store, () => t.clock.now());
    const order = { id: 'order', accountId: t.actor.accountId, orderedBy: 7, currency: 'XTR', amount: 770 };
    const at = t.clock.now();
    await store.saveAction({ purchaseOrder: { ...order, kind: 'activations', count: 1, at } });
    const isKnownAfter = async (days: number) => {
      while (await store.prune(at + days * 24 * HOUR_MS, 200));
      return store.findPurchaseOrder('order') !== undefined;
    };
    expect([await isKnownAfter(364), await isKnownAfter(365)]).toEqual([true, false]);
  } finally {
    await t.close();
  }
});
