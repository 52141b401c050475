// What invoices ask money for, row by row: kept once an invoice, paid first once, and forgotten when it is old, the
// oldest first.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';
import type { PurchaseOrder } from './purchase-orders.ts';

const TERMS: Omit<PurchaseOrder, 'id' | 'at'> = {
  ...{ accountId: 1, orderedBy: 71, kind: 'activations', count: 2, currency: 'XTR', amount: 77 },
};
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await t.store.write(({ accounts, purchaseOrders }) => {
    accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
    for (const [id, at] of [
      ['b', 20],
      ['a', 10],
      ['c', 30],
    ] as const)
      purchaseOrders.save({ ...TERMS, id, at });
  });
});
afterEach(() => t.close());

const write = <T>(work: (orders: Tables['purchaseOrders']) => T) =>
  t.store.write(({ purchaseOrders }) => work(purchaseOrders));
const find = (id: string) => t.store.read(({ purchaseOrders }) => purchaseOrders.find(id));

test('an order is found as it was first kept', async () => {
  await write((orders) => orders.save({ ...TERMS, kind: 'subscription', id: 'a', at: 99 }));
  expect([find('a'), find('none')]).toEqual([{ ...TERMS, id: 'a', at: 10, chargeId: null }, undefined]);
});

test('the first charge is noted, of that order alone', async () => {
  await write((orders) => {
    for (const charge of ['first', 'second']) orders.markPaid('a', charge);
  });
  expect(['a', 'b', 'c'].map((id) => find(id)?.chargeId)).toEqual(['first', null, null]);
});

test('orders of until then are forgotten, the oldest first, as many as were asked for', async () => {
  const forget = (until: number, limit: number) => write((orders) => orders.prune(until, limit));
  const left = () => ['a', 'b', 'c'].filter((id) => find(id));
  expect([await forget(9, 9), await forget(20, 1), left()]).toEqual([0, 1, ['b', 'c']]);
  expect([await forget(20, 9), await forget(20, 9), left()]).toEqual([1, 0, ['c']]);
});
