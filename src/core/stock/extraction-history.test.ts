import { afterEach, beforeEach, expect, test } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { ROLES, grantOf } from '../context.ts';

let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const STOCK_KEY = { gameId: GAME, denomination: 60 };

async function extract(codes: string[]): Promise<number> {
  const { admin } = account.members;
  await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
  return (await t.core.codes.extract(admin, { ...STOCK_KEY, amount: codes.length })).extractionId;
}

test('an extraction is found again for as long as it is kept, by its own account alone', async () => {
  const codes = [makeCode(), makeCode()];
  const id = await extract(codes);
  const { admin, owner } = account.members;
  expect(await t.core.extractionHistory.findExtraction(admin, id)).toEqual({ ...STOCK_KEY, codes });
  expect(await t.core.extractionHistory.findExtraction(owner, id)).toEqual({ ...STOCK_KEY, codes });
  expect(await t.core.extractionHistory.findExtraction(t.actor, id)).toBeUndefined();
  expect(await t.core.extractionHistory.findExtraction(admin, id + 1)).toBeUndefined();
  t.clock.advance(400 * 86_400_000);
  expect(await t.core.extractionHistory.findExtraction(admin, id)).toEqual({ ...STOCK_KEY, codes });
});

test('in the very moment in which its job is forgotten it is found, too', async () => {
  const codes = [makeCode(), makeCode()];
  const id = await extract(codes);
  const job = t.store.read(({ jobs }) => jobs.findOfSubject('extract', id));
  t.clock.advance(3 * 86_400_000);
  const forgetting = t.store.write(({ jobs }) => jobs.remove(job?.id ?? 0));
  const found = t.core.extractionHistory.findExtraction(account.members.admin, id);
  await forgetting;
  expect(await found).toEqual({ ...STOCK_KEY, codes });
});

test('extractions are listed in pages, the newest first, to their own account alone', async () => {
  const first = await extract([makeCode()]);
  const firstAt = t.clock.now();
  t.clock.advance(1_000);
  const second = await extract([makeCode(), makeCode()]);
  const { owner } = account.members;
  expect(t.core.extractionHistory.listExtractions(owner, GAME)).toEqual([
    { id: second, createdAt: firstAt + 1_000, denomination: 60, count: 2 },
    { id: first, createdAt: firstAt, denomination: 60, count: 1 },
  ]);
  expect(t.core.extractionHistory.listExtractions(t.actor, GAME)).toEqual([]);
  const before = t.core.extractionHistory.listExtractions(owner, GAME, { before: firstAt + 1_000 });
  expect(before.map(({ id }) => id)).toEqual([first]);
});

test('who may extract may have it again, and nobody else', async () => {
  const id = await extract([makeCode()]);
  for (const role of ROLES) {
    const find = () => t.core.extractionHistory.findExtraction(account.members[role], id);
    if (grantOf(account.members[role], 'extractCodes') === 'no')
      await expect(find()).rejects.toThrow('Your role');
    else expect(await find()).toBeDefined();
  }
});

test('spent today is what was redeemed from the database since midnight', async () => {
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  const spent = () => t.core.extractionHistory.countSpentToday(t.actor, GAME);
  const redeem = () => t.core.redeem(t.actor, { ...STOCK_KEY, playerId: '5170925570' });
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
  expect((await t.core.extractionHistory.countSpentToday(account.members.support, GAME)).get(60)).toBe(0);
  // An hour to the west it is still the day before.
  await t.store.write(({ accounts }) => accounts.setTimeZone(t.actor.accountId, '-01:00'));
  expect((await spent()).get(60)).toBe(2);
  await t.store.write(({ accounts }) => accounts.setTimeZone(t.actor.accountId, '+01:00'));
  expect((await spent()).get(60)).toBe(2);
});

const waiting = () =>
  listWithRecipients(t.core, t.store)
    .filter(({ notice }) => notice.kind === 'extractionUnsent')
    .map(({ notice, recipients }) => ({ notice, recipients }));

test('the newest extractions of all games are told with who ordered them, to their own account alone', async () => {
  const first = await extract([makeCode()]);
  t.clock.advance(1_000);
  const second = await extract([makeCode(), makeCode()]);
  const { owner, admin } = account.members;
  const actorLabel = { kind: 'member', telegramId: admin.telegramId, name: expect.any(String) as string };
  const told = t.core.extractionHistory.listRecent(owner, 10);
  expect(told).toEqual([
    { id: second, createdAt: t.clock.now(), ...STOCK_KEY, count: 2, actorLabel },
    { id: first, createdAt: t.clock.now() - 1_000, ...STOCK_KEY, count: 1, actorLabel },
  ]);
  expect(t.core.extractionHistory.listRecent(owner, 1).map(({ id }) => id)).toEqual([second]);
  expect(t.core.extractionHistory.listRecent(t.actor, 10)).toEqual([]);
});

test('of a file that reached nobody the owner is told once, and nobody else', async () => {
  const id = await extract([makeCode(), makeCode()]);
  for (const _ of [1, 2]) await t.core.extractionHistory.noteUnsent(id);
  await t.core.extractionHistory.noteSent(id);
  await t.core.extractionHistory.noteUnsent(id);
  const { accountId, telegramId } = account.members.owner;
  const notice = { kind: 'extractionUnsent', accountId, extractionId: id, ...STOCK_KEY, count: 2 };
  expect(waiting()).toEqual([{ notice, recipients: [{ telegramId, isOwn: false }] }]);
});

test('of a file that somebody has had, of an owner’s own, and of what is not there nobody is told', async () => {
  const sent = await extract([makeCode()]);
  await t.core.extractionHistory.noteSent(sent);
  await t.core.codes.add(account.members.owner, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  const own = await t.core.codes.extract(account.members.owner, { ...STOCK_KEY, amount: 1 });
  for (const id of [sent, own.extractionId, 999]) await t.core.extractionHistory.noteUnsent(id);
  expect(waiting()).toEqual([]);
});
