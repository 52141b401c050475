// Orders of several codes as rows: begun once each, stopped for good, forgotten when old.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { NewOrder } from './orders.ts';

let t: TestStore;
beforeEach(() => {
  t = openTestStore();
});
afterEach(() => t.close());

const ORDER: NewOrder = {
  id: 'draft-of-the-order',
  accountId: 1,
  telegramId: 7,
  chatId: 7,
  messageId: 70,
  language: null,
  gameId: 'game_id_1',
  playerId: '5170925570',
  playerName: 'Somebody',
  warnedOf: 0,
  denominations: [325, 60, 60],
};
const { id } = ORDER;
const find = () => t.store.read((tables) => tables.orders.find(id));
const begin = (n: number, redemptionId: number) =>
  t.store.write((tables) => tables.orders.begin({ id, n, redemptionId }));

test('an order is kept once, with its codes in order', async () => {
  await t.store.write((tables) => tables.orders.keep(ORDER, 1));
  await t.store.write((tables) => tables.orders.keep({ ...ORDER, denominations: [60] }, 2));
  expect(find()?.items.map(({ n, denomination }) => [n, denomination])).toEqual([
    [1, 325],
    [2, 60],
    [3, 60],
  ]);
  expect(t.store.read((tables) => tables.orders.listRunning(10))).toEqual([id]);
});

test('a code becomes one redemption and never another; after Stop none begins', async () => {
  await t.store.write((tables) => tables.orders.keep(ORDER, 1));
  expect(await begin(1, 11)).toBe(true);
  expect(await begin(1, 11)).toBe(true);
  expect(await begin(1, 12)).toBe(false);
  expect(await t.store.write((tables) => tables.orders.askToStop(id))).toBe(true);
  expect(await begin(2, 12)).toBe(false);
  expect(find()?.items.map(({ redemptionId }) => redemptionId)).toEqual([11, null, null]);
});

test('it ends once, and is forgotten with its codes when it is old', async () => {
  const end = (at: number) =>
    t.store.write((tables) => tables.orders.end(id, { state: 'stopped', reason: 'asked' }, at));
  await t.store.write((tables) => tables.orders.keep(ORDER, 1));
  expect([await end(50), await end(60)]).toEqual([true, false]);
  expect(await t.store.write((tables) => tables.orders.askToStop(id))).toBe(false);
  expect(await t.store.write((tables) => tables.orders.forget(49, 10))).toBe(0);
  expect(await t.store.write((tables) => tables.orders.forget(50, 10))).toBe(1);
  expect(find()).toBeUndefined();
});
