// The past of an account a piece at a time: in its order, from a place on, of that account alone, and never more than
// was asked for.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const GAME = 'game_id_1';
const [SHOP, OTHER] = [1, 2];
const NEWEST = { createdAt: 9, id: 99 };
const OLDEST = { createdAt: 0, id: 0 };

let t: TestStore;
/** Two of one moment, and one of another account between them and the last. */
const PAST = [
  { accountId: SHOP, at: 1, playerId: '51', code: 'CODE00000077' },
  { accountId: SHOP, at: 2, playerId: '52', code: 'CODE11111177' },
  { accountId: SHOP, at: 2, playerId: '51', code: 'CODE22222277' },
  { accountId: OTHER, at: 3, playerId: '51', code: 'CODE33333377' },
  { accountId: SHOP, at: 4, playerId: '51', code: 'CODE44444488' },
];
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await t.store.write(({ accounts, redemptions }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
    for (const [index, { at, code, ...row }] of PAST.entries()) {
      const id = redemptions.begin({
        ...{ ...row, actor: 'apiKey:1', gameId: GAME, mode: 'direct', now: at },
        ...{ denomination: null, codeId: null, usageId: null },
        code: { text: code, ...t.store.seals.seal(GAME, code) },
      });
      if (index < 4) redemptions.doubt(id, { errorCode: 'UNKNOWN', errorMessage: null }, at);
    }
  });
});
afterEach(() => t.close());

const ids = (read: (history: Tables['history']) => { id: number }[]) =>
  t.store.read(({ history }) => read(history).map(({ id }) => id));

test('pages go back from a place, also between two of one moment', () => {
  expect(
    ids((history) =>
      history.listBriefs({ accountId: SHOP, direction: 'older', ...NEWEST, end: 0, limit: 9 }),
    ),
  ).toEqual([5, 3, 2, 1]);
  expect(
    ids((history) =>
      history.listBriefs({ accountId: SHOP, direction: 'older', ...NEWEST, end: 0, limit: 2 }),
    ),
  ).toEqual([5, 3]);
  expect(
    ids((history) =>
      history.listBriefs({ accountId: SHOP, direction: 'older', createdAt: 2, id: 3, end: 0, limit: 9 }),
    ),
  ).toEqual([2, 1]);
  expect(
    ids((history) =>
      history.listBriefs({ accountId: OTHER, direction: 'older', ...NEWEST, end: 0, limit: 9 }),
    ),
  ).toEqual([4]);
});

test('an export goes forth from a place, until a moment that is not in it', () => {
  expect(
    ids((history) => history.list({ accountId: SHOP, direction: 'newer', ...OLDEST, end: 9, limit: 9 })),
  ).toEqual([1, 2, 3, 5]);
  expect(
    ids((history) => history.list({ accountId: SHOP, direction: 'newer', ...OLDEST, end: 9, limit: 2 })),
  ).toEqual([1, 2]);
  expect(
    ids((history) =>
      history.list({ accountId: SHOP, direction: 'newer', createdAt: 2, id: 2, end: 4, limit: 9 }),
    ),
  ).toEqual([3]);
  expect(
    ids((history) => history.list({ accountId: OTHER, direction: 'newer', ...OLDEST, end: 9, limit: 9 })),
  ).toEqual([4]);
});

test('what a search compares is listed back from a place to a moment, or forth from a place', () => {
  expect(
    ids((history) =>
      history.listBriefs({ accountId: SHOP, direction: 'older', ...NEWEST, end: 2, limit: 9 }),
    ),
  ).toEqual([5, 3, 2]);
  expect(
    ids((history) =>
      history.listBriefs({ accountId: SHOP, direction: 'older', createdAt: 2, id: 3, end: 0, limit: 1 }),
    ),
  ).toEqual([2]);
  expect(
    ids((history) =>
      history.listBriefs({
        accountId: SHOP,
        direction: 'newer',
        createdAt: 2,
        id: 2,
        end: Number.MAX_SAFE_INTEGER,
        limit: 9,
      }),
    ),
  ).toEqual([3, 5]);
  expect(
    ids((history) =>
      history.listBriefs({
        accountId: SHOP,
        direction: 'newer',
        ...OLDEST,
        end: Number.MAX_SAFE_INTEGER,
        limit: 2,
      }),
    ),
  ).toEqual([1, 2]);
});

test('what a player had, what is in doubt, and what a code ends with, are found in the account alone', () => {
  expect(
    ids((history) =>
      history.listOfPlayer({ accountId: SHOP, playerId: '51', direction: 'older', id: 99, limit: 9 }),
    ),
  ).toEqual([5, 3, 1]);
  expect(
    ids((history) =>
      history.listOfPlayer({ accountId: SHOP, playerId: '51', direction: 'older', id: 5, limit: 1 }),
    ),
  ).toEqual([3]);
  expect(ids((history) => history.listInDoubt(SHOP, 9)).toSorted()).toEqual([1, 2, 3]);
  expect(ids((history) => history.listInDoubt(SHOP, 2))).toHaveLength(2);
  expect(ids((history) => history.findOfTail(SHOP, '111177', 9))).toEqual([2]);
  expect(ids((history) => history.findOfTail(OTHER, '111177', 9))).toEqual([]);
});
