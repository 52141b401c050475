// Codes handed out, row by row: the last that would be redeemed, of one stock key, for good; and what is told of an
// extraction afterwards.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const GAME = 'game_id_1';
const [SHOP, OTHER] = [1, 2];
const STOCK_KEY = { accountId: SHOP, gameId: GAME, denomination: 60 };
/** Their numbers are their places. */
const CODES = [
  STOCK_KEY,
  STOCK_KEY,
  { ...STOCK_KEY, denomination: 325 },
  { ...STOCK_KEY, gameId: 'game_id_2' },
  { ...STOCK_KEY, accountId: OTHER },
  STOCK_KEY,
  STOCK_KEY,
];
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await write(({ accounts, batches }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    for (const [index, stockKey] of CODES.entries()) {
      const batchId = batches.open({ ...stockKey, actor: 'host', now: 1 });
      batches.insertCode(
        { ...stockKey, batchId, now: 1 },
        t.store.seals.seal(stockKey.gameId, `CODE${index + 1}`),
      );
      batches.grow(batchId, stockKey, 1);
    }
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (extractions: Tables['extractions']) => T) =>
  t.store.read(({ extractions }) => work(extractions));
const open = (now: number, more: Partial<typeof STOCK_KEY> = {}) =>
  write(({ extractions }) => extractions.open({ ...STOCK_KEY, ...more, actor: 'host', requested: 3, now }));
const extract = (extractionId: number, amount: number) =>
  write(({ extractions }) => extractions.extract({ ...STOCK_KEY, extractionId, amount, now: 20 }));
const listed = (id: number, after = 0, limit = 9) =>
  read((extractions) => extractions.list(id, after, limit));
const spoil = (ids: number[]) =>
  t.inspect((file) => file.exec(`update codes set code_secret = zeroblob(40) where id in (${ids.join()})`));
const unverify = (ids: number[]) =>
  t.inspect((file) => file.exec(`update codes set state = 'unverified' where id in (${ids.join()})`));
/** The first code comes back refused once, and is behind the others from then on. */
const stepBackFirst = () =>
  write(({ codes }) => {
    codes.takeOldest({ ...STOCK_KEY, now: 2 });
    codes.stepBack(1, 2);
  });

test('an extraction is found as it was opened, and ends once', async () => {
  expect([await open(10), await open(11, { denomination: 325 })]).toEqual([1, 2]);
  expect(
    await write(({ extractions }) => [9, 1, 1].map((id, index) => extractions.end(id, 30 + index))),
  ).toEqual([false, true, false]);
  const whole = {
    ...STOCK_KEY,
    id: 1,
    actor: 'host',
    at: 10,
    requested: 3,
    taken: 0,
    sentAt: null,
    unsentNotifiedAt: null,
    endedAt: 31,
  };
  expect(read((extractions) => [1, 2, 3].map((id) => extractions.find(id)))).toEqual([
    whole,
    { ...whole, id: 2, denomination: 325, at: 11, endedAt: null },
    undefined,
  ]);
});

test('its file is taken once, and told once as not taken, before it was', async () => {
  await Promise.all([open(10), open(11)]);
  const mark = (how: 'markSent' | 'markUnsentTold', id: number, now: number) =>
    write(({ extractions }) => extractions[how](id, now));
  expect([
    await mark('markUnsentTold', 1, 20),
    await mark('markUnsentTold', 1, 21),
    await mark('markSent', 1, 22),
    await mark('markSent', 2, 23),
    await mark('markSent', 2, 24),
    await mark('markUnsentTold', 2, 25),
  ]).toEqual([true, false, true, true, false, false]);
  const marks = [1, 2].map((id) => read((extractions) => extractions.find(id)));
  expect(marks.map((row) => [row?.sentAt, row?.unsentNotifiedAt])).toEqual([
    [22, 20],
    [23, null],
  ]);
});

test('the newest of all games that took any are listed, of one account alone', async () => {
  for (const [now, more] of [
    [10, {}],
    [10, { gameId: 'game_id_2' }],
    [12, {}],
    [13, { accountId: OTHER }],
  ] as const)
    await open(now, more);
  t.inspect((file) => file.exec('update extractions set taken = 1 where id <> 3'));
  const ids = (limit: number) =>
    read((extractions) => extractions.listNewest(SHOP, limit)).map(({ id }) => id);
  expect([ids(9), ids(1)]).toEqual([[2, 1], [2]]);
});

test('the codes at the tail of a stock key are handed out, those that came back last, and of no other one', async () => {
  await stepBackFirst();
  const [first, second] = [await open(10), await open(11)];
  expect([await extract(first, 2), await extract(second, 9), await extract(second, 9)]).toEqual([2, 2, 0]);
  expect([listed(first), listed(second), listed(9)]).toEqual([
    [
      { id: 6, returns: 0, code: 'CODE6' },
      { id: 7, returns: 0, code: 'CODE7' },
    ],
    [
      { id: 1, returns: 1, code: 'CODE1' },
      { id: 2, returns: 0, code: 'CODE2' },
    ],
    [],
  ]);
  const states = t.inspect((file) =>
    file.prepare("select state || ' ' || changed_at from codes order by id").pluck().all(),
  );
  const [out, still] = ['extracted 20', 'available 1'];
  expect(states).toEqual([out, out, still, still, still, out, out]);
});

test('the codes of an extraction are listed from behind a row, as many as were asked for', async () => {
  await extract(await open(10), 3);
  const ids = (after: number, limit: number) => listed(1, after, limit).map(({ id }) => id);
  expect([ids(0, 9), ids(0, 2), ids(1, 9), ids(2, 1), ids(6, 9)]).toEqual([
    [2, 6, 7],
    [2, 6],
    [2, 6, 7],
    [6],
    [7],
  ]);
  spoil([6]);
  expect(listed(1).map(({ code }) => code)).toEqual(['CODE2', undefined, 'CODE7']);
});

test('a code that is not verified keeps its place, and is not handed out', async () => {
  unverify([2, 3, 5, 7]);
  const unverified = (amount: number, limit = 9) =>
    read((extractions) => extractions.listUnverified({ ...STOCK_KEY, amount, limit }));
  expect([unverified(1), unverified(3), unverified(9), unverified(9, 1)]).toEqual([
    [{ id: 7, code: 'CODE7' }],
    [
      { id: 7, code: 'CODE7' },
      { id: 2, code: 'CODE2' },
    ],
    [
      { id: 7, code: 'CODE7' },
      { id: 2, code: 'CODE2' },
    ],
    [{ id: 7, code: 'CODE7' }],
  ]);
  expect(await extract(await open(10), 2)).toBe(1);
  expect(listed(1).map(({ id }) => id)).toEqual([6]);
});

test('of codes that are not verified, the one that came back stands last', async () => {
  unverify([1, 2]);
  await stepBackFirst();
  const first = (limit: number) =>
    read((extractions) => extractions.listUnverified({ ...STOCK_KEY, amount: 9, limit }).map(({ id }) => id));
  expect([first(9), first(1)]).toEqual([[2, 1], [2]]);
});

test('whether a stock key has a code to take is told of that stock key', async () => {
  const has = (more: Partial<typeof STOCK_KEY> = {}) =>
    read((extractions) => extractions.hasTakeable({ ...STOCK_KEY, ...more }));
  expect([has(), has({ accountId: 3 }), has({ gameId: 'none' }), has({ denomination: 1 })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  unverify([1]);
  await extract(await open(10), 3);
  expect(has()).toBe(true);
  await write(({ codes }) => codes.discardAsUsed(1, 3));
  expect([has(), has({ accountId: OTHER })]).toEqual([false, true]);
});

test('the codes that do not open any more are told, of the tail of the stock key', async () => {
  spoil([2, 3, 7]);
  const unreadable = (amount: number) =>
    read((extractions) => extractions.listUnreadable({ ...STOCK_KEY, amount }));
  expect([unreadable(1), unreadable(2), unreadable(9)]).toEqual([[7], [7], [2, 7]]);
  await extract(await open(10), 2);
  expect(unreadable(9)).toEqual([2]);
});

test('extractions since a moment are listed newest first, with what each has taken', async () => {
  for (const [at, more] of [
    [9, {}],
    [10, {}],
    [12, { accountId: OTHER }],
    [12, { gameId: 'game_id_2' }],
    [12, { denomination: 325 }],
    [12, {}],
    [11, {}],
  ] as const)
    await open(at, more);
  const before = (moment: number, limit = 9, accountId = SHOP) =>
    read((extractions) => extractions.listBefore({ accountId, gameId: GAME, before: moment, limit })).map(
      ({ id }) => id,
    );
  const all = before(99);
  expect(all.slice(0, 4)).toEqual([6, 5, 7, 2]);
  expect([before(12), before(99, 1), before(99, 3)]).toEqual([all.slice(2), [6, 5], [6, 5, 7]]);
  expect([before(0), before(99, 9, OTHER)]).toEqual([[], [3]]);
});
