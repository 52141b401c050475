// Orders of several codes as rows: begun once each, stopped for good, forgotten when old.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { NewBulkOrder } from './bulk-orders.ts';

let t: TestStore;
beforeEach(() => {
  t = openTestStore();
});
afterEach(() => t.close());

const ORDER: NewBulkOrder = {
  id: 'confirmation-of-the-order',
  accountId: 1,
  telegramId: 7,
  chatId: 7,
  messageId: 70,
  language: null,
  gameId: 'game_id_1',
  warnedOf: 0,
  items: [325, 60, 60].map((denomination, index) => ({
    playerId: `517092557${index}`,
    playerName: `Somebody ${index}`,
    denomination,
  })),
};
const { id } = ORDER;
const find = () => t.store.read((tables) => tables.bulkOrders.find(id));
const begin = (n: number, redemptionId: number) =>
  t.store.write((tables) => tables.bulkOrders.begin({ id, n, redemptionId }));

test('an order is kept once, with its codes in order, each for its player', async () => {
  await t.store.write((tables) => tables.bulkOrders.keep(ORDER, 1));
  await t.store.write((tables) => tables.bulkOrders.keep({ ...ORDER, items: ORDER.items.slice(1) }, 2));
  const notBegun = { redemptionId: null, state: null };
  expect(find()?.items).toEqual(ORDER.items.map((item, index) => ({ ...item, ...notBegun, n: index + 1 })));
  expect(t.store.read((tables) => tables.bulkOrders.listRunning(10))).toEqual([id]);
});

test('a code becomes one redemption and never another; after Stop none begins', async () => {
  await t.store.write((tables) => tables.bulkOrders.keep(ORDER, 1));
  expect(await begin(1, 11)).toBe(true);
  expect(await begin(1, 11)).toBe(true);
  expect(await begin(1, 12)).toBe(false);
  expect(await t.store.write((tables) => tables.bulkOrders.askToStop(id))).toBe(true);
  expect(await begin(2, 12)).toBe(false);
  expect(find()?.items.map(({ redemptionId }) => redemptionId)).toEqual([11, null, null]);
});

test('it ends once, and is forgotten with its codes when it is old', async () => {
  const end = (at: number) =>
    t.store.write((tables) => tables.bulkOrders.end(id, { state: 'stopped', reason: 'asked' }, at));
  await t.store.write((tables) => tables.bulkOrders.keep(ORDER, 1));
  expect([await end(50), await end(60)]).toEqual([true, false]);
  expect(await t.store.write((tables) => tables.bulkOrders.askToStop(id))).toBe(false);
  expect(await t.store.write((tables) => tables.bulkOrders.forget(49, 10))).toBe(0);
  expect(await t.store.write((tables) => tables.bulkOrders.forget(50, 10))).toBe(1);
  expect(find()).toBeUndefined();
});
