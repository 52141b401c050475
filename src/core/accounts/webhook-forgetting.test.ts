// A delivery that somebody asks for again is owed again for its whole time, however old what it tells is.
import { expect, test } from 'vitest';

import { makeCode, openTestCore } from '../../../test/harness/core.ts';
import { momentOf } from '../../clock.ts';
import { pruneDeliveries } from './webhook-deliveries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

test('what is tried once more shortly before it would be forgotten is kept as long as any other', async () => {
  const t = await openTestCore();
  try {
    const core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
    const url = 'https://shop.example/1';
    const added = await core.webhooks.add(t.actor, { url, events: ['redemption.settled'] });
    if (added.status !== 'added') throw new Error(added.status);
    const { id } = added.webhook;
    await core.redeem(t.actor, { gameId: 'game_id_2', playerId: '5124780131', code: makeCode() });
    const [delivery] = core.webhooks.listDeliveries(t.actor, id);
    const forget = () => t.store.write((tables) => pruneDeliveries(tables, momentOf(t.clock)));

    t.clock.advance(6 * DAY_MS);
    await core.webhooks.retry(t.actor, id, delivery!.id);
    t.clock.advance(2 * DAY_MS);
    await forget();
    expect(core.webhooks.listDeliveries(t.actor, id)).toMatchObject([{ state: 'waiting' }]);
    t.clock.advance(6 * DAY_MS);
    await forget();
    expect(core.webhooks.listDeliveries(t.actor, id)).toEqual([]);
  } finally {
    await t.close();
  }
});
