import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { ROLES } from '../context.ts';
import { grantOf } from '../permissions.ts';

let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const LOT = { gameId: GAME, denomination: 60 };

async function extract(codes: string[]): Promise<number> {
  const { admin } = account.members;
  await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
  return (await t.core.codes.extract(admin, { ...LOT, amount: codes.length })).extractionId;
}

test('an extraction is found again for as long as it is kept, by its own account alone', async () => {
  const codes = [makeCode(), makeCode()];
  const id = await extract(codes);
  const { admin, owner } = account.members;
  expect(await t.core.handedOut.findExtraction(admin, id)).toEqual({ ...LOT, codes });
  expect(await t.core.handedOut.findExtraction(owner, id)).toEqual({ ...LOT, codes });
  expect(await t.core.handedOut.findExtraction(t.actor, id)).toBeUndefined();
  expect(await t.core.handedOut.findExtraction(admin, id + 1)).toBeUndefined();
  t.clock.advance(400 * 86_400_000);
  expect(await t.core.handedOut.findExtraction(admin, id)).toEqual({ ...LOT, codes });
});

test('extractions are listed in pages, the newest first, to their own account alone', async () => {
  const first = await extract([makeCode()]);
  const firstAt = t.clock.now();
  t.clock.advance(1_000);
  const second = await extract([makeCode(), makeCode()]);
  const { owner } = account.members;
  expect(t.core.handedOut.listExtractions(owner, GAME)).toEqual([
    { id: second, createdAt: firstAt + 1_000, denomination: 60, count: 2 },
    { id: first, createdAt: firstAt, denomination: 60, count: 1 },
  ]);
  expect(t.core.handedOut.listExtractions(t.actor, GAME)).toEqual([]);
  const before = t.core.handedOut.listExtractions(owner, GAME, { before: firstAt + 1_000 });
  expect(before.map(({ id }) => id)).toEqual([first]);
});

test('who may extract may have it again, and nobody else', async () => {
  const id = await extract([makeCode()]);
  for (const role of ROLES) {
    const find = () => t.core.handedOut.findExtraction(account.members[role], id);
    if (grantOf(account.members[role], 'extractCodes') === 'no')
      await expect(find()).rejects.toThrow('Your role');
    else expect(await find()).toBeDefined();
  }
});

test('spent today is what was redeemed from the database since midnight', async () => {
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  const spent = () => t.core.handedOut.countSpentToday(t.actor, GAME);
  const redeem = () => t.core.redeem(t.actor, { ...LOT, playerId: '5170925570' });
  const [midnight, day] = [Math.floor(t.clock.now() / 86_400_000) * 86_400_000, 86_400_000];
  t.clock.set(midnight + day - 1);
  await redeem();
  expect([...(await spent())]).toEqual([
    [60, 1],
    [325, 0],
  ]);
  t.clock.set(midnight + day);
  expect((await spent()).get(60)).toBe(0);
  await redeem();
  expect((await spent()).get(60)).toBe(1);
  expect((await t.core.handedOut.countSpentToday(account.members.support, GAME)).get(60)).toBe(0);
  // An hour to the west it is still the day before.
  await t.store.write(({ accounts }) => accounts.setTimeZone(t.actor.accountId, '-01:00'));
  expect((await spent()).get(60)).toBe(2);
  await t.store.write(({ accounts }) => accounts.setTimeZone(t.actor.accountId, '+01:00'));
  expect((await spent()).get(60)).toBe(2);
});
