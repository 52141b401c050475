// What is over is forgotten two days later, and never because the calendar jumped.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { createManualClock, type ManualClock } from '../../clock.ts';
import { createBotStore, type BotStore } from '../../store/bot-store.ts';
import { createCleanup } from './cleanup.ts';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 13);

let t: TestCore;
let clock: ManualClock;
let store: BotStore;
let tidyAfter: (ms: number) => Promise<void>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  t = await openTestCore();
  clock = createManualClock(START);
  store = createBotStore(t.store, () => clock.now());
  const ignore = () => undefined;
  const cleanup = createCleanup({ store, clock, log: { info: ignore, warn: ignore, error: ignore } });
  tidyAfter = async (ms) => {
    clock.advance(ms);
    cleanup.start();
    vi.advanceTimersByTime(10 * 60 * 1000);
    await cleanup.stop();
  };
});
afterEach(() => {
  vi.useRealTimers();
  return t.close();
});

test('updates that are over, and talks that nobody went on with, are forgotten when two days have passed', async () => {
  const change = (userId: number) => ({ chatId: 7, userId, state: '{}' });
  await store.inbox.save([1, 2, 3].map((updateId) => ({ updateId, update: '{}' })));
  await store.saveAction({ ended: 1, change: change(1) });
  const isKnown = async () => {
    // One that is known is not new.
    const fresh = await store.inbox.save([{ updateId: 1, update: '{}' }]);
    const talks = [1, 2].map((userId) => store.conversations.find(7, userId) !== undefined);
    return [fresh.length === 0, ...talks, store.inbox.countWaiting()];
  };
  await tidyAfter(2 * HOUR_MS);
  await store.saveAction({ ended: 3, change: change(2) });
  await tidyAfter(45 * HOUR_MS);
  expect(await isKnown()).toEqual([true, true, true, 1]);
  clock.set(START + 1_000 * HOUR_MS);
  await tidyAfter(0);
  expect(await isKnown()).toEqual([true, true, true, 1]);
  await tidyAfter(2 * HOUR_MS);
  expect(await isKnown()).toEqual([false, false, true, 2]);
});

test('an order is known for a year, paid or not: its payment may be told that late', async () => {
  const order = { id: 'order', accountId: t.actor.accountId, orderedBy: 7, currency: 'XTR', amount: 770 };
  await store.saveAction({ purchaseOrder: { ...order, kind: 'activations', count: 1, at: START } });
  await tidyAfter(366 * 24 * HOUR_MS);
  expect(store.findPurchaseOrder('order')).toBeDefined();
  await tidyAfter(2 * 24 * HOUR_MS);
  expect(store.findPurchaseOrder('order')).toBeUndefined();
});
