// The warning before the same player gets the same again, and that nothing newer than it slips through the transaction.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore({ platformTimeoutMs: 200 });
  const codes = Array.from({ length: 6 }, () => makeCode());
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }]);
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const wanted = { gameId: GAME, playerId: '5170925570', denomination: 60 };
const same = () => t.core.findRecentDuplicate(t.actor, wanted);
const available = () => t.core.codes.countAvailable(t.actor, GAME).get(60);

async function redeem(request: Partial<typeof wanted> = {}): Promise<number> {
  const answer = await t.core.redeem(t.actor, { ...wanted, ...request });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

const begin = (warnedOf: number, own: number[] = []) =>
  t.core.beginRedemption(t.actor, { ...wanted, unlessDuplicate: { warnedOf, own } });

test('the same denomination for the same player is told for ten minutes, with who redeemed it', async () => {
  expect(same()).toBeUndefined();
  const id = await redeem();
  expect(same()).toMatchObject({
    redemptionId: id,
    state: 'redeemed',
    actorLabel: { kind: expect.any(String) },
  });
  expect(t.core.findRecentDuplicate(t.actor, { ...wanted, denomination: 325 })).toBeUndefined();
  expect(t.core.findRecentDuplicate(t.actor, { ...wanted, playerId: '5170925571' })).toBeUndefined();
  for (const playerId of ['５１７０９２５５７０', '\u200e5170925570'])
    expect(t.core.findRecentDuplicate(t.actor, { ...wanted, playerId })?.redemptionId).toBe(id);
  t.clock.advance(10 * 60 * 1000);
  expect(same()).toBeUndefined();
});

test('an order that has yet to begin one is told until nothing more of it begins', async () => {
  const place = (key: string, more: object = {}) =>
    t.core.orders.place(t.actor, {
      ...{ gameId: GAME, playerId: wanted.playerId, items: [{ denomination: 60, count: 2 }] },
      ...{ onShortage: 'wait', onBadCode: 'stop', idempotencyKey: { scope: 'http', key }, ...more },
    });
  await place('one', { items: [{ denomination: 325, count: 1 }] });
  await place('two', { playerId: '5170925571' });
  expect(same()).toBeUndefined();
  await place('three');
  expect(same()).toMatchObject({ redemptionId: 0, orderId: 3, state: 'ordered' });
  const stranger = await t.openAccount();
  expect(t.core.findRecentDuplicate(stranger, wanted)).toBeUndefined();
  await t.store.write(({ orders }) => orders.endSoon({ id: 3, name: 'three' }, 'cancelled'));
  expect(same()).toBeUndefined();
});

test('a direct redemption that turned out to be this denomination counts, a failed one does not', async () => {
  t.platform.script.redeem = () => ({
    status: 'refused',
    errorCode: 'LOGIN_FAILED',
    message: '?',
    asked: true,
  });
  await redeem();
  expect(same()).toBeUndefined();
  delete t.platform.script.redeem;
  await t.core.redeem(t.actor, { gameId: GAME, playerId: wanted.playerId, code: makeCode('60S') });
  expect(same()?.state).toBe('redeemed');
});

test('one in doubt is told however old it is', async () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  await redeem();
  t.clock.advance(3 * 60 * 60 * 1000);
  expect(same()?.state).toBe('in_doubt');
});

test('what is in doubt is told past 99 others of the player since, and is past a hundred no oversight of today', async () => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  const doubtful = await redeem();
  const failMore = (count: number) =>
    t.store.write(({ redemptions }) => {
      for (let n = 0; n < count; n += 1) {
        const row = {
          accountId: t.actor.accountId,
          actor: 'apiKey:1',
          gameId: GAME,
          playerId: wanted.playerId,
        };
        const rest = {
          mode: 'direct',
          denomination: null,
          codeId: null,
          usageId: null,
          code: null,
        } as const;
        redemptions.insertFailed({ ...row, ...rest, now: t.clock.now() }, 'INVALID_CODE', 'No.');
      }
    });
  await failMore(99);
  expect(same()?.redemptionId).toBe(doubtful);
  await failMore(1);
  expect(same()).toBeUndefined();
});

test('an order begins only where the newest of the same was known; of two at once, one', async () => {
  const first = await redeem();
  const before = available();
  expect(await begin(0)).toMatchObject({ status: 'recentDuplicate', duplicate: { redemptionId: first } });
  expect(available()).toBe(before);
  const [one, other] = await Promise.all([begin(first), begin(first)]);
  expect([one.status, other.status].sort()).toEqual(['begun', 'recentDuplicate']);
  const begun = one.status === 'begun' ? one : other;
  if (begun.status !== 'begun') throw new Error('none began');
  expect((await begin(first, [begun.redemptionId])).status).toBe('begun');
});

test('the same key again is the same order, whatever came meanwhile', async () => {
  const request = {
    ...wanted,
    unlessDuplicate: { warnedOf: 0 },
    idempotencyKey: { scope: 'chat' as const, key: 'one' },
  };
  const first = await t.core.beginRedemption(t.actor, request);
  expect(await t.core.beginRedemption(t.actor, request)).toMatchObject({ ...first, replayed: true });
});
