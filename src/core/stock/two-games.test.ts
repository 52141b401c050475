// Two games with a database, and a denomination that both have: nothing of one is ever taken, counted or told for the
// other.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { RedeemOutcome } from '../../platform/port.ts';

const ONE = 'game_id_1';
const OTHER = 'game_id_4';
const PLAYER = '5124780131';
const REDEEMED: RedeemOutcome = {
  status: 'redeemed',
  receipt: { openid: 'o', name: 'Player', email: 'e@example.test', password: 'pw', uid: '1', amount: 60 },
};

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const add = (gameId: string, ...codes: string[]) =>
  t.core.codes.add(t.actor, gameId, [{ denomination: 60, codes }]);
const extract = async (gameId: string) =>
  (await t.core.codes.extract(t.actor, { gameId, denomination: 60, amount: 10 })).codes;
const left = () => [ONE, OTHER].map((gameId) => t.core.codes.countAvailable(t.actor, gameId).get(60));
async function redeem(gameId: string, given: { denomination: number } | { code: string }) {
  const answer = await t.core.redeem(t.actor, { gameId, playerId: PLAYER, ...given });
  if (answer.status !== 'answered') throw new Error(answer.status);
  const { code, errorCode, state } = answer.redemption;
  return [code, errorCode ?? state];
}

test('a redemption takes the code of its game, though the other has an older one', async () => {
  const [older, newer] = [makeCode(), makeCode()];
  await add(ONE, older);
  await add(OTHER, newer);
  expect(await redeem(OTHER, { denomination: 60 })).toEqual([newer, 'redeemed']);
  expect(await redeem(OTHER, { denomination: 60 })).toEqual([null, 'NO_CODES_AVAILABLE']);
  expect(left()).toEqual([1, 0]);
  expect(t.platform.orders.map(({ gameId, code }) => [gameId, code])).toEqual([[OTHER, newer]]);
});

test('extraction hands out those of its game', async () => {
  const [older, newer] = [makeCode(), makeCode()];
  await add(ONE, older);
  await add(OTHER, newer);
  expect(await extract(OTHER)).toEqual([newer]);
  expect(await extract(OTHER)).toEqual([]);
  expect(await extract(ONE)).toEqual([older]);
});

test('the same text is a code of each: what becomes of one is nothing to the other', async () => {
  t.platform.script.redeem = () => REDEEMED;
  const code = makeCode();
  expect((await add(ONE, code)).accepted.get(60)).toBe(1);
  expect((await add(OTHER, code)).accepted.get(60)).toBe(1);
  expect(await redeem(ONE, { code })).toEqual([code, 'redeemed']);
  expect(left()).toEqual([0, 1]);
  expect(await redeem(ONE, { code })).toEqual([code, 'CODE_USED']);
  expect(await redeem(OTHER, { denomination: 60 })).toEqual([code, 'redeemed']);
  expect(left()).toEqual([0, 0]);
});

test('a doubt of one holds nothing of the other', async () => {
  const code = makeCode();
  t.platform.script.redeem = (order) =>
    order.gameId === ONE ? { status: 'unknown', errorCode: 'UNKNOWN', message: '' } : REDEEMED;
  expect(await redeem(ONE, { code })).toEqual([code, 'UNKNOWN']);
  expect(await redeem(OTHER, { code })).toEqual([code, 'redeemed']);
  expect((await add(ONE, code)).used).toEqual([code]);
});

test('a threshold is told of its own stock', async () => {
  await add(ONE, makeCode(), makeCode());
  await add(OTHER, makeCode());
  await t.store.write((tables) => {
    for (const gameId of [ONE, OTHER])
      tables.stock.setAlert({ accountId: t.actor.accountId, gameId, denomination: 60, threshold: 2 });
  });
  await redeem(ONE, { denomination: 60 });
  expect(listNotices(t.store).map(({ kind, payload }) => [kind, payload])).toEqual([
    ['stockLow', { gameId: ONE, denomination: 60, threshold: 2 }],
  ]);
});

test('the figures of a day are those of one game', async () => {
  await add(ONE, makeCode());
  await redeem(ONE, { denomination: 60 });
  await redeem(OTHER, { denomination: 60 });
  const date = new Date(t.clock.now()).toISOString().slice(0, 10);
  const [one, other] = await Promise.all(
    [ONE, OTHER].map((gameId) => t.core.dayStatistics(t.actor, { gameId, date })),
  );
  expect([one!.activations.get(60), one!.errors.get(60)]).toEqual([1, 0]);
  expect([other!.activations.get(60), other!.errors.get(60)]).toEqual([0, 1]);
});
