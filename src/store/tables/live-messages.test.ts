// Which messages show which redemptions: what has changed since it was shown, until it is done.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';

test('what is no longer as its message shows it is listed, until it is shown as it stays', async () => {
  const t = openTestStore();
  try {
    const liveMessage = { chatId: 5, messageId: 8, telegramId: 6, language: 'ru', orderKey: 'confirmation' };
    await t.store.write(({ accounts, redemptions, liveMessages }) => {
      accounts.insert({ name: 'shop', now: 0, subscriptionExpiresAt: null });
      for (const at of [1, 2, 3]) {
        const redemptionId = redemptions.begin({
          ...{ reference: `r${at}`, accountId: 1, actor: 'member:6', gameId: 'game_id_1', playerId: '51' },
          ...{ mode: 'direct', denomination: null, codeId: null, usageId: null, code: null, now: at },
        });
        liveMessages.keep(
          at === 2
            ? { ...liveMessage, redemptionId, messageId: null, language: null, orderKey: null }
            : { ...liveMessage, redemptionId },
        );
        // The first message stays.
        liveMessages.keep({ ...liveMessage, redemptionId, chatId: 99 });
      }
    });
    const list = (limit = 9) => t.store.read(({ liveMessages }) => liveMessages.listChanged(limit));
    expect(list()).toEqual([]);
    const failure = { errorCode: 'UNKNOWN', errorMessage: null };
    await t.store.write(({ redemptions }) => {
      redemptions.doubt(1, failure, 4, 4);
      redemptions.settleFailed(2, { ...failure, codeReset: false }, 4);
    });
    expect(list()).toEqual([
      { ...liveMessage, redemptionId: 1, state: 'in_doubt', shown: 'pending' },
      {
        redemptionId: 2,
        chatId: 5,
        messageId: null,
        telegramId: 6,
        language: null,
        orderKey: null,
        state: 'failed',
        shown: 'pending',
      },
    ]);
    expect(list(1)).toHaveLength(1);
    expect([1, 9].map((id) => t.store.read(({ liveMessages }) => liveMessages.findReader(id)))).toEqual([
      6,
      undefined,
    ]);
    const shown = await t.store.write(({ liveMessages }) => [
      liveMessages.show(1, 'in_doubt', false),
      liveMessages.show(2, 'failed', true),
      liveMessages.show(2, 'redeemed', true),
    ]);
    expect([shown, list()]).toEqual([[true, true, false], []]);
    // What is not done is not forgotten, nor what began later.
    const forget = (until: number) => t.store.write(({ liveMessages }) => liveMessages.forget(until, 9));
    expect([await forget(1), await forget(9), await forget(9)]).toEqual([0, 1, 0]);
    await t.store.write(({ redemptions }) =>
      redemptions.settleFailed(1, { ...failure, codeReset: false }, 5),
    );
    expect(list().map(({ redemptionId, state, shown }) => [redemptionId, state, shown])).toEqual([
      [1, 'failed', 'in_doubt'],
    ]);
  } finally {
    await t.close();
  }
});
