// Codes that the platform refuses: five in a row pause their denomination for its account, and what was refused can be
// tried again.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const STOCK_KEY = { gameId: GAME, denomination: 60 };
let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
  await t.core.accounts.grant(
    { kind: 'host', by: 'cli' },
    { accountId: account.members.admin.accountId, days: 30 },
  );
});
afterEach(() => t.close());

const fill = (count: number, denomination = 60) => {
  const codes = Array.from({ length: count }, () => makeCode());
  return t.core.codes.add(account.members.admin, GAME, [{ denomination, codes }]);
};
const redeem = async (denomination = 60) => {
  const answer = await t.core.redeem(account.members.operator, {
    gameId: GAME,
    playerId: PLAYER,
    denomination,
  });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.errorCode ?? 'redeemed';
};
const refuse = (errorCode: 'INVALID_CODE' | 'CODE_USED' | 'RISK_CONTROL') => {
  t.platform.script.redeem = () => ({ status: 'refused', errorCode, message: '', asked: true });
};
const work = () => delete t.platform.script.redeem;
const noticesOf = (kind: string) =>
  listWithRecipients(t.core, t.store).filter(({ notice }) => notice.kind === kind);

test('five refusals in a row pause a denomination, also over a restart, until an owner or admin lets it go on', async () => {
  const { admin, operator } = account.members;
  await fill(8);
  await fill(1, 325);
  refuse('INVALID_CODE');
  for (let count = 0; count < 4; count += 1) expect(await redeem()).toBe('INVALID_CODE');
  expect(t.core.badCodes.isPaused(operator, STOCK_KEY)).toBe(false);
  refuse('CODE_USED');
  expect(await redeem()).toBe('CODE_USED');
  work();
  expect(await redeem()).toBe('NO_CODES_AVAILABLE');
  expect(await t.restart().codes.extract(admin, { ...STOCK_KEY, amount: 1 })).toMatchObject({ codes: [] });
  expect(t.core.codes.countAvailable(admin, GAME).get(60)).toBe(3);
  expect(t.core.badCodes.list(admin)).toEqual([
    { ...STOCK_KEY, used: 1, invalid: 4, inQuestion: 0, isPaused: true },
  ]);
  expect(await redeem(325)).toBe('redeemed');
  const [told, ...more] = noticesOf('stockPaused');
  expect([told?.notice, more]).toMatchObject([{ kind: 'stockPaused', ...STOCK_KEY }, []]);
  expect(told?.recipients.map(({ telegramId }) => telegramId)).not.toContain(operator.telegramId);
  await expect(t.core.badCodes.goOn(operator, STOCK_KEY)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect([
    await t.core.badCodes.goOn(admin, STOCK_KEY),
    await t.core.badCodes.goOn(admin, STOCK_KEY),
  ]).toEqual([true, false]);
  expect(await redeem()).toBe('redeemed');
});

test('what is redeemed between them, and what is refused for another reason, is none of the five', async () => {
  await fill(12);
  refuse('INVALID_CODE');
  for (let count = 0; count < 4; count += 1) await redeem();
  work();
  expect(await redeem()).toBe('redeemed');
  refuse('INVALID_CODE');
  for (let count = 0; count < 4; count += 1) await redeem();
  refuse('RISK_CONTROL');
  await redeem();
  expect(t.core.badCodes.isPaused(account.members.admin, STOCK_KEY)).toBe(false);
});

test('codes that were given with their requests pause nothing', async () => {
  refuse('CODE_USED');
  const given = { gameId: GAME, playerId: PLAYER };
  for (let count = 0; count < 6; count += 1)
    await t.core.redeem(account.members.operator, { ...given, code: makeCode() });
  await fill(1);
  work();
  expect(await redeem()).toBe('redeemed');
});

test('what was refused is tried again after the platform was asked about it, and what is spent is used again', async () => {
  const { admin } = account.members;
  await fill(3);
  refuse('INVALID_CODE');
  for (let count = 0; count < 3; count += 1) await redeem();
  work();
  const [first, ...rest] = await t.core.badCodes.read(admin, STOCK_KEY);
  expect([first, rest.length]).toMatchObject([
    { denomination: 60, answer: 'INVALID_CODE', at: t.clock.now() },
    2,
  ]);
  t.platform.spent.set(first!.code, { playerId: '1', redeemedAt: t.clock.now() });
  expect(await t.core.badCodes.tryAgain(admin, STOCK_KEY)).toBe(3);
  expect([await redeem(), await redeem(), await redeem()]).toEqual([
    'redeemed',
    'redeemed',
    'NO_CODES_AVAILABLE',
  ]);
  expect(await t.core.badCodes.read(admin, STOCK_KEY)).toMatchObject([
    { code: first!.code, answer: 'CODE_USED' },
  ]);
});

test('a batch tells its refused codes, and none of it comes back once it was taken back', async () => {
  const { admin } = account.members;
  const { batchId } = await fill(2);
  refuse('CODE_USED');
  await redeem();
  expect(await t.core.badCodes.readOfBatch(admin, batchId)).toMatchObject([{ answer: 'CODE_USED' }]);
  await t.core.imports.undo(admin, batchId);
  expect(await t.core.badCodes.tryAgain(admin, STOCK_KEY)).toBe(0);
  expect(await t.core.badCodes.readOfBatch(admin, batchId)).toHaveLength(1);
});
