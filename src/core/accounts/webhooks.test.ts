import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listWithRecipients } from '../../../test/harness/notices.ts';
import { openTestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AccountActor, Core, MemberActor, WebhookEvent } from '../index.ts';
import { momentOf } from '../../clock.ts';
import type { CheckAddress } from './webhooks.ts';

const ALL: WebhookEvent[] = ['redemption.settled', 'stock.low', 'quota.used', 'subscription.ending'];
const DAY_MS = 24 * 60 * 60 * 1000;

let t: TestCore;
let core: Core;
beforeEach(async () => {
  t = await openTestCore();
  core = t.restart({ checkWebhookAddress: takeAll });
});
afterEach(() => t.close());

const takeAll: CheckAddress = (url) =>
  Promise.resolve(url.startsWith('https://') ? { url } : { flaw: 'notHttps' });

async function add(url = 'https://shop.example/hook', events = ALL, actor: AccountActor = t.actor) {
  const answer = await core.webhooks.add(actor, { url, events });
  if (answer.status !== 'added') throw new Error(answer.status);
  return answer;
}

describe('registering', () => {
  test('tells the signing secret once, and keeps it sealed', async () => {
    const { secret, webhook } = await add('https://shop.example/hook?token=quiet', [
      'stock.low',
      'redemption.settled',
    ]);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook.events).toEqual(['redemption.settled', 'stock.low']);
    expect(JSON.stringify(core.webhooks.list(t.actor))).not.toContain(secret.slice(6));
    expect(core.webhooks.list(t.actor)).toEqual([webhook]);
  });

  test('refuses what the look at the address refuses, one that is known, and a sixth', async () => {
    expect(await core.webhooks.add(t.actor, { url: 'http://shop.example', events: ALL })).toEqual({
      status: 'refused',
      flaw: 'notHttps',
    });
    const urls = [1, 2, 3, 4, 5].map((n) => `https://shop.example/${n}`);
    for (const url of urls) await add(url);
    expect(await core.webhooks.add(t.actor, { url: urls[0]!, events: ALL })).toEqual({ status: 'known' });
    expect(await core.webhooks.add(t.actor, { url: 'https://shop.example/6', events: ALL })).toEqual({
      status: 'tooMany',
    });
    await core.webhooks.remove(t.actor, core.webhooks.list(t.actor)[0]!.id);
    await add('https://shop.example/6');
  });

  test('by a program is told to whoever may manage webhooks, by host and key; by a member to nobody', async () => {
    const { accountId, members } = await openTestAccount(t.store);
    const { id: apiKeyId, key } = await core.apiKeys.issue(members.owner);
    await add('https://shop.example/hook?token=quiet', ALL, { kind: 'apiKey', accountId, apiKeyId });
    await add('https://own.example/', ALL, members.owner);
    const waiting = listWithRecipients(core, t.store);
    expect(waiting.map(({ notice, recipients }) => [notice, recipients])).toEqual([
      [
        { kind: 'webhookAdded', accountId, host: 'shop.example', key: key.slice(0, 12) },
        [{ telegramId: members.owner.telegramId, isOwn: false }],
      ],
    ]);
  });

  test('two at once of one address register it once', async () => {
    const asked = { url: 'https://shop.example/hook', events: ALL };
    const answers = await Promise.all([core.webhooks.add(t.actor, asked), core.webhooks.add(t.actor, asked)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['added', 'known']);
  });

  test('a core that was given no way to look at addresses takes none', async () => {
    const answer = await t.core.webhooks.add(t.actor, { url: 'https://shop.example', events: ALL });
    expect(answer).toEqual({ status: 'refused', flaw: 'unresolved' });
  });
});

describe('who may', () => {
  test('the owner and keys, nobody else', async () => {
    const { webhook } = await add();
    for (const role of ['admin', 'operator', 'support'] as const) {
      const actor: MemberActor = { kind: 'member', accountId: t.actor.accountId, telegramId: 5, role };
      expect(() => core.webhooks.list(actor)).toThrow('Your role may not');
      await expect(core.webhooks.add(actor, { url: 'https://a.example', events: ALL })).rejects.toThrow(
        'role',
      );
      await expect(core.webhooks.remove(actor, webhook.id)).rejects.toThrow();
    }
  });

  test('another account finds, changes and removes nothing', async () => {
    const { webhook } = await add();
    await core.webhooks.test(t.actor, webhook.id);
    const delivery = core.webhooks.listDeliveries(t.actor, webhook.id)[0]!.id;
    const other = await t.openAccount();
    const { id } = webhook;
    expect(core.webhooks.list(other)).toEqual([]);
    expect(() => core.webhooks.listDeliveries(other, id)).toThrow('no such webhook');
    for (const attempt of [
      () => core.webhooks.remove(other, id),
      () => core.webhooks.test(other, id),
      () => core.webhooks.enable(other, id),
      () => core.webhooks.retry(other, id, delivery),
    ])
      await expect(attempt()).rejects.toThrow('no such webhook');
    const own = await add('https://other.example', ALL, other);
    await expect(core.webhooks.retry(other, own.webhook.id, delivery)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no such delivery of this webhook.',
    });
  });
});

