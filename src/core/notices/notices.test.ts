// What people are told of their stock: once when it falls under the threshold, and again only after it was refilled.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import type { RedeemOutcome } from '../../platform/port.ts';

const GAME = 'game_id_1';
const UNKNOWN: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: '' };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
  await alertBelow(3);
});
afterEach(() => t.close());

const alertBelow = (threshold: number, denomination = 60) =>
  t.store.write((tables) =>
    tables.stock.setAlert({ accountId: t.actor.accountId, gameId: GAME, denomination, threshold }),
  );
const add = (count: number, denomination = 60) =>
  t.core.codes.add(t.actor, GAME, [{ denomination, codes: Array.from({ length: count }, () => makeCode()) }]);
const redeem = () => t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925570', denomination: 60 });
const extract = (amount: number) => t.core.codes.extract(t.actor, { gameId: GAME, denomination: 60, amount });
const told = () =>
  listNotices(t.store)
    .filter(({ kind }) => kind === 'stockLow')
    .map(({ accountId, payload }) => ({ accountId, ...payload }));

test('falling under the threshold is told once, with what it is about, and that none is left once more', async () => {
  await add(4);
  await redeem();
  expect(told()).toEqual([]);
  await redeem();
  const stockKey = { accountId: t.actor.accountId, gameId: GAME, denomination: 60 };
  expect(told()).toEqual([{ ...stockKey, threshold: 3 }]);
  await redeem();
  expect(told()).toHaveLength(1);
  await redeem();
  expect(told()).toMatchObject([
    { ...stockKey, threshold: 3 },
    { ...stockKey, threshold: 3, left: 'noneEither' },
  ]);
  await t.core.codes.extract(t.actor, { gameId: GAME, denomination: 60, amount: 1 });
  expect(told()).toHaveLength(2);
});

test('a refill arms it again', async () => {
  await add(3);
  await redeem();
  await add(5);
  expect(told()).toHaveLength(1);
  await extract(5);
  expect(told()).toHaveLength(2);
});

test('a refill that stays under the threshold tells nothing more', async () => {
  await add(3);
  await redeem();
  await redeem();
  await add(1);
  await redeem();
  expect(told()).toHaveLength(1);
});

test('a code that comes back from a doubt arms it again', async () => {
  await add(3);
  t.platform.script.redeem = () => UNKNOWN;
  await redeem();
  expect(told()).toHaveLength(1);
  for (const ms of [1_000, 4_000]) {
    t.clock.advance(ms);
    await t.core.settleDoubts();
  }
  await redeem();
  expect(told()).toHaveLength(2);
});

test('a code that a direct redemption claimed and gave back arms it again, whoever redeemed', async () => {
  const code = makeCode();
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [code, makeCode(), makeCode()] }]);
  const other = await t.openAccount();
  const direct = () => t.core.redeem(other, { gameId: GAME, playerId: '5170925570', code });
  t.platform.script.redeem = () => ({
    status: 'refused',
    errorCode: 'NO_ACCOUNTS_AVAILABLE',
    message: '',
    asked: true,
  });
  await direct();
  expect(told()).toHaveLength(1);
  await direct();
  expect(told()).toHaveLength(2);
});

/** What is passed over on the way to a code that is taken. */
test.each<[what: string, change: string, spend: (codes: string[]) => void]>([
  [
    'are found spent',
    "update codes set state = 'unverified'",
    (codes) =>
      codes.forEach((code) => t.platform.spent.set(code, { playerId: '9', redeemedAt: t.clock.now() })),
  ],
  ['do not open', "update codes set code_secret = x'00' where id <= 2", () => undefined],
])('codes that %s on the way to a redemption count as gone', async (_, change, spend) => {
  await alertBelow(2);
  const codes = Array.from({ length: 4 }, () => makeCode());
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
  t.inspect((file) => file.exec(change));
  spend(codes.slice(0, 2));
  await redeem();
  expect(t.platform.orders.map(({ code }) => code)).toEqual([codes[2]]);
  expect(told()).toHaveLength(1);
});

test('without a threshold, or with one of 0, nothing is told', async () => {
  await alertBelow(0);
  await add(1);
  await redeem();
  expect(told()).toEqual([]);
});

test('another denomination and another account are their own', async () => {
  const other = await t.openAccount();
  await add(3);
  await add(1, 325);
  await t.core.codes.add(other, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  await t.core.codes.extract(other, { gameId: GAME, denomination: 60, amount: 1 });
  await t.core.codes.extract(t.actor, { gameId: GAME, denomination: 325, amount: 1 });
  const none = { gameId: GAME, threshold: 5, left: 'noneEither' };
  expect(told()).toEqual([
    { ...none, accountId: other.accountId, denomination: 60 },
    { ...none, accountId: t.actor.accountId, denomination: 325 },
  ]);
});
