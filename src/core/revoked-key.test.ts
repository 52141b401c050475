// A key may end while its request is still on the way: a body takes up to half a minute. What it orders is then not
// done.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import type { ApiKeyActor } from './context.ts';
import type { Core } from './index.ts';

const GAME = 'game_id_1';
const HOST = { kind: 'host', by: 'cli' } as const;
const URL = 'https://shop.example/hook';

let t: TestCore;
let core: Core;
let actor: ApiKeyActor;

beforeEach(async () => {
  t = await openTestCore();
  core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
  const { accountId } = t.actor;
  await core.apiKeys.forHost.issue(HOST, { accountId });
  const { id } = await core.apiKeys.forHost.issue(HOST, { accountId });
  actor = { kind: 'apiKey', accountId, apiKeyId: id };
  await core.codes.add(actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  await core.webhooks.add(actor, { url: URL, events: ['stock.low'] });
});
afterEach(() => t.close());

const state = () => ({
  available: core.codes.countAvailable(t.actor, GAME),
  used: core.quota(t.actor).daily.used,
  history: core.receipts.list(t.actor, {}),
  webhooks: core.webhooks.list(t.actor),
});

const ORDERS: Record<string, (core: Core) => Promise<unknown>> = {
  'a redemption': () => core.redeem(actor, { gameId: GAME, playerId: '5170925570', denomination: 60 }),
  'a look-up of a player': () => core.findCharacter(actor, { gameId: GAME, playerId: '5170925570' }),
  'a look-up of a code': () => core.findRedemptionTime(actor, { gameId: GAME, code: makeCode() }),
  'an addition': () => core.codes.add(actor, GAME, [{ denomination: 60, codes: [makeCode()] }]),
  'an extraction': () => core.codes.extract(actor, { gameId: GAME, denomination: 60, amount: 1 }),
  'a new webhook': () => core.webhooks.add(actor, { url: `${URL}/2`, events: ['stock.low'] }),
  'the end of a webhook': () => core.webhooks.remove(actor, 1),
  'a trial of a webhook': () => core.webhooks.test(actor, 1),
};

test.each(Object.entries(ORDERS))('%s that a revoked key ordered is not done', async (_, order) => {
  const before = state();
  await core.apiKeys.forHost.revoke(HOST, actor.apiKeyId);
  await expect(order(core)).rejects.toMatchObject({ code: 'KEY_REVOKED' });
  expect(state()).toEqual(before);
  expect(t.platform.orders).toEqual([]);
});

test.each(Object.entries(ORDERS))(
  '%s of a key that lives is done, whatever became of others',
  async (_, order) => {
    await core.apiKeys.forHost.revoke(HOST, actor.apiKeyId - 1);
    await expect(order(core)).resolves.toBeDefined();
  },
);
