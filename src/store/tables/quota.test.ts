// The running total of a window, to the millisecond, and its usages, read a few at a time.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';

let t: TestStore;
beforeEach(() => {
  t = openTestStore();
  t.allowDrift();
});
afterEach(() => t.close());

test.each([15, 16, 17, 32, 40])(
  'all %i are told once, the oldest first, however many share a moment',
  async (count) => {
    const accountId = await t.store.write((tables) => {
      const id = tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
      tables.quota.roll(id, 0);
      for (let n = 0; n < count; n += 1)
        tables.quota.book({
          accountId: id,
          at: 1_000 + Math.floor(n / 3),
          start: 0,
          daily: (n % 4) + 1,
          purchased: 0,
          kind: 'redeem',
        });
      return id;
    });
    const told = t.store.read((tables) => [...tables.quota.listCounted(accountId, 0)]);
    expect(told.map(({ at }) => at)).toEqual(
      Array.from({ length: count }, (_, n) => 1_000 + Math.floor(n / 3)),
    );
    const quarters = told.map(({ dailyQuarters }) => dailyQuarters).sort();
    expect(quarters).toEqual(Array.from({ length: count }, (_, n) => (n % 4) + 1).sort());
    expect(t.store.read((tables) => [...tables.quota.listCounted(accountId, 1_000)])).toHaveLength(count - 3);
  },
);

/** An account with usages of so many daily quarters at these moments. */
function openCharged(
  ...charged: [at: number, daily: number][]
): Promise<{ accountId: number; ids: number[] }> {
  return t.store.write((tables) => {
    const accountId = tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
    tables.quota.roll(accountId, 0);
    const ids = charged.map(([at, daily]) =>
      tables.quota.book({ accountId, at, start: 0, daily, purchased: 0, kind: 'redeem' }),
    );
    return { accountId, ids };
  });
}
const peek = (accountId: number, start: number) =>
  t.store.read(({ quota }) => quota.peek(accountId, start).used);
const roll = (accountId: number, start: number) =>
  t.store.write(({ quota }) => quota.roll(accountId, start).used);

test('a usage counts after the start of the window, not at it, and leaves it once', async () => {
  const { accountId } = await openCharged([1_000, 4], [2_000, 3]);
  const starts = [999, 1_000, 1_000, 1_500, 1_999, 2_000, 2_001];
  expect(starts.map((start) => peek(accountId, start))).toEqual([7, 3, 3, 3, 3, 0, 0]);
  const rolled = [];
  for (const start of starts) rolled.push(await roll(accountId, start));
  expect(rolled).toEqual([7, 3, 3, 3, 3, 0, 0]);
});

test('a usage that is returned counts no more, once, and not where it has left the window already', async () => {
  const { accountId, ids } = await openCharged([1_000, 4], [2_000, 3], [3_000, 2]);
  const giveBack = (id: number) => t.store.write(({ quota }) => quota.giveBack(id, 5_000));
  expect(await roll(accountId, 1_000)).toBe(5);
  expect([await giveBack(ids[0]!), peek(accountId, 1_000)]).toEqual([true, 5]);
  expect([await giveBack(ids[1]!), peek(accountId, 1_000)]).toEqual([true, 2]);
  expect([await giveBack(ids[1]!), peek(accountId, 1_000)]).toEqual([false, 2]);
  expect(t.store.read(({ quota }) => ids.map((id) => quota.isReturned(id)))).toEqual([true, true, false]);
});

test('300 activations are the most that a window takes; what was purchased is no part of it', async () => {
  const { accountId } = await openCharged([1_000, 1_199]);
  const usage = (daily: number, purchased = 0) =>
    t.store.write(({ quota }) =>
      quota.book({ accountId, at: 2_000, start: 0, daily, purchased, kind: 'redeem' }),
    );
  await expect(usage(2)).rejects.toThrow('no room for 2 quarters');
  await usage(1);
  await expect(usage(1)).rejects.toThrow('no room');
  await t.store.write(({ quota }) => quota.credit(accountId, 4));
  await usage(0, 4);
  await expect(usage(0, 1)).rejects.toThrow();
  await expect(t.store.write(({ quota }) => quota.credit(accountId, -1))).rejects.toThrow();
  expect(peek(accountId, 0)).toBe(1_200);
});
