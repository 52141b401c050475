// Redemptions that wait for another of their code, row by row: until that one has ended, then settled once as it ended.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { endRedeemed } from '../../../test/harness/attempts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

const NEW = {
  ...{ accountId: 1, actor: 'apiKey:1', gameId: 'game_id_1', playerId: '51', mode: 'direct' as const },
  ...{ denomination: null, codeId: null, usageId: null, code: null, now: 1 },
};
const RECEIPT = {
  ...{ openid: '1', playerName: 'Ann', region: null, productName: null, amount: null, warning: false },
  credentials: null,
};
let t: TestStore;
/** The first four are under way; each of the next four waits for one of them; the last waits for none. */
beforeEach(async () => {
  t = openTestStore();
  await t.store.write(({ accounts, redemptions, duplicateRequests }) => {
    accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
    for (let n = 1; n <= 4; n += 1) redemptions.begin(NEW);
    for (let n = 5; n <= 9; n += 1) redemptions.insertFailed(NEW, 'UNKNOWN', 'wait');
    for (const n of [5, 6, 7, 8]) duplicateRequests.save({ redemptionId: n, firstId: n - 4 });
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const read = <T>(work: (duplicateRequests: Tables['duplicateRequests']) => T) =>
  t.store.read(({ duplicateRequests }) => work(duplicateRequests));
const ended = (limit = 9) =>
  read((duplicateRequests) =>
    duplicateRequests.listEnded(limit).toSorted((a, b) => a.redemptionId - b.redemptionId),
  );

test('those whose first has ended are listed, with whether their code is spent', async () => {
  expect(ended()).toEqual([]);
  await write((tables) => {
    const { redemptions } = tables;
    const failure = { errorMessage: null, codeReset: false };
    endRedeemed(tables, 1, RECEIPT, 5);
    redemptions.settleFailed(2, { ...failure, errorCode: 'CODE_USED' }, 5);
    redemptions.settleFailed(3, { ...failure, errorCode: 'RISK_CONTROL' }, 5);
    redemptions.doubt(4, { errorCode: 'CODE_USED', errorMessage: null }, 9, 5);
  });
  expect(ended()).toEqual([
    { redemptionId: 5, isSpent: true },
    { redemptionId: 6, isSpent: true },
    { redemptionId: 7, isSpent: false },
  ]);
  expect(ended(2)).toHaveLength(2);
});

test('one is settled once, with its own end, and is a duplicate ever after', async () => {
  const failure = { errorCode: 'CODE_USED', errorMessage: 'used' };
  const settled = await write((tables) => {
    const { duplicateRequests } = tables;
    endRedeemed(tables, 1, RECEIPT, 5);
    return [
      duplicateRequests.settle(5, failure, 7),
      duplicateRequests.settle(5, { ...failure, errorCode: 'OTHER' }, 8),
      duplicateRequests.settle(9, failure, 7),
    ];
  });
  expect([settled, ended()]).toEqual([[true, false, false], []]);
  const row = (id: number) => t.store.read(({ redemptions }) => redemptions.get(id));
  expect(row(5)).toMatchObject({ ...failure, state: 'failed', settledAt: 7 });
  expect([6, 9].map((id) => row(id).errorCode)).toEqual(['UNKNOWN', 'UNKNOWN']);
  expect(
    read((duplicateRequests) =>
      [5, 6, 9].map((id) => [duplicateRequests.isDuplicate(id), duplicateRequests.isWaiting(id)]),
    ),
  ).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});

test('a redemption that is no failure keeps what it is', async () => {
  await write(({ duplicateRequests }) => {
    duplicateRequests.save({ redemptionId: 4, firstId: 1 });
    duplicateRequests.settle(4, { errorCode: 'CODE_USED', errorMessage: 'used' }, 7);
  });
  expect(t.store.read(({ redemptions }) => redemptions.get(4))).toMatchObject({
    state: 'pending',
    errorCode: null,
    settledAt: null,
  });
});
