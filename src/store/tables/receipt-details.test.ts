// What is read beside redemptions, row by row: usages and whether they went back, prefixes of keys, and players, newest
// first.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const GAME = 'game_id_1';
const [SHOP, OTHER] = [1, 2];
const RECEIPT = {
  ...{ openid: '1', playerName: 'Ann', region: null, productName: '60 UC', amount: 60, warning: false },
  credentials: null,
};
/** Redeemed but for the fourth, which failed, and the last, which is pending; the second is of another account. */
const PAST = [
  { accountId: SHOP, playerId: '51', now: 1 },
  { accountId: OTHER, playerId: '51', now: 2 },
  { accountId: SHOP, playerId: '52', now: 5 },
  { accountId: SHOP, playerId: '51', now: 5 },
  { accountId: SHOP, playerId: '51', now: 5 },
  { accountId: SHOP, playerId: '53', now: 4 },
  { accountId: SHOP, playerId: '51', now: 3 },
];
let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await t.store.write((tables) => {
    const { accounts, quota, redemptions } = tables;
    for (const name of ['shop', 'other']) {
      const accountId = accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
      quota.credit(accountId, 40);
    }
    const usage = { at: 1, start: 0, daily: 0, purchased: 4, kind: 'redeem' };
    const usages = [SHOP, OTHER].map((accountId) => quota.book({ ...usage, accountId }));
    quota.giveBack(2, 9);
    for (const [index, row] of PAST.entries()) {
      const id = redemptions.begin({
        ...{ ...row, actor: `apiKey:${index}`, gameId: GAME, mode: 'direct', code: null },
        ...{ denomination: 60, codeId: null, usageId: usages[index] ?? null },
      });
      if (id === 4)
        redemptions.settleFailed(id, { errorCode: 'UNKNOWN', errorMessage: null, codeReset: false }, 9);
      else if (id !== 7) endRedeemed(tables, id, RECEIPT, 9);
    }
  });
});
afterEach(() => t.close());

const read = <T>(work: (facts: Tables['receiptDetails']) => T) =>
  t.store.read(({ receiptDetails }) => work(receiptDetails));

test('a usage is told with whether it was returned, where there was one', () => {
  expect(read((facts) => [1, 2, 3, 99].map((id) => facts.findUsage(id)))).toEqual([
    { at: 1, quarters: 4, returnedAt: undefined },
    { at: 1, quarters: 4, returnedAt: 9 },
    undefined,
    undefined,
  ]);
});

test('the prefix of a key is told to its own account', async () => {
  await t.store.write(({ apiKeys }) =>
    [SHOP, OTHER].map((accountId) =>
      apiKeys.insert({
        ...{ accountId, prefix: `crs_${accountId}`, digest: Buffer.alloc(32, accountId) },
        ...{ createdBy: 'host', now: 1 },
      }),
    ),
  );
  const prefix = (accountId: number, id: number) => read((facts) => facts.findApiKeyPrefix(accountId, id));
  expect([prefix(SHOP, 1), prefix(OTHER, 2), prefix(SHOP, 2), prefix(OTHER, 1), prefix(SHOP, 9)]).toEqual([
    'crs_1',
    'crs_2',
    undefined,
    undefined,
    undefined,
  ]);
});

test('what one player had in an account is listed newest first, whatever became of it', () => {
  const list = (accountId: number, playerId: string, limit = 9) =>
    read((facts) => facts.listOfPlayer(accountId, playerId, limit));
  expect(list(SHOP, '51').map(({ id, state }) => [id, state])).toEqual([
    [7, 'pending'],
    [5, 'redeemed'],
    [4, 'failed'],
    [1, 'redeemed'],
  ]);
  expect(list(SHOP, '51', 2).map(({ id }) => id)).toEqual([7, 5]);
  expect([list(SHOP, '99'), list(3, '51')]).toEqual([[], []]);
  expect(list(OTHER, '51')).toEqual([
    {
      ...{ id: 2, actor: 'apiKey:1', gameId: GAME, denomination: 60, amount: 60 },
      ...{ state: 'redeemed', createdAt: 2 },
    },
  ]);
});

test('the players of the redeemed are listed newest first, from among as many redemptions as were asked for', () => {
  const list = (accountId: number, limit: number) =>
    read((facts) => facts.listPlayers(accountId, limit).map(({ actor, playerId }) => [actor, playerId]));
  expect(list(SHOP, 9)).toEqual([
    ['apiKey:4', '51'],
    ['apiKey:2', '52'],
    ['apiKey:5', '53'],
    ['apiKey:0', '51'],
  ]);
  expect([list(SHOP, 1), list(SHOP, 2), list(SHOP, 3), list(3, 9)]).toEqual([
    [['apiKey:4', '51']],
    [['apiKey:4', '51']],
    [
      ['apiKey:4', '51'],
      ['apiKey:2', '52'],
    ],
    [],
  ]);
  expect(read((facts) => facts.listPlayers(OTHER, 9))).toEqual([
    { actor: 'apiKey:1', gameId: GAME, playerId: '51', playerName: 'Ann', denomination: 60 },
  ]);
});
