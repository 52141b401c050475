// What a restore has put in question is put back, but for what the buyers have.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
const STOCK_KEY = { gameId: GAME, denomination: 60 };
let t: TestCore;
let account: TestAccount;
let codes: string[];
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: account.accountId, days: 30 });
  codes = Array.from({ length: 230 }, () => makeCode('60S'));
  await t.core.codes.add(account.members.admin, GAME, [{ denomination: 60, codes }]);
  t.inspect((file) => file.exec("update codes set state = 'in_question'"));
});
afterEach(() => t.close());

const inQuestion = () => t.core.badCodes.list(account.members.owner)[0]?.inQuestion ?? 0;
const acts = () =>
  t.inspect((file) =>
    file.prepare("select what, actor, after from audit_log where what like 'codes%'").all(),
  );
const after = (more: object) => JSON.stringify({ ...STOCK_KEY, ...more });
const by = (role: 'owner' | 'admin') => `member:${account.members[role].telegramId}`;

test('what buyers have is an extraction of whoever says so, in whatever text it stands; the others are put back', async () => {
  const { owner, admin, support } = account.members;
  const kept = codes.slice(100, 220);
  const text = ['These are with Ann:', ...kept.map((code, at) => `${at + 1}. ${code}`), makeCode('60S')].join(
    '\n',
  );
  await expect(t.core.badCodes.putBack(support, STOCK_KEY)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const other = { ...STOCK_KEY, denomination: 325 };
  const { badCodes } = t.core;
  await expect(badCodes.keepWithBuyers(support, STOCK_KEY, text)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect([await badCodes.keepWithBuyers(admin, other, text), await badCodes.putBack(admin, other)]).toEqual([
    0, 0,
  ]);
  for (const kept of [120, 0]) expect(await badCodes.keepWithBuyers(owner, STOCK_KEY, text)).toBe(kept);
  expect(inQuestion()).toBe(110);
  for (const count of [110, 0]) expect(await badCodes.putBack(owner, STOCK_KEY)).toBe(count);
  expect([inQuestion(), t.core.codes.countAvailable(owner, GAME).get(60)]).toEqual([0, 110]);
  const listed = t.core.extractionHistory.listRecent(admin, 5);
  const handedOut = await Promise.all(
    listed.map(({ id }) => t.core.extractionHistory.findExtraction(admin, id)),
  );
  expect(handedOut.flatMap((each) => each?.codes ?? []).toSorted()).toEqual(kept.toSorted());
  const act = (what: string, count: number) => ({ what, actor: by('owner'), after: after({ count }) });
  expect(acts()).toEqual([act('codesExtracted', 100), act('codesExtracted', 20), act('codesPutBack', 110)]);
});

test('who reads which they are stands in the log', async () => {
  const { admin, operator } = account.members;
  await expect(t.core.badCodes.readInQuestion(operator, STOCK_KEY)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await t.core.badCodes.readInQuestion(admin, STOCK_KEY)).toEqual(codes);
  expect(acts()).toEqual([{ what: 'codesShown', actor: by('admin'), after: after({}) }]);
});
