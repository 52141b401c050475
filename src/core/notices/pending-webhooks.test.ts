// What programs are told: each fact of the account once for every address that asked for it, with all that is said of
// it.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { Core } from '../index.ts';
import { writeNotice, type Notice } from './notices.ts';
import { hasWebhookFor, enqueueSettled, WEBHOOK_EVENTS, type WebhookEvent } from './pending-webhooks.ts';

let t: TestCore;
let core: Core;
beforeEach(async () => {
  t = await openTestCore();
  core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
});
afterEach(() => t.close());

async function listen(events: readonly WebhookEvent[], path: string, actor = t.actor): Promise<number> {
  const answer = await core.webhooks.add(actor, { url: `https://shop.example/${path}`, events });
  if (answer.status !== 'added') throw new Error(answer.status);
  return answer.webhook.id;
}
const facts = (id: number) =>
  core.webhookDeliveries.listDue(id, 100, new Set()).map(({ at, fact }) => ({ at, ...fact }));

test.each<[Notice['kind'], about: object, fact: { type: WebhookEvent } & Record<string, unknown>]>([
  [
    'stockLow',
    { gameId: 'game_id_1', denomination: 325, threshold: 7 },
    { type: 'stock.low', gameId: 'game_id_1', denomination: 325, available: 0, threshold: 7 },
  ],
  ['quotaUsed', { percent: 80 }, { type: 'quota.used', percent: 80 }],
  [
    'subscriptionEnds',
    { endsAt: 1_000, daysLeft: 3 },
    { type: 'subscription.ending', endsAt: 1_000, daysLeft: 3 },
  ],
])('%s is told to every address that asked for it', async (kind, about, fact) => {
  const [first, second] = [await listen([fact.type], '1'), await listen(WEBHOOK_EVENTS, '2')];
  const deaf = await listen(
    WEBHOOK_EVENTS.filter((event) => event !== fact.type),
    '3',
  );
  const others = await listen(WEBHOOK_EVENTS, '4', await t.openAccount());
  const notice = { kind, accountId: t.actor.accountId, ...about } as Notice;
  const now = t.clock.now();
  await t.store.write((tables) => writeNotice(tables, notice, now));
  expect([facts(first), facts(second)]).toEqual([[{ at: now, ...fact }], [{ at: now, ...fact }]]);
  expect([facts(deaf), facts(others)]).toEqual([[], []]);
});

test.each<Notice>([
  { kind: 'webhookOff', accountId: 1, host: 'shop.example' },
  { kind: 'webhookAdded', accountId: 1, host: 'shop.example', key: 'crs_abc' },
  {
    kind: 'extractionUnsent',
    accountId: 1,
    extractionId: 5,
    gameId: 'game_id_1',
    denomination: 60,
    count: 2,
  },
  { kind: 'doubtHeld', accountId: null, ofAccount: 1, redemptionId: 1 },
])('$kind is told to no program', async (notice) => {
  const id = await listen(WEBHOOK_EVENTS, '1');
  await t.store.write((tables) => writeNotice(tables, notice, t.clock.now()));
  expect(facts(id)).toEqual([]);
});

test('the end of a redemption names it, to whoever asked for ends', async () => {
  const [ends, rest] = [await listen(['redemption.settled'], '1'), await listen(['stock.low'], '2')];
  const answer = await core.redeem(t.actor, {
    gameId: 'game_id_2',
    playerId: '5170925570',
    code: '60S0000000009999',
  });
  if (answer.status !== 'answered') throw new Error(answer.status);
  const { id } = answer.redemption;
  const told = expect.objectContaining({ id, state: 'redeemed' }) as unknown;
  expect(facts(ends)).toEqual([
    { at: expect.any(Number) as unknown, type: 'redemption.settled', redemption: told },
  ]);
  await t.store.write((tables) =>
    enqueueSettled(tables, { accountId: t.actor.accountId, id }, t.clock.now()),
  );
  expect([facts(ends).length, facts(rest)]).toEqual([2, []]);
});

test('an event is told where an address asked for it, until it is removed', async () => {
  const { accountId } = t.actor;
  const told = (event: WebhookEvent) => t.store.read((tables) => hasWebhookFor(tables, accountId, event));
  expect(told('quota.used')).toBe(false);
  const id = await listen(['quota.used'], '1');
  expect([told('quota.used'), told('stock.low')]).toEqual([true, false]);
  await core.webhooks.remove(t.actor, id);
  expect(told('quota.used')).toBe(false);
});

test('that none is left is told once, and that there are some again, whatever the threshold', async () => {
  const { members } = await openTestAccount(t.store);
  const apiKey = { kind: 'apiKey', accountId: members.owner.accountId, apiKeyId: 1 } as const;
  const id = await listen(['stock.out', 'stock.back'], '1', apiKey);
  const key = { gameId: 'game_id_1', denomination: 60 };
  const told = () => facts(id).map(({ type }) => type);
  const add = () => core.codes.add(members.owner, key.gameId, [{ denomination: 60, codes: [makeCode()] }]);
  const take = () => core.codes.extract(members.owner, { ...key, amount: 1 });
  const setThreshold = (threshold: number) => core.stockAlerts.set(members.owner, { ...key, threshold });
  await add();
  await setThreshold(0);
  expect(told()).toEqual([]);
  await take();
  for (const threshold of [5, 0, 1]) await setThreshold(threshold);
  expect(told()).toEqual(['stock.out']);
  await add();
  await add();
  expect(told()).toEqual(['stock.out', 'stock.back']);
  await take();
  await take();
  expect(told()).toEqual(['stock.out', 'stock.back', 'stock.out']);
});
