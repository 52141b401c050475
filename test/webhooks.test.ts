// Webhooks from outside: registered over HTTP, received by somebody who verifies with the library of the specification,
// through a kill of the process.
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';

import {
  AddedWebhook,
  WireDelivery,
  WireWebhook as WebhookSchema,
  WEBHOOK_BODIES,
} from '../src/wire/webhooks.ts';
import { Problem } from '../src/wire/problem.ts';
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from './harness/app.ts';
import { createAccount } from './harness/host.ts';
import { startReceiver, type Receiver } from './harness/receiver.ts';
import { makeServiceFolder, spawnService } from './torture/process.ts';

const EVENTS = ['redemption.settled', 'stock.low', 'quota.used', 'subscription.ending'];
const PLAYER = '5124780131';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

type BodyType = keyof typeof WEBHOOK_BODIES;
/** Each body as it came, verified and held against its schema. */
const bodies = (secret: string) =>
  receiver.received.map(({ headers, body }) => {
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>) as {
      type: BodyType;
    };
    return WEBHOOK_BODIES[verified.type].parse(verified);
  });

describe('over HTTP', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startTestApp({ webhooksAllowPrivate: true });
  });
  afterEach(() => app.stop());

  async function ask<Schema extends z.ZodType>(
    path: string,
    init: TestRequest,
    status: number,
    schema: Schema,
  ): Promise<z.infer<Schema>> {
    const answer = await app.request(path, init);
    expect([path, answer.status, answer.json]).toEqual([path, status, answer.json]);
    return schema.parse(answer.json);
  }
  const post = { method: 'POST' };
  const add = (url = receiver.url, events: unknown = EVENTS) =>
    ask('/webhooks', { body: { url, events } }, 201, AddedWebhook);
  const list = (path: string) => ask(path, {}, 200, z.array(WireDelivery));
  const arrived = (count: number) =>
    expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(count);

  test('an address lives from registration to removal, and every answer is as the document tells', async () => {
    const { id, secret, ...webhook } = await add();
    expect(webhook).toMatchObject({ url: receiver.url, events: EVENTS, enabled: true });
    expect(await ask('/webhooks', {}, 200, z.array(WebhookSchema))).toEqual([{ id, ...webhook }]);
    const owed = await ask(`/webhooks/${id}/test`, post, 202, WireDelivery);
    await arrived(1);
    expect(bodies(secret)).toMatchObject([{ type: 'webhook.test', data: {} }]);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(owed.messageId);
    await expect.poll(async () => (await list(`/webhooks/${id}/deliveries`))[0]?.state).toBe('delivered');
    await ask(`/webhooks/${id}/deliveries/${owed.id}/retry`, post, 202, WireDelivery);
    await arrived(2);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(owed.messageId);
    await ask(`/webhooks/${id}/enable`, post, 200, WebhookSchema);
    expect((await app.request(`/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204);
    await ask(`/webhooks/${id}/deliveries`, {}, 404, Problem);
    expect(await ask('/webhooks', {}, 200, z.array(WebhookSchema))).toEqual([]);
  });

  test('a redemption is told as /history tells it, without code and credentials, with its key', async () => {
    const { secret } = await add();
    const redeem = (codeOverride: string, key: string) =>
      app.request('/redeem', {
        body: { gameId: 'game_id_1', playerId: PLAYER, codeOverride },
        headers: { 'idempotency-key': key },
      });
    await redeem('60SWEBHOOK0001AA', 'order-1');
    await redeem('RISKWEBHOOK0002A', 'order-2');
    await redeem('malformed!', 'order-3');
    await arrived(3);
    const told = bodies(secret) as { timestamp: string; data: Record<string, unknown> }[];
    expect(told.map(({ data }) => data.idempotencyKey).toSorted()).toEqual(['order-1', 'order-2', 'order-3']);
    for (const { timestamp, data } of told) {
      const { idempotencyKey: _key, ...record } = data;
      const history = (await app.request(`/history/${String(data.id)}`)).json as Record<string, unknown>;
      const { code: _code, email: _email, password: _password, ...rest } = history;
      expect(record).toEqual(rest);
      expect(timestamp).toBe(history.settledAt);
    }
    const sent = receiver.received.map(({ body }) => body).join();
    for (const hidden of ['WEBHOOK0001', 'WEBHOOK0002', 'malformed']) expect(sent).not.toContain(hidden);
  });

  test('what breaks a rule is told by field, and what is there already is a conflict', async () => {
    const issuesOf = async (body: unknown) => (await ask('/webhooks', { body }, 400, Problem)).issues;
    expect(await issuesOf({ url: 'ftp://a.example', events: EVENTS })).toEqual([
      { path: 'url', message: 'must begin with https://' },
    ]);
    expect(await issuesOf({ url: receiver.url, events: [] })).toMatchObject([{ path: 'events' }]);
    expect(await issuesOf({ url: receiver.url, events: ['all'] })).toMatchObject([{ path: 'events.0' }]);
    expect(await issuesOf({})).toMatchObject([{ path: 'url' }, { path: 'events' }]);
    expect(await issuesOf([])).toHaveLength(1);
    await add();
    await ask('/webhooks', { body: { url: receiver.url, events: EVENTS } }, 409, Problem);
    for (const n of [1, 2, 3, 4]) await add(`${receiver.url}/${n}`);
    await ask('/webhooks', { body: { url: `${receiver.url}/5`, events: EVENTS } }, 409, Problem);
  });

  test.each([
    ['DELETE', '/webhooks/9'],
    ['DELETE', '/webhooks/x'],
    ['POST', '/webhooks/9/test'],
    ['POST', '/webhooks/9/enable'],
    ['GET', '/webhooks/9/deliveries'],
    ['POST', '/webhooks/9/deliveries/1/retry'],
    ['POST', '/webhooks/9007199254740993/deliveries/1e3/retry'],
  ])('%s %s of nothing is a 404', async (method, path) => {
    await ask(path, { method }, 404, Problem);
  });

  test('another account sees and changes nothing of them', async () => {
    const { id } = await add();
    const owed = await ask(`/webhooks/${id}/test`, post, 202, WireDelivery);
    const { apiKey } = await app.core.accounts.create(
      { kind: 'host', by: 'cli' },
      { name: 'Other', days: 30 },
    );
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await app.request('/webhooks', { headers })).json).toEqual([]);
    for (const [method, path] of [
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/enable`],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/deliveries/${owed.id}/retry`],
    ] as const)
      expect([path, (await app.request(path, { method, headers })).status]).toEqual([path, 404]);
    expect(await ask('/webhooks', {}, 200, z.array(WebhookSchema))).toHaveLength(1);
  });

  test('without a key nobody sees or changes anything', async () => {
    const { id } = await add();
    const paths = ['GET /webhooks', 'POST /webhooks', `DELETE /webhooks/${id}`, `POST /webhooks/${id}/test`];
    const answers: TestAnswer[] = [];
    for (const each of paths) {
      const [method = '', path = ''] = each.split(' ');
      answers.push(await app.request(path, { method, headers: { authorization: 'Bearer no' } }));
    }
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await app.request(`/webhooks/${id}`)).headers.get('allow')).toBe('DELETE');
  });
});

test('a private address is refused at registration, unless the host allows it', async () => {
  const app = await startTestApp();
  try {
    for (const url of ['https://127.0.0.1/', 'https://0x7f.1/', 'https://[::ffff:a00:1]/', receiver.url]) {
      const { status } = await app.request('/webhooks', { body: { url, events: EVENTS } });
      expect([url, status]).toEqual([url, 400]);
    }
  } finally {
    await app.stop();
  }
});

test('killed between the fact and its delivery, the next process delivers it', async () => {
  const { folder, remove } = makeServiceFolder();
  const env = { WEBHOOKS_ALLOW_PRIVATE: 'true' };
  let service = await spawnService({ folder, env });
  try {
    const { apiKey } = await createAccount(folder);
    const ask = (path: string, body: unknown) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const added = await ask('/webhooks', { url: receiver.url, events: ['redemption.settled'] });
    const { secret } = AddedWebhook.parse(await added.json());
    receiver.answer = () => undefined;
    await ask('/redeem', { gameId: 'game_id_1', playerId: PLAYER, codeOverride: '60SWEBHOOK0003AA' });
    await service.kill();
    receiver.received.length = 0;
    receiver.answer = (_request, response) => response.writeHead(200).end();
    service = await spawnService({ folder, env });
    await expect.poll(() => receiver.received.length).toBe(1);
    expect(bodies(secret)).toMatchObject([{ type: 'redemption.settled', data: { id: 1 } }]);
    // In order: nothing that runs is left behind.
    await service.kill('SIGINT');
  } finally {
    await service.kill();
    remove();
  }
});