describe('trying', () => {
  test('owes a message that means nothing, ten a minute', async () => {
    const { webhook } = await add();
    for (let n = 0; n < 10; n += 1) await core.webhooks.test(t.actor, webhook.id);
    expect(await core.webhooks.test(t.actor, webhook.id)).toEqual({ status: 'tooOften' });
    t.clock.advance(60_000);
    expect(await core.webhooks.test(t.actor, webhook.id)).toMatchObject({
      status: 'pending',
      delivery: { type: 'webhook.test', state: 'waiting', attempts: 0 },
    });
  });

  test('a delivery that is asked for again is told as it stands then: due, and with what was tried', async () => {
    const { webhook } = await add();
    await core.webhooks.test(t.actor, webhook.id);
    const [{ id } = { id: 0 }] = core.webhooks.listDeliveries(t.actor, webhook.id);
    t.clock.advance(5_000);
    const asked = await core.webhooks.retry(t.actor, webhook.id, id);
    expect(asked).toMatchObject({ id, type: 'webhook.test', state: 'waiting', attempts: 0 });
    expect(core.webhooks.listDeliveries(t.actor, webhook.id)).toEqual([asked]);
  });

  test('is bounded whatever else the address is told meanwhile, each address by itself', async () => {
    const { webhook } = await add();
    const { webhook: other } = await add('https://shop.example/other');
    for (let n = 0; n < 10; n += 1) {
      t.clock.advance(1_000);
      await core.webhooks.test(t.actor, webhook.id);
    }
    for (let n = 0; n < 3; n += 1)
      await core.redeem(t.actor, { gameId: 'game_id_2', playerId: '5124780131', code: makeCode() });
    expect(await core.webhooks.test(t.actor, webhook.id)).toEqual({ status: 'tooOften' });
    expect(await core.webhooks.test(t.actor, other.id)).toMatchObject({ status: 'pending' });
    // The first of the ten is a minute ago, the second not yet.
    t.clock.advance(51_000);
    expect(await core.webhooks.test(t.actor, webhook.id)).toMatchObject({ status: 'pending' });
    expect(await core.webhooks.test(t.actor, webhook.id)).toEqual({ status: 'tooOften' });
  });
});

describe('removing', () => {
  test('ends all that is owed, at once, and leaves no row', async () => {
    const { webhook } = await add();
    await core.redeem(t.actor, { gameId: 'game_id_2', playerId: '5124780131', code: makeCode() });
    const due = () => core.webhookDeliveries.listDueWebhooks(0, 10).due;
    expect(due()).toHaveLength(1);
    await core.webhooks.remove(t.actor, webhook.id);
    expect(due()).toEqual([]);
    expect(core.webhookDeliveries.listDue(webhook.id, 10, new Set())).toEqual([]);
    t.clock.advance(8 * DAY_MS);
    await pruneAll();
    expect(t.store.read((tables) => tables.webhookDeliveries.list(webhook.id, 10))).toEqual([]);
    expect(t.store.read((tables) => tables.webhooks.listRemoved(10))).toEqual([]);
  });
});

describe('what is old', () => {
  test('is forgotten after seven days, and not before', async () => {
    const { webhook } = await add();
    await core.webhooks.test(t.actor, webhook.id);
    t.clock.advance(7 * DAY_MS - 1);
    await pruneAll();
    expect(core.webhooks.listDeliveries(t.actor, webhook.id)).toHaveLength(1);
    t.clock.advance(1);
    await pruneAll();
    expect(core.webhooks.listDeliveries(t.actor, webhook.id)).toEqual([]);
  });
});

async function pruneAll(): Promise<void> {
  const { pruneDeliveries } = await import('./webhook-deliveries.ts');
  while (await t.store.write((tables) => pruneDeliveries(tables, momentOf(t.clock))));
}
