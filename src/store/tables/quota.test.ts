// The charges of a window, read a few at a time.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestStore, type TestStore } from '../../../test/harness/store.ts';

let t: TestStore;
beforeEach(() => {
  t = openTestStore();
});
afterEach(() => t.close());

test.each([15, 16, 17, 32, 40])(
  'all %i are told once, the oldest first, however many share a moment',
  async (count) => {
    const accountId = await t.store.write((tables) => {
      const id = tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
      tables.quota.roll(id, 0, 1_000);
      for (let n = 0; n < count; n += 1)
        tables.quota.charge({
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
