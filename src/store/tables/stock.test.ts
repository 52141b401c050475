// How many codes there are, by stock key and state, of one account or several; and the alerts when they run low.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const GAME = 'game_id_1';
const STOCK_KEY = { accountId: 1, gameId: GAME, denomination: 60 };
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await t.store.write(({ accounts }) => {
    for (const name of ['shop', 'other', 'third'])
      accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
  });
});
afterEach(() => t.close());

const write = <T>(work: (stock: Tables['stock']) => T) => t.store.write(({ stock }) => work(stock));
const read = <T>(work: (stock: Tables['stock']) => T) => t.store.read(({ stock }) => work(stock));
/** Six of the shop, in three states, one of another denomination and one of another game; and of two other accounts. */
function count(): void {
  t.inspect((file) => {
    const insert = file.prepare('insert into stock_counts values (?, ?, ?, ?, ?)');
    for (const row of [
      [1, GAME, 60, 'available', 4],
      [1, GAME, 60, 'unverified', 2],
      [1, GAME, 60, 'redeemed', 9],
      [1, GAME, 325, 'available', 1],
      [1, 'game_id_2', 60, 'available', 7],
      [2, GAME, 60, 'available', 10],
      [3, GAME, 60, 'available', 20],
    ])
      insert.run(row);
  });
}

test('codes are counted by denomination and state, of an account and game', () => {
  count();
  expect(read((stock) => stock.list(1, GAME))).toHaveLength(4);
  expect(read((stock) => stock.list(1, GAME))).toEqual(
    expect.arrayContaining([
      { denomination: 60, state: 'available', count: 4 },
      { denomination: 60, state: 'unverified', count: 2 },
      { denomination: 60, state: 'redeemed', count: 9 },
      { denomination: 325, state: 'available', count: 1 },
    ]),
  );
  expect(read((stock) => [stock.list(1, 'game_id_2'), stock.list(2, 'game_id_2')])).toEqual([
    [{ denomination: 60, state: 'available', count: 7 }],
    [],
  ]);
});

test('those that can be taken are counted of one stock key', () => {
  const takeable = (more: Partial<typeof STOCK_KEY> = {}) =>
    read((stock) => stock.readLevel({ ...STOCK_KEY, ...more }).takeable);
  expect(takeable()).toBe(0);
  count();
  expect([
    takeable(),
    takeable({ denomination: 325 }),
    takeable({ gameId: 'game_id_2' }),
    takeable({ accountId: 2 }),
    takeable({ denomination: 1 }),
  ]).toEqual([6, 1, 7, 10, 0]);
});

test('the counts of several accounts are summed from behind one up to another', () => {
  expect(read((stock) => [stock.lastAccount(), stock.sumOfAll(0, 9)])).toEqual([0, []]);
  count();
  expect(read((stock) => stock.lastAccount())).toBe(3);
  const available = (after: number, upTo: number) =>
    read((stock) => stock.sumOfAll(after, upTo)).find(
      (row) => row.gameId === GAME && row.denomination === 60 && row.state === 'available',
    );
  const sum = { gameId: GAME, denomination: 60, state: 'available' };
  expect([available(0, 3), available(1, 3), available(0, 2), available(3, 9)]).toEqual([
    { ...sum, count: 34 },
    { ...sum, count: 30 },
    { ...sum, count: 14 },
    undefined,
  ]);
  expect(read((stock) => stock.sumOfAll(0, 3))).toHaveLength(5);
});

test('an alert is set once a stock key, told once until it is set anew, and no other with it', async () => {
  const [other, third] = [
    { ...STOCK_KEY, denomination: 325 },
    { ...STOCK_KEY, accountId: 2 },
  ];
  const fourth = { ...STOCK_KEY, gameId: 'game_id_2' };
  await write((stock) => {
    for (const stockKey of [STOCK_KEY, other, third, fourth]) stock.setAlert({ ...stockKey, threshold: 5 });
    stock.markNotified(STOCK_KEY, 1);
  });
  const alerts = () =>
    read((stock) => [STOCK_KEY, other, third, fourth].map((stockKey) => stock.findAlert(stockKey)));
  const untold = [other, third, fourth].map((stockKey) => ({ ...stockKey, threshold: 5, notified: 0 }));
  expect(alerts()).toEqual([{ ...STOCK_KEY, threshold: 5, notified: 1 }, ...untold]);
  await write((stock) => stock.setAlert({ ...STOCK_KEY, threshold: 8 }));
  expect(alerts()).toEqual([{ ...STOCK_KEY, threshold: 8, notified: 0 }, ...untold]);
  await write((stock) => {
    stock.markNotified(other, 1);
    stock.markNotified(other, 0);
  });
  expect(alerts()).toEqual([{ ...STOCK_KEY, threshold: 8, notified: 0 }, ...untold]);
  expect(read((stock) => [1, 2, 3].map((id) => stock.listAlerts(id).length))).toEqual([3, 1, 0]);
  const places = (after: number, limit: number) =>
    read((stock) => stock.listAllAlerts(after, limit).map(({ place }) => place));
  expect([places(0, 9), places(1, 2), places(4, 9)]).toEqual([[1, 2, 3, 4], [2, 3], []]);
  expect(read((stock) => stock.listAllAlerts(2, 1))).toEqual([{ ...third, place: 3 }]);
});
