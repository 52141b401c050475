// Payments row by row: booked once a charge, read in pages to both sides, and taken back once.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { purchase } from '../../../test/harness/traded-store.ts';
import type { Tables } from '../index.ts';

const [SHOP, OTHER] = [1, 2];
let t: TestStore;
/** Of the shop but for the third. */
const CHARGES = ['a', 'b', 'c', 'd', 'e'];
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await write(({ accounts, purchases }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    for (const [index, chargeId] of CHARGES.entries())
      purchases.insert({ ...purchase(chargeId === 'c' ? OTHER : SHOP, chargeId), at: 10 + index });
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (purchases: Tables['purchases']) => T) =>
  t.store.read(({ purchases }) => work(purchases));
const ids = (work: (purchases: Tables['purchases']) => { id: number }[]) =>
  read((purchases) => work(purchases).map(({ id }) => id));
const all = (accountId: number) => ids((purchases) => purchases.list(accountId, 9));

test('a payment is kept with all that was said of it, and found by its charge or its number', () => {
  const whole = {
    ...{ id: 2, accountId: SHOP, chargeId: 'b', kind: 'activations', currency: 'XTR', amount: 77, at: 11 },
    ...{ activationsQuarters: 400, subscriptionDays: 0, paidBy: 'member:1' },
    ...{ refundedAt: null, refundedQuarters: 0 },
  };
  expect(read((purchases) => [purchases.find('b'), purchases.get(2)])).toEqual([whole, whole]);
  expect(read((purchases) => [purchases.find('none'), purchases.get(6)])).toEqual([undefined, undefined]);
});

test('a charge is booked once, whoever’s it is said to be the second time', async () => {
  const days = { kind: 'subscription' as const, activationsQuarters: 0, subscriptionDays: 30, at: 20 };
  const booked = await write(({ purchases }) => [
    purchases.insert({ ...purchase(OTHER, 'a'), ...days }),
    purchases.insert({ ...purchase(OTHER, 'f'), ...days }),
    purchases.insert({ ...purchase(OTHER, 'f'), ...days }),
  ]);
  expect(booked).toEqual([false, true, false]);
  expect(read((purchases) => [purchases.find('a'), purchases.find('f')])).toMatchObject([
    { accountId: SHOP, kind: 'activations', subscriptionDays: 0, at: 10 },
    { accountId: OTHER, kind: 'subscription', subscriptionDays: 30, at: 20 },
  ]);
});

test('the payments of an account are listed newest first, as many as were asked for', () => {
  expect([all(SHOP), all(OTHER), all(3)]).toEqual([[5, 4, 2, 1], [3], []]);
  expect(ids((purchases) => purchases.list(SHOP, 2))).toEqual([5, 4]);
});

test('a page before a payment goes down, of all accounts or of one, and does not hold it', () => {
  const before = (id: number, limit: number, accountId?: number) =>
    ids((purchases) => purchases.listBefore({ id, limit, accountId }));
  expect([before(5, 9), before(5, 2), before(1, 9)]).toEqual([[4, 3, 2, 1], [4, 3], []]);
  expect([before(5, 9, SHOP), before(5, 2, SHOP), before(9, 9, OTHER)]).toEqual([[4, 2, 1], [4, 2], [3]]);
  expect([before(3, 9, OTHER), before(9, 9, 3)]).toEqual([[], []]);
});

test('a page after a payment goes up, of all accounts or of one, and does not hold it', () => {
  const after = (id: number, limit: number, accountId?: number) =>
    ids((purchases) => purchases.listAfter({ id, limit, accountId }));
  expect([after(1, 9), after(1, 2), after(5, 9)]).toEqual([[2, 3, 4, 5], [2, 3], []]);
  expect([after(1, 9, SHOP), after(1, 2, SHOP), after(0, 9, OTHER)]).toEqual([[2, 4, 5], [2, 4], [3]]);
  expect([after(3, 9, OTHER), after(0, 9, 3)]).toEqual([[], []]);
});

test('a payment is taken back once, by its charge, and what was bought is less by that', async () => {
  const sums = () => read((purchases) => [SHOP, OTHER, 3].map((id) => purchases.sumBought(id)));
  expect(sums()).toEqual([1600, 400, 0]);
  const refunded = await write(({ purchases }) => [
    purchases.markRefunded('b', 150, 70),
    purchases.markRefunded('b', 400, 80),
    purchases.markRefunded('c', 0, 75),
    purchases.markRefunded('c', 400, 76),
    purchases.markRefunded('none', 400, 70),
  ]);
  expect([refunded, sums()]).toEqual([
    [true, false, true, false, false],
    [1450, 400, 0],
  ]);
  const refunds = CHARGES.map((chargeId) => read((purchases) => purchases.find(chargeId)));
  expect(refunds.map((row) => [row?.refundedAt, row?.refundedQuarters])).toEqual([
    [null, 0],
    [70, 150],
    [75, 0],
    [null, 0],
    [null, 0],
  ]);
});
