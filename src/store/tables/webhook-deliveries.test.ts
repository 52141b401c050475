// What addresses are to be told, row by row: what is due and in which order, what an attempt changes, what is forgotten.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const [SHOP, OTHER] = [1, 2];
const FAR = 1_000;
const MESSAGE = { accountId: 1, type: 'stock.low', subject: '{"left":1}' };
const FAILED = { at: 20, status: 500, problem: 'No.' };

let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  await write(({ accounts, webhooks, webhookDeliveries }) => {
    accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
    for (const [index, id] of [SHOP, OTHER].entries()) {
      const url = `https://${id}.example/`;
      const address = { accountId: 1, reference: `${index}`, url, secret: 'whsec_', createdBy: 'host' };
      webhooks.insert({ ...address, events: ['stock.low'], now: 0 });
    }
    // Deliveries 1, 2 and 4 of the one, 3 of the other.
    for (const [webhookId, now] of [
      [SHOP, 12],
      [SHOP, 11],
      [OTHER, 11],
      [SHOP, 13],
    ] as const) {
      const messageId = webhookDeliveries.insertMessage({ ...MESSAGE, now });
      webhookDeliveries.enqueue({ webhookId, messageId, now });
    }
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (deliveries: Tables['webhookDeliveries']) => T) =>
  t.store.read(({ webhookDeliveries }) => work(webhookDeliveries));
const due = (now: number, limit = 9) =>
  read((deliveries) => deliveries.listDue(SHOP, now, FAR, limit).map(({ id }) => id));
const list = (webhookId = SHOP, limit = 9) =>
  read((deliveries) => deliveries.list(webhookId, limit).map(({ id, state }) => `${id} ${state}`));

test('what is due by now is listed, the longest due first, of one address and no more than was asked for', () => {
  expect([due(10), due(11), due(12), due(99), due(99, 2)]).toEqual([[], [2], [2, 1], [2, 1, 4], [2, 1]]);
  expect(read((deliveries) => deliveries.listDue(OTHER, 99, FAR, 9).map(({ id }) => id))).toEqual([3]);
});

test('where nothing is due, what is further away than any pause is: the clock went back', () => {
  expect([due(13 - FAR), due(12 - FAR), due(10 - FAR), due(10 - FAR, 1)]).toEqual([[], [4], [2, 1, 4], [2]]);
});

test('the next address that waits for anything is found, due or not', async () => {
  const next = (after: number) => read((deliveries) => deliveries.findPending(after));
  expect([next(0), next(SHOP), next(OTHER)]).toEqual([SHOP, OTHER, undefined]);
  await write(({ webhookDeliveries }) =>
    webhookDeliveries.settle(3, { ...FAILED, status: 204, problem: null }),
  );
  expect(next(SHOP)).toBeUndefined();
});

test('an attempt changes what waits, once: it waits for the next, is given up, or is delivered', async () => {
  const attempts = await write(({ webhookDeliveries: deliveries }) => [
    deliveries.fail(1, { ...FAILED, nextAt: 50 }),
    deliveries.fail(2, { ...FAILED, nextAt: null }),
    deliveries.fail(2, { ...FAILED, nextAt: 50 }),
    deliveries.settle(2, FAILED),
    deliveries.settle(4, { at: 21, status: 204, problem: null }),
    deliveries.settle(4, FAILED),
  ]);
  expect(attempts).toEqual([true, true, false, false, true, false]);
  expect(list()).toEqual(['4 delivered', '2 failed', '1 waiting']);
  expect(list(SHOP, 1)).toEqual(['4 delivered']);
  expect(read((deliveries) => [1, 2, 4].map((id) => deliveries.find(id, SHOP)))).toMatchObject([
    { attempts: 1, nextAt: 50, lastAt: 20, status: 500, problem: 'No.', ...{ type: 'stock.low', at: 12 } },
    { attempts: 1, nextAt: null },
    { attempts: 1, nextAt: null, lastAt: 21, status: 204, problem: null, subject: '{"left":1}' },
  ]);
  expect(read((deliveries) => deliveries.find(1, OTHER))).toBeUndefined();
});

test('what is asked for again waits from then on, whatever became of it', async () => {
  await write(({ webhookDeliveries: deliveries }) => {
    deliveries.fail(2, { ...FAILED, nextAt: null });
    deliveries.retry(2, 30);
  });
  expect(read((deliveries) => deliveries.find(2, SHOP))).toMatchObject({
    ...{ state: 'waiting', nextAt: 30, pendingSince: 30, attempts: 1 },
  });
  expect([due(29), due(30)]).toEqual([
    [1, 4],
    [1, 4, 2],
  ]);
});

test('old messages are forgotten a few at a time with what was pending of them, but none that was asked for again', async () => {
  const forget = (until: number, limit = 9) =>
    write(({ webhookDeliveries }) => webhookDeliveries.prune(until, limit));
  await write(({ webhookDeliveries }) => webhookDeliveries.retry(2, 30));
  expect([await forget(10), await forget(12, 1), await forget(12), await forget(12)]).toEqual([0, 1, 1, 0]);
  expect([list(), list(OTHER)]).toEqual([['4 waiting', '2 waiting'], []]);
});

test('of an address that was removed everything is forgotten, a few at a time, and of no other', async () => {
  const forget = (limit: number) => write(({ webhookDeliveries }) => webhookDeliveries.removeOf(SHOP, limit));
  expect([await forget(2), await forget(2), await forget(2)]).toEqual([2, 1, 0]);
  expect([list(), list(OTHER)]).toEqual([[], ['3 waiting']]);
});
