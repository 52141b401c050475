// Codes one at a time: which is taken first, which given one is claimed, whose each is, and where those that came back
// stand. Which move is allowed from which state is in moves.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const GAME = 'game_id_1';
const STOCK_KEY = { accountId: 1, gameId: GAME, denomination: 60 };
/** Their numbers are their places. */
const CODES = [
  STOCK_KEY,
  STOCK_KEY,
  { ...STOCK_KEY, denomination: 325 },
  { ...STOCK_KEY, gameId: 'game_id_2' },
  { ...STOCK_KEY, accountId: 2 },
  STOCK_KEY,
];
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await t.store.write(({ accounts, batches }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    for (const [index, stockKey] of CODES.entries()) {
      const batchId = batches.open({ ...stockKey, actor: 'host', now: 1 });
      batches.insertCode({ ...stockKey, batchId, now: 1 }, sealed(index + 1, stockKey.gameId));
      batches.grow(batchId, stockKey, 1);
    }
  });
});
afterEach(() => t.close());

const sealed = (n: number, gameId = GAME) => t.store.seals.seal(gameId, `CODE${n}`);
const write = <T>(work: (codes: Tables['codes']) => T) => t.store.write(({ codes }) => work(codes));
const read = <T>(work: (codes: Tables['codes']) => T) => t.store.read(({ codes }) => work(codes));
const take = () => write((codes) => codes.takeOldest({ ...STOCK_KEY, now: 5 })?.id);
const rows = () =>
  t.inspect((file) =>
    file.prepare("select state || ' ' || coalesce(claimed_from, '-') from codes order by id").pluck().all(),
  );

test('the oldest code of a stock key is reserved, with its secret, until there is none', async () => {
  const taken = await write((codes) => codes.takeOldest({ ...STOCK_KEY, now: 5 }));
  expect(taken).toEqual({
    id: 1,
    code: 'CODE1',
    claimedFrom: 'available',
    hash: sealed(1).hash,
    secret: taken?.secret,
  });
  expect(t.store.seals.open(taken!)).toBe('CODE1');
  expect([await take(), await take(), await take()]).toEqual([2, 6, undefined]);
  const [taken1, free] = ['reserved available', 'available -'];
  expect(rows()).toEqual([taken1, taken1, free, free, free, taken1]);
  expect(t.inspect((file) => file.prepare('select changed_at from codes order by id').pluck().all())).toEqual(
    [5, 5, 1, 1, 1, 5],
  );
});

test('a code that stepped back is behind the others, one that was given back is where it was', async () => {
  await take();
  await write((codes) => codes.stepBack(1, 6));
  expect(await take()).toBe(2);
  await write((codes) => codes.giveBack(2, 6));
  expect([await take(), await take(), await take()]).toEqual([2, 6, 1]);
  await write((codes) => [codes.stepBack(1, 7), codes.stepBack(2, 7)]);
  expect([await take(), await take()]).toEqual([2, 1]);
});

test('one that does not open any more is taken without its text', async () => {
  t.inspect((file) => file.exec('update codes set code_secret = zeroblob(40) where id = 1'));
  expect(await write((codes) => codes.takeOldest({ ...STOCK_KEY, now: 5 }))).toMatchObject({
    id: 1,
    code: undefined,
  });
});

test('a given code is claimed in its game, whoever’s it is, once', async () => {
  const claim = (n: number, gameId = GAME) =>
    write((codes) => codes.claim({ gameId, hash: sealed(n, GAME).hash, now: 7 }));
  expect([await claim(5), await claim(5), await claim(1, 'game_id_2'), await claim(9)]).toEqual([
    { id: 5, accountId: 2, denomination: 60 },
    undefined,
    undefined,
    undefined,
  ]);
  expect(await claim(3)).toEqual({ id: 3, accountId: 1, denomination: 325 });
  const [claimed, free] = ['reserved available', 'available -'];
  expect(rows()).toEqual([free, free, claimed, free, claimed, free]);
});

test('a claim that is confirmed as unspent would return as available, and no other', async () => {
  t.inspect((file) => file.exec("update codes set state = 'unverified' where id in (1, 2)"));
  await take();
  await take();
  await write((codes) => codes.confirmClaim(1));
  expect(rows().slice(0, 2)).toEqual(['reserved available', 'reserved unverified']);
  await write((codes) => [codes.giveBack(1, 8), codes.giveBack(2, 8)]);
  expect(rows().slice(0, 2)).toEqual(['available available', 'unverified unverified']);
});

test('who has a code, and of which stock key it is, is told of that code', () => {
  const owner = (n: number, gameId: string) =>
    read((codes) => codes.findOwner(gameId, sealed(n, CODES[n - 1]?.gameId).hash));
  expect([owner(5, GAME), owner(4, 'game_id_2'), owner(4, GAME), owner(9, GAME)]).toEqual([
    { id: 5, accountId: 2, denomination: 60, state: 'available', batchId: 5 },
    { id: 4, accountId: 1, denomination: 60, state: 'available', batchId: 4 },
    undefined,
    undefined,
  ]);
  expect(read((codes) => [1, 3, 4, 5, 9].map((id) => codes.findStockKey(id)))).toEqual([
    { ...STOCK_KEY, state: 'available', batchId: 1 },
    { ...STOCK_KEY, denomination: 325, state: 'available', batchId: 3 },
    { ...STOCK_KEY, gameId: 'game_id_2', state: 'available', batchId: 4 },
    { ...STOCK_KEY, accountId: 2, state: 'available', batchId: 5 },
    undefined,
  ]);
});

test('a move says whether it was made, of that code alone', async () => {
  const moved = await write((codes) => [
    ...[codes.hold(1, 6), codes.takeOldest({ ...STOCK_KEY, now: 5 })?.id, codes.hold(1, 6), codes.hold(1, 6)],
    ...[codes.redeem(1, 7), codes.redeem(1, 7), codes.giveBack(1, 7), codes.markUsed(1, 7)],
    ...[
      codes.discardAsInvalid(2, 7),
      codes.discardAsInvalid(2, 7),
      codes.verify(6, 7),
      codes.discardAsUsed(6, 7),
    ],
  ]);
  expect(moved).toEqual([
    ...[false, 1, true, false, true, false, false, false],
    ...[true, false, false, false],
  ]);
  expect(rows().map((text) => String(text).split(' ')[0])).toEqual([
    'redeemed',
    'invalid',
    ...Array<string>(4).fill('available'),
  ]);
});
