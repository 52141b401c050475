// What is no request for a redemption at all is refused before anything is begun, recorded or charged.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, TEST_GAMES, type TestCore } from '../../../test/harness/core.ts';
import type { RedeemRequest } from './request.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const playerId = '5170925570';

test.each<[RedeemRequest, { code: string; message: string }]>([
  [
    { gameId: 'game_id_9', playerId, denomination: 60 },
    {
      code: 'INVALID_INPUT',
      message: `The request breaks a rule: gameId must be one of: ${TEST_GAMES.all.map(({ id }) => id).join(', ')}.`,
    },
  ],
  [
    { gameId: 'game_id_1', playerId, denomination: 60, code: makeCode() },
    {
      code: 'INVALID_INPUT',
      message:
        'The request breaks a rule: denomination and codeOverride exclude each other: send exactly one of them.',
    },
  ],
  [
    { gameId: 'game_id_1', playerId, denomination: 61 },
    {
      code: 'INVALID_INPUT',
      message: `The request breaks a rule: denomination must be one that game_id_1 has: ${TEST_GAMES.find('game_id_1')?.denominations.join(', ')}.`,
    },
  ],
  [
    { gameId: 'game_id_2', playerId, denomination: 60 },
    {
      code: 'CODE_OVERRIDE_REQUIRED',
      message:
        'The request breaks a rule: codeOverride is required for game_id_2, which has no code database: send the code to redeem.',
    },
  ],
])('%j', async (request, refusal) => {
  await expect(t.core.redeem(t.actor, request)).rejects.toMatchObject(refusal);
  await expect(t.core.beginRedemption(t.actor, request)).rejects.toMatchObject(refusal);
  expect(t.core.receipts.list(t.actor, {})).toEqual([]);
  expect(t.core.quota(t.actor).daily.used).toBe(0);
  expect(t.platform.orders).toEqual([]);
});

test('a role that was lost since the order was taken up spends nothing, and what it began is still told', async () => {
  const { members } = await openTestAccount(t.store);
  const { owner, operator } = members;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: owner.accountId, days: 3 });
  const order = (key: string) => ({
    gameId: 'game_id_2',
    playerId,
    code: makeCode(),
    idempotencyKey: { scope: 'chat' as const, key },
  });
  const first = order('first');
  const begun = await t.core.beginRedemption(operator, first);
  await t.core.members.changeRole(owner, operator.telegramId, 'support');
  await expect(t.core.beginRedemption(operator, order('second'))).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await t.core.beginRedemption(operator, first)).toEqual({ ...begun, replayed: true });
  const denied = await Promise.allSettled([
    t.core.findCharacter(operator, { gameId: 'game_id_2', playerId }),
    t.core.findRedemptionTime(operator, { gameId: 'game_id_2', code: first.code }),
  ]);
  const forbidden = { status: 'rejected', reason: { code: 'FORBIDDEN' } };
  expect(denied).toMatchObject([forbidden, forbidden]);
  await t.core.members.remove(owner, operator.telegramId);
  await expect(t.core.beginRedemption(operator, order('third'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(t.core.receipts.list(owner, {})).toHaveLength(1);
  expect(t.core.quota(owner).daily.used).toBe(1);
});

test('what a surface writes in the transaction is kept with the beginning, again with its repetition, or neither is', async () => {
  const code = makeCode();
  const request = {
    gameId: 'game_id_2',
    playerId,
    code,
    idempotencyKey: { scope: 'http' as const, key: 'order-1' },
  };
  const inTransaction = () => {
    throw new Error('no room');
  };
  await expect(t.core.beginRedemption(t.actor, { ...request, inTransaction })).rejects.toThrow('no room');
  expect([t.core.receipts.list(t.actor, {}), t.platform.orders]).toEqual([[], []]);
  const kept: number[] = [];
  const keep = (_tables: unknown, action: { redemptionId: number }) => void kept.push(action.redemptionId);
  const first = await t.core.beginRedemption(t.actor, { ...request, inTransaction: keep });
  const again = await t.core.beginRedemption(t.actor, { ...request, inTransaction: keep });
  const id = expect.any(Number) as number;
  expect([first, again]).toEqual([
    { status: 'begun', redemptionId: id, replayed: false },
    { status: 'begun', redemptionId: kept[0], replayed: true },
  ]);
  expect(kept).toEqual([kept[0], kept[0]]);
  await t.core.redemptionEnded(kept[0] ?? 0);
  expect(t.platform.orders).toHaveLength(1);
});
