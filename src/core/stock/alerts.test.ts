// Thresholds of stock: set by whom the table lets, told once, for stock keys that exist.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { ROLES, grantOf } from '../context.ts';
import { createWatchAllStock } from './alerts.ts';

let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

const STOCK_KEY = { gameId: 'game_id_1', denomination: 60 };
const waiting = () => listNotices(t.store);

test.each(ROLES)(
  '%s sets thresholds exactly as the table says, and sees those that are set',
  async (role) => {
    const actor = account.members[role];
    const set = async (threshold: number) => t.core.stockAlerts.set(actor, { ...STOCK_KEY, threshold });
    await t.core.stockAlerts.set(account.members.owner, { ...STOCK_KEY, threshold: 5 });
    if (grantOf(actor, 'setAlerts') === 'no')
      await expect(set(6)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    else await set(5);
    expect(t.core.stockAlerts.list(actor)).toEqual([
      { ...STOCK_KEY, threshold: 5, isOpen: false },
      { ...STOCK_KEY, denomination: 325, threshold: 0, isOpen: true },
      { gameId: 'game_id_4', denomination: 60, threshold: 0, isOpen: true },
      { gameId: 'game_id_4', denomination: 100, threshold: 0, isOpen: true },
    ]);
  },
);

test('a threshold above the stock is told at once and, set again, not twice', async () => {
  const { owner } = account.members;
  await t.core.codes.add(owner, STOCK_KEY.gameId, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 2 });
  expect(waiting()).toEqual([]);
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 3 });
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 3 });
  expect(waiting().map(({ kind, accountId }) => ({ kind, accountId }))).toEqual([
    { kind: 'stockLow', accountId: account.accountId },
  ]);
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 0 });
  expect(t.core.stockAlerts.list(owner)[0]).toEqual({ ...STOCK_KEY, threshold: 0, isOpen: false });
});

test('what a restore took away is told after the start, and what it brought arms again', async () => {
  const { owner } = account.members;
  const { accountId } = account;
  await t.core.codes.add(owner, STOCK_KEY.gameId, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 2 });
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, denomination: 325, threshold: 1 });
  expect(waiting()).toHaveLength(1);
  // As a restore leaves it: other counts beside what was told of them.
  await t.store.write((tables) => {
    tables.stock.markNotified({ ...STOCK_KEY, accountId }, 1);
    tables.stock.markNotified({ ...STOCK_KEY, accountId, denomination: 325 }, 0);
  });
  const watch = createWatchAllStock({ store: t.store, clock: t.clock });
  await watch(() => true);
  expect(waiting()).toHaveLength(1);
  await watch(() => false);
  expect(waiting().map((notice) => JSON.stringify(notice))).toEqual([
    expect.stringContaining('325'),
    expect.stringContaining('325'),
  ]);
  expect(t.store.read((tables) => tables.stock.findAlert({ ...STOCK_KEY, accountId }))).toMatchObject({
    notified: 0,
  });
  await watch(() => false);
  expect(waiting()).toHaveLength(2);
});

test('what a surface writes in the transaction is kept with the threshold, also where it was so before, or neither is', async () => {
  const { owner } = account.members;
  let kept = 0;
  const keep = () => void (kept += 1);
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 3 }, keep);
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 3 }, keep);
  expect(kept).toBe(2);
  const fail = () => {
    throw new Error('no room');
  };
  await expect(t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 4 }, fail)).rejects.toThrow(
    'no room',
  );
  expect(t.core.stockAlerts.list(owner)[0]).toEqual({ ...STOCK_KEY, threshold: 3, isOpen: false });
});

test.each([
  { ...STOCK_KEY, threshold: -1 },
  { ...STOCK_KEY, threshold: 1.5 },
  { ...STOCK_KEY, threshold: 100_001 },
  { ...STOCK_KEY, denomination: 61, threshold: 1 },
  { gameId: 'game_id_2', denomination: 60, threshold: 1 },
])('%j is refused', async (alert) => {
  await expect(t.core.stockAlerts.set(account.members.owner, alert)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('the first import sets a tenth of it, at least 5, and nobody is told that it was small', async () => {
  const { owner } = account.members;
  const add = (denomination: number, count: number) =>
    t.core.codes.add(owner, STOCK_KEY.gameId, [
      { denomination, codes: Array.from({ length: count }, () => makeCode()) },
    ]);
  const thresholds = () => t.core.stockAlerts.list(owner).map(({ threshold }) => threshold);
  await add(60, 201);
  await add(325, 2);
  expect(thresholds().slice(0, 2)).toEqual([21, 5]);
  await add(60, 3);
  expect(thresholds()[0]).toBe(21);
  expect(waiting()).toEqual([]);
  await t.core.codes.extract(owner, { ...STOCK_KEY, amount: 184 });
  expect(waiting()).toHaveLength(1);
  await t.core.codes.extract(owner, { ...STOCK_KEY, amount: 20 });
  await t.core.codes.extract(owner, { ...STOCK_KEY, denomination: 325, amount: 2 });
  const told = waiting().map((notice) => JSON.stringify(notice));
  expect(told.map((each) => /"left":"(\w+)"/.exec(each.replaceAll('\\', ''))?.[1])).toEqual([
    undefined,
    'noneEither',
    'noneEither',
  ]);
});

test('what was set before wins, also that nobody is told', async () => {
  const { owner } = account.members;
  await t.core.stockAlerts.set(owner, { ...STOCK_KEY, threshold: 0 });
  await t.core.codes.add(owner, STOCK_KEY.gameId, [{ denomination: 60, codes: [makeCode()] }]);
  await t.core.codes.extract(owner, { ...STOCK_KEY, amount: 1 });
  expect([t.core.stockAlerts.list(owner)[0]?.threshold, waiting()]).toEqual([0, []]);
});

test('where no import set one, it is told when none is left', async () => {
  const { owner } = account.members;
  await t.core.codes.add(owner, STOCK_KEY.gameId, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  // As it was in files older than that.
  const file = new Database(t.store.path);
  file.exec('delete from stock_alerts');
  file.close();
  await t.core.codes.extract(owner, { ...STOCK_KEY, amount: 1 });
  expect(waiting()).toEqual([]);
  await t.core.codes.extract(owner, { ...STOCK_KEY, amount: 1 });
  expect(JSON.stringify(waiting())).toContain('none');
});
