// What people are to be told: once each, in its order, and forgotten with its time.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';

test('a notice waits until somebody marks it as told, which one does; the oldest are forgotten, told or not', async () => {
  const t = openTestStore();
  try {
    await t.store.write(({ accounts, notices }) => {
      accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
      for (const [now, accountId] of [
        [1, 1],
        [2, null],
        [3, 1],
      ] as const)
        notices.insert({ accountId, kind: 'stockLow', payload: { left: now }, now });
    });
    const list = (limit = 9) => t.store.read(({ notices }) => notices.listWaiting(limit));
    expect(list(2)).toEqual([
      { id: 1, accountId: 1, kind: 'stockLow', payload: { left: 1 }, at: 1 },
      { id: 2, accountId: null, kind: 'stockLow', payload: { left: 2 }, at: 2 },
    ]);
    const told = await t.store.write(({ notices }) => [2, 2, 99].map((id) => notices.markDelivered(id, 7)));
    expect([told, list().map(({ id }) => id)]).toEqual([
      [true, false, false],
      [1, 3],
    ]);
    const forget = (until: number, limit = 9) => t.store.write(({ notices }) => notices.forget(until, limit));
    expect([await forget(0), await forget(2, 1), await forget(2), await forget(2)]).toEqual([0, 1, 1, 0]);
    expect(list().map(({ id }) => id)).toEqual([3]);
  } finally {
    await t.close();
  }
});
