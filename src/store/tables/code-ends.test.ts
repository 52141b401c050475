// By what redemptions are found by the ends of their codes: new ones, and those whose code was replaced.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { hashHead, hashTail } from './code-ends.ts';

const GAME = 'game_id_1';
let t: TestStore;
let accountId: number;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
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
const beginsWith = (text: string, limit = 1_000) =>
  t.store
    .read(({ history }) => history.findOfHead(accountId, text, limit).map(({ id }) => id))
    .sort((a, b) => a - b);
const endsWith = (text: string) =>
  t.store.read(({ history }) => history.findOfTail(accountId, text, 10).map(({ id }) => id));

test('a longer beginning tells apart what a shorter one does not; case and dashes do not matter', async () => {
  const first = await redeem('Same-60aaBB-1111');
  const second = await redeem('SAME60AABC2222');
  await redeem('OTHER60AABC2222');
  expect(beginsWith('same-60')).toEqual([first, second]);
  expect(beginsWith('SAME60AAB')).toEqual([first, second]);
  expect(beginsWith('same60aabb')).toEqual([first]);
  expect(beginsWith('Same60-AABC-2')).toEqual([second]);
  expect(beginsWith('SAME6')).toEqual([]);
  expect(endsWith('bb1111')).toEqual([first]);
});

test('of one account alone, as many as are asked for', async () => {
  const other = await openTestAccount(t.store);
  const ids = [await redeem('MANY60-1'), await redeem('MANY60-2'), await redeem('MANY60-3')];
  await redeem('MANY60ELSEWHERE', other.accountId);
  expect(beginsWith('MANY60')).toEqual(ids);
  expect(beginsWith('MANY60', 2)).toHaveLength(2);
});

test('a code put in place of another is found, the other no more', async () => {
  const id = await redeem('FIRST0CODE');
  const code = 'SECOND0CODE';
  await t.store.write((tables) => {
    const batchId = tables.batches.open({ accountId, gameId: GAME, actor: 'host', now: 1 });
    const stockKey = { accountId, gameId: GAME, denomination: 60, now: 1 };
    tables.batches.insertCode({ ...stockKey, batchId }, t.store.seals.seal(GAME, code));
    const { id: codeId, hash, secret } = tables.codes.takeOldest(stockKey)!;
    tables.redemptions.replaceCode(id, codeId, { text: code, hash, secret });
  });
  expect(beginsWith('SECOND0')).toEqual([id]);
  expect(beginsWith('FIRST0')).toEqual([]);
  await t.store.write(({ redemptions }) => redemptions.dropCode(id));
  expect([beginsWith('SECOND0'), endsWith('ND0CODE')]).toEqual([[], []]);
});

test('what is kept of a beginning is four bytes, and four more of a longer one', () => {
  const hash = (code: string) => hashHead(t.store.secrets, code);
  const [short, nearly, long] = ['CODE11', 'CODE11111', 'CODE111111'].map(hash);
  expect([hash('CODE1'), short?.length, nearly?.length, long?.length]).toEqual([undefined, 4, 4, 8]);
  expect([nearly, long?.subarray(0, 4)]).toEqual([short, short]);
  expect(hash('code-11-1111-9999')).toEqual(long);
});

test('what is kept of an ending is eight bytes', () => {
  const [one, other] = ['code-1111-99-99', 'CODE11119999'].map((code) => hashTail(t.store.secrets, code));
  expect([one?.length, one]).toEqual([8, other]);
});
