// What a receipt tells beside the record, and the players who are offered again.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AccountActor } from '../context.ts';
import type { ReceiptDetails } from './receipts.ts';
import type { RedeemRequest } from '../redemption/request.ts';

let t: TestCore;
let shop: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: shop.accountId, days: 30 });
});
afterEach(() => t.close());

async function redeem(actor: AccountActor, request: Partial<RedeemRequest> = {}) {
  const wanted = request.denomination === undefined ? { code: makeCode() } : {};
  const answer = await t.core.redeem(actor, {
    gameId: 'game_id_1',
    playerId: '5170925570',
    ...wanted,
    ...request,
  });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

const variablesOf = async (
  request: Partial<RedeemRequest> = {},
): Promise<Omit<ReceiptDetails, 'actorLabel'>> => {
  const { actorLabel: _doer, ...facts } = t.core.receiptDetails(
    shop.members.owner,
    await redeem(shop.members.owner, request),
  );
  return facts;
};

const refuseWith = (errorCode: 'CODE_USED' | 'INVALID_CODE' | 'LOGIN_FAILED' | 'RISK_CONTROL') => {
  t.platform.script.redeem = () => ({ status: 'refused', errorCode, message: '', asked: true });
};

const addCodes = (count: number) =>
  t.core.codes.add(shop.members.owner, 'game_id_1', [
    { denomination: 60, codes: Array.from({ length: count }, () => makeCode()) },
  ]);

describe('what became of the code and the usage', () => {
  test('of a success: spent and charged', async () => {
    expect(await variablesOf()).toEqual({ charged: true, code: 'spent' });
  });

  test.each([
    ['CODE_USED', true, 'used', 'used'],
    ['INVALID_CODE', true, 'invalid', 'invalid'],
    ['LOGIN_FAILED', false, 'untouched', 'back'],
    ['RISK_CONTROL', true, 'untouched', 'back'],
  ] as const)('of %s: sent by hand, and out of the database', async (errorCode, charged, sent, kept) => {
    await addCodes(1);
    refuseWith(errorCode);
    expect(await variablesOf()).toEqual({ charged, code: sent });
    expect(await variablesOf({ denomination: 60 })).toEqual({ charged, code: kept });
  });

  test.each(['CODE_USED', 'INVALID_CODE'] as const)(
    'of %s, once it is tried again: back, also while it is under way',
    async (errorCode) => {
      const { owner } = shop.members;
      await addCodes(1);
      refuseWith(errorCode);
      const [first, byHand] = [await redeem(owner, { denomination: 60 }), await redeem(owner)];
      const codeEnds = () => [first, byHand].map((each) => t.core.receiptDetails(owner, each).code);
      const refused = errorCode === 'CODE_USED' ? 'used' : 'invalid';
      expect(codeEnds()).toEqual([refused, refused]);
      await t.core.badCodes.tryAgain(owner, { gameId: 'game_id_1', denomination: 60 });
      expect(codeEnds()).toEqual(['back', refused]);
      t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
      expect(await redeem(owner, { denomination: 60 })).toMatchObject({
        state: 'in_doubt',
        code: first.code,
      });
      expect(codeEnds()).toEqual(['back', refused]);
    },
  );

  test('of what was tried again and is refused anew: as the platform says', async () => {
    const { owner } = shop.members;
    await addCodes(1);
    refuseWith('INVALID_CODE');
    const first = await redeem(owner, { denomination: 60 });
    await t.core.badCodes.tryAgain(owner, { gameId: 'game_id_1', denomination: 60 });
    await redeem(owner, { denomination: 60 });
    expect(t.core.receiptDetails(owner, first).code).toBe('invalid');
  });

  test('where none was there: none, and nothing charged', async () => {
    expect(await variablesOf({ denomination: 60 })).toEqual({ charged: false, code: 'none' });
  });

  test('of a code that another redemption holds: elsewhere, and nothing charged', async () => {
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
    const code = makeCode();
    expect(await variablesOf({ code })).toEqual({ charged: true, code: 'held' });
    expect(await variablesOf({ code })).toEqual({ charged: false, code: 'elsewhere' });
  });
});

test('who asked is named within the account alone', async () => {
  const { owner, operator } = shop.members;
  const redemption = await redeem(operator);
  expect(t.core.receiptDetails(owner, redemption).actorLabel).toMatchObject({
    kind: 'member',
    name: 'operator',
  });
  await t.core.members.remove(owner, operator.telegramId);
  expect(t.core.receiptDetails(owner, redemption).actorLabel).toEqual({
    kind: 'member',
    telegramId: operator.telegramId,
  });
});

test('the name that was confirmed stands on a failed redemption, too', async () => {
  refuseWith('LOGIN_FAILED');
  expect(await redeem(shop.members.owner, { playerName: 'Confirmed' })).toMatchObject({
    playerName: 'Confirmed',
  });
});

describe('the last players', () => {
  test('are five at most, newest first, each once, of one game, redeemed only', async () => {
    for (const playerId of ['11111', '22222', '33333', '44444', '55555', '66666', '22222']) {
      await redeem(shop.members.owner, { playerId });
      t.clock.advance(1);
    }
    await redeem(shop.members.owner, { playerId: '77777', gameId: 'game_id_2' });
    refuseWith('LOGIN_FAILED');
    await redeem(shop.members.owner, { playerId: '88888', playerName: 'Failed' });
    const players = t.core.lastPlayers(shop.members.admin, 'game_id_1');
    expect(players.map((player) => player.playerId)).toEqual(['22222', '66666', '55555', '44444', '33333']);
    expect(players[0]).toEqual({ playerId: '22222', name: 'Player 22222' });
  });

  test('of others are not offered to an operator, nor those of another account to anybody', async () => {
    await redeem(shop.members.owner, { playerId: '11111' });
    await redeem(shop.members.operator, { playerId: '22222' });
    await redeem(t.actor, { playerId: '33333' });
    const idsFor = (actor: AccountActor) =>
      t.core.lastPlayers(actor, 'game_id_1').map(({ playerId }) => playerId);
    expect(idsFor(shop.members.operator)).toEqual(['22222']);
    expect(idsFor(shop.members.admin)).toEqual(['22222', '11111']);
  });
});

test('who asked is told as the account knows them: a key by its beginning, whoever hosts as nobody in particular', async () => {
  const { owner } = shop.members;
  const actorLabelOf = async (actor: AccountActor) =>
    t.core.receiptDetails(owner, await redeem(actor)).actorLabel;
  const key = { kind: 'apiKey', accountId: shop.accountId, apiKeyId: 4711 } as const;
  expect(await actorLabelOf(owner)).toMatchObject({ kind: 'member', telegramId: owner.telegramId });
  expect(await actorLabelOf(key)).toEqual({ kind: 'apiKey', apiKeyId: 4711 });
});
