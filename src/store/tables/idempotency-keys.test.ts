// Which request a key stood for: of an account alone, and for as long as what it began is open, or ended late.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import type { Tables } from '../index.ts';

let t: TestStore;
beforeEach(async () => {
  t = openTestStore();
  t.allowDrift();
  await write(({ accounts }) => {
    for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
  });
});
afterEach(() => t.close());

const write = <T>(work: (tables: Tables) => T) => t.store.write(work);
const NONE = { redemptionId: null, extractionId: null, batchId: null, orderId: null };
const remember = (
  name: string,
  what: Partial<Record<keyof typeof NONE, number>> = {},
  now = 1,
  accountId = 1,
) =>
  write(({ idempotencyKeys: keys }) =>
    keys.remember({
      ...{ accountId, keyHash: keys.hashKey(name), requestHash: keys.hashRequest(name) },
      ...{ ...NONE, ...what, tries: 1, now },
    }),
  );
const isKnown = (name: string, accountId = 1) =>
  t.store.read(({ idempotencyKeys: keys }) => keys.find(accountId, keys.hashKey(name)) !== undefined);
const UNTIL = { began: 10, settled: 20 };
const prune = (limit = 9) => write(({ idempotencyKeys: keys }) => keys.prune(UNTIL, limit));
const pruneOfWork = (limit = 9) => write(({ idempotencyKeys: keys }) => keys.pruneOfWork(UNTIL, limit));

test('a key is remembered once, for its account alone, until it is forgotten', async () => {
  await remember('one');
  expect([isKnown('one'), isKnown('one', 2), isKnown('two')]).toEqual([true, false, false]);
  await remember('one', {}, 1, 2);
  await expect(remember('one')).rejects.toThrow('UNIQUE');
  await write(({ idempotencyKeys: keys }) => keys.remove(1, keys.hashKey('one')));
  expect([isKnown('one'), isKnown('one', 2)]).toEqual([false, true]);
});

test('old ones are forgotten a few at a time, and none that is younger', async () => {
  for (const [name, at] of [
    ['a', 1],
    ['b', 10],
    ['c', 11],
  ] as const)
    await remember(name, {}, at);
  expect([await pruneOfWork(1), await pruneOfWork(), await pruneOfWork()]).toEqual([1, 1, 0]);
  expect(await prune()).toBe(0);
  expect([isKnown('a'), isKnown('b'), isKnown('c')]).toEqual([false, false, true]);
});

test('a redemption that is open or ended late is found by its key', async () => {
  const failure = { errorCode: 'UNKNOWN', errorMessage: null, codeReset: false } as const;
  for (const [id, name] of [...['open', 'late', 'early']].map((each, index) => [index + 1, each] as const)) {
    await write(({ redemptions }) => {
      const row = { accountId: 1, actor: 'apiKey:1', gameId: 'game_id_1', playerId: '51' };
      const rest = { mode: 'direct', denomination: null, codeId: null, usageId: null, code: null } as const;
      redemptions.begin({ ...row, ...rest, now: 1 });
      if (name !== 'open') redemptions.settleFailed(id, failure, name === 'late' ? 21 : 20);
    });
    await remember(name, { redemptionId: id });
  }
  expect([await prune(), isKnown('open'), isKnown('late'), isKnown('early')]).toEqual([1, true, true, false]);
});

test('an order that goes on or ended late is found by its key', async () => {
  for (const [index, name] of ['open', 'late', 'early'].entries()) {
    await write(({ orders }) => {
      const row = {
        name,
        accountId: 1,
        actor: 'apiKey:1',
        gameId: 'game_id_1',
        playerId: '51',
        playerName: null,
      };
      const terms = {
        onShortage: 'wait',
        onBadCode: 'stop',
        deadline: null,
        reference: null,
        key: name,
      } as const;
      const id = orders.insert({ ...row, ...terms, now: 1 });
      const now = name === 'late' ? 21 : 20;
      if (name !== 'open') orders.end({ id, name }, { state: 'cancelled', reason: null, now });
    });
    await remember(name, { orderId: index + 1 });
  }
  expect([await prune(), isKnown('open'), isKnown('late'), isKnown('early')]).toEqual([1, true, true, false]);
});

test.each([
  ['add', 'batchId'],
  ['extract', 'extractionId'],
] as const)(
  'a job that runs or ended late is found by its key, and no other job is looked at: %s',
  async (kind, column) => {
    await write(({ batches, extractions, jobs }) => {
      const stockKey = { accountId: 1, gameId: 'game_id_1', actor: 'apiKey:1', now: 1 };
      for (let subjectId = 1; subjectId <= 4; subjectId += 1) {
        batches.open(stockKey);
        extractions.open({ ...stockKey, denomination: 60, requested: 1 });
        const job = { accountId: 1, actor: 'apiKey:1', subjectId, total: 1, now: 1 };
        const id = jobs.open({ ...job, kind });
        // One of another kind that runs keeps nobody.
        jobs.open({ ...job, kind: 'undo' });
        if (subjectId === 2) jobs.end(id, 'done', 21);
        if (subjectId > 2) jobs.end(id, 'done', 20);
      }
    });
    for (const [index, name] of ['running', 'late', 'early', 'earlier'].entries())
      await remember(name, { [column]: index + 1 });
    expect([await prune(), await pruneOfWork()]).toEqual([0, 2]);
    expect(['running', 'late', 'early', 'earlier'].map((name) => isKnown(name))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  },
);
