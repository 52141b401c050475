// The messages that batches were pasted in: each once, in their order, and forgotten with the oldest batch first.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';

test('the messages of a batch are listed as they came, and forgotten a few at a time, the oldest batch first', async () => {
  const t = openTestStore();
  try {
    await t.store.write(({ accounts, batches, pastedMessages }) => {
      accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
      for (const now of [1, 2]) batches.open({ accountId: 1, gameId: 'game_id_1', actor: 'member:1', now });
      pastedMessages.save(2, 30, true);
      pastedMessages.save(1, 20, false);
      pastedMessages.save(1, 10, true);
      // Kept already, as it was.
      pastedMessages.save(1, 10, false);
    });
    const list = (batchId: number, limit = 9) =>
      t.store.read(({ pastedMessages }) => pastedMessages.list(batchId, limit));
    const oldest = () => t.store.read(({ pastedMessages }) => pastedMessages.findOldest());
    const remove = (batchId: number, limit: number) =>
      t.store.write(({ pastedMessages }) => pastedMessages.remove(batchId, limit));
    const [first, second] = [
      { messageId: 10, added: true },
      { messageId: 20, added: false },
    ];
    expect([list(1), list(1, 1), list(2)]).toEqual([
      [first, second],
      [first],
      [{ messageId: 30, added: true }],
    ]);
    expect([oldest(), await remove(1, 1), list(1), oldest()]).toEqual([1, 1, [second], 1]);
    expect([await remove(1, 9), await remove(1, 9), oldest()]).toEqual([1, 0, 2]);
    expect([await remove(2, 9), oldest()]).toEqual([1, undefined]);
  } finally {
    await t.close();
  }
});
