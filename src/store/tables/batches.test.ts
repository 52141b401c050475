// The batches of an account as they are listed: from a place on, either way, and one actor's alone where that is asked for.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';

test('batches are listed from a place on, of one actor alone where one is named, and of no other account', async () => {
  const t = openTestStore();
  try {
    await t.store.write(({ accounts, batches }) => {
      for (const name of ['shop', 'other']) accounts.insert({ name, now: 0, subscriptionExpiresAt: null });
      for (const [accountId, actor, now] of [
        [1, 'member:7', 1],
        [1, 'member:8', 2],
        [1, 'member:7', 2],
        [2, 'member:7', 3],
        [1, 'member:7', 4],
      ] as const)
        batches.open({ accountId, gameId: 'game_id_1', actor, now });
    });
    const list = (
      actor: string | undefined,
      from = { at: 9, id: 99 },
      limit = 9,
      to: 'older' | 'newer' = 'older',
    ) => t.store.read(({ batches }) => batches.listBeyond(1, actor, from, to, limit).map(({ id }) => id));
    expect([list(undefined), list('member:7'), list('member:8'), list('member:9')]).toEqual([
      [5, 3, 2, 1],
      [5, 3, 1],
      [2],
      [],
    ]);
    expect([list(undefined, { at: 2, id: 3 }), list('member:7', { at: 2, id: 3 })]).toEqual([[2, 1], [1]]);
    expect([list(undefined, undefined, 2), list('member:7', undefined, 2)]).toEqual([
      [5, 3],
      [5, 3],
    ]);
    const on = (actor: string | undefined, limit = 9) => list(actor, { at: 2, id: 2 }, limit, 'newer');
    expect([on(undefined), on('member:7'), on('member:8'), on(undefined, 1)]).toEqual([
      [3, 5],
      [3, 5],
      [],
      [3],
    ]);
  } finally {
    await t.close();
  }
});
