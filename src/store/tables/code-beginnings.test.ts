// By what redemptions are found by the ends of their codes: new ones, those whose code was replaced, and those of older
// files.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { recount } from '../backup/recount.ts';
import { hashBeginning, hashTail } from './code-beginnings.ts';

const GAME = 'game_id_1';
let t: TestStore;
let accountId: number;
beforeEach(async () => {
  t = openTestStore();
  ({ accountId } = await openTestAccount(t.store));
});
afterEach(() => t.close());

const redeem = (code: string, of = accountId) =>
  t.store.write(({ redemptions }) =>
    redemptions.begin({
      ...{ accountId: of, actor: 'apiKey:1', gameId: GAME, playerId: '51000' },
      ...{ mode: 'direct', denomination: null, codeId: null, usageId: null, now: 1 },
      code: { text: code, ...t.store.seals.seal(GAME, code) },
    }),
  );
const fill = async () => {
  let slices = 1;
  while (await t.store.write(({ codeBeginnings }) => codeBeginnings.fill())) slices += 1;
  return slices;
};
const beginsWith = (text: string, limit = 1_000) =>
  t.store.read(({ codeBeginnings }) => codeBeginnings.find(accountId, text, limit)).sort((a, b) => a - b);
const endsWith = (text: string) =>
  t.store.read(({ history }) => history.findOfTail(accountId, text, 10).map(({ id }) => id));

test('a longer beginning tells apart what a shorter one does not; case and dashes do not matter', async () => {
  const first = await redeem('Same-60aaBB-1111');
  const second = await redeem('SAME60AABC2222');
  await redeem('OTHER60AABC2222');
  expect(beginsWith('SAME60')).toEqual([]);
  await fill();
  expect(beginsWith('same-60')).toEqual([first, second]);
  expect(beginsWith('SAME60AAB')).toEqual([first, second]);
  expect(beginsWith('same60aabb')).toEqual([first]);
  expect(beginsWith('Same60-AABC-2')).toEqual([second]);
  expect(beginsWith('SAME6')).toEqual([]);
  expect(endsWith('bb1111')).toEqual([first]);
});

test('more than a slice is noted, in slices, whoever’s it is', async () => {
  const other = await openTestAccount(t.store);
  const ids: number[] = [];
  for (let n = 0; n < 130; n += 1) ids.push(await redeem(`MANY60${String(n).padStart(8, '0')}`));
  await redeem('MANY60ELSEWHERE', other.accountId);
  expect(await fill()).toBe(2);
  expect(beginsWith('MANY60')).toEqual(ids);
  expect(beginsWith('MANY60', 5)).toHaveLength(5);
  expect(t.store.read(({ codeBeginnings }) => codeBeginnings.hasMore())).toBe(false);
});

test('a code put in place of another is found, though its redemption was noted before', async () => {
  const id = await redeem('FIRST0CODE');
  await fill();
  const code = 'SECOND0CODE';
  await t.store.write((tables) => {
    const batchId = tables.batches.open({ accountId, gameId: GAME, actor: 'host', now: 1 });
    const stockKey = { accountId, gameId: GAME, denomination: 60, now: 1 };
    tables.batches.insertCode({ ...stockKey, batchId }, t.store.seals.seal(GAME, code));
    const { id: codeId, hash, secret } = tables.codes.takeOldest(stockKey)!;
    tables.redemptions.replaceCode(id, codeId, { text: code, hash, secret });
  });
  expect(beginsWith('SECOND0')).toEqual([id]);
});

test('what a restore counts anew is noted newest first', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 150; n += 1) ids.push(await redeem(`older0-x${n}-tail${100 + n}`));
  t.inspect((file) => recount(file));
  expect(beginsWith('OLDER0')).toEqual([]);
  expect(endsWith('tail100')).toEqual([ids[0]]);
  await t.store.write(({ codeBeginnings }) => codeBeginnings.fill());
  expect(beginsWith('OLDER0')).toEqual(ids.slice(50));
  const young = await redeem('OLDER0YOUNG');
  await fill();
  expect(beginsWith('OLDER0')).toEqual([...ids, young]);
  expect(t.inspect((file) => file.prepare('select older from code_beginnings_left').pluck().get())).toBe(0);
});

test('what is kept of a beginning is four bytes, and four more of a longer one', () => {
  const hash = (code: string) => hashBeginning(t.store.secrets, code);
  const [short, nearly, long] = ['CODE11', 'CODE11111', 'CODE111111'].map(hash);
  expect([hash('CODE1'), short?.length, nearly?.length, long?.length]).toEqual([undefined, 4, 4, 8]);
  expect([nearly, long?.subarray(0, 4)]).toEqual([short, short]);
  expect(hash('code-11-1111-9999')).toEqual(long);
});

test('what is kept of an ending is eight bytes', () => {
  const [one, other] = ['code-1111-99-99', 'CODE11119999'].map((code) => hashTail(t.store.secrets, code));
  expect([one?.length, one]).toEqual([8, other]);
});
