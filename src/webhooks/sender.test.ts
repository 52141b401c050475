// The sender over a real core and real receivers on this machine.
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { startReceiver, type Receiver } from '../../test/harness/receiver.ts';
import type { Core, WebhookEvent } from '../core/index.ts';
import { createAddresses } from './addresses.ts';
import type { HostAddress } from './look-up.ts';
import { createWebhookSender, type SenderDeps } from './sender.ts';

const ALL: WebhookEvent[] = ['redemption.settled', 'stock.low', 'quota.used', 'subscription.ending'];
const HOUR_MS = 60 * 60 * 1000;
/** Of one address in a minute. */
const MOST_TESTS = 10;
const addresses = createAddresses({ allowPrivate: true });

/** Something arrived, its outcome was written, or an error told. */
const news = new EventEmitter();
const tell = () => void news.emit('news');
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await once(news, 'news');
}
const receive = () => startReceiver(createServer, tell);

let t: TestCore;
let core: Core;
let receiver: Receiver;
let ends: (() => Promise<void>)[];
let errors: string[];

beforeEach(async () => {
  t = await openTestCore();
  t.clock.set(Date.now());
  t.actor = await t.openAccount();
  core = t.restart({ checkWebhookAddress: addresses.check });
  receiver = await receive();
  ends = [() => receiver.close()];
  errors = [];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  await t.close();
});

function start(parts: Partial<SenderDeps> = {}) {
  const log = {
    error(fields: object, message: string) {
      errors.push(`${message} ${JSON.stringify(fields)}`);
      tell();
    },
  };
  const { webhookDeliveries } = parts.core ?? core;
  const report: typeof webhookDeliveries.report = (...how) => webhookDeliveries.report(...how).finally(tell);
  const told = { webhookDeliveries: { ...webhookDeliveries, report } };
  const sender = createWebhookSender({ clock: t.clock, log, addresses, tickMs: 10, ...parts, core: told });
  ends.push(() => sender.stop());
  sender.start();
  return sender;
}
async function add(url = receiver.url, actor = t.actor) {
  const answer = await core.webhooks.add(actor, { url, events: ALL });
  if (answer.status !== 'added') throw new Error(JSON.stringify(answer));
  return answer;
}
const redeem = (key?: string) =>
  core.redeem(t.actor, {
    gameId: 'game_id_2',
    playerId: '5124780131',
    code: makeCode(),
    ...(key !== undefined && { idempotencyKey: { scope: 'http', key } as const }),
  });
const deliveries = (id: number) => core.webhooks.listDeliveries(t.actor, id);
const settled = (id: number, state: string) => until(() => deliveries(id)[0]?.state === state);
const arrived = (count: number, at = receiver) => until(() => at.received.length >= count);

describe('what arrives', () => {
  test('is signed as the specification has it: its own library takes it, and nothing that was changed', async () => {
    const { secret, webhook } = await add();
    start();
    await redeem('order-7');
    await settled(webhook.id, 'delivered');
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const verifier = new Webhook(secret);
    const sent = headers as Record<string, string>;
    expect(verifier.verify(body, sent)).toEqual({
      type: 'redemption.settled',
      timestamp: expect.any(String) as unknown,
      data: expect.objectContaining({
        type: 'ActivationReceipt',
        id: 1,
        openid: 'open-5124780131',
        idempotencyKey: 'order-7',
      }) as unknown,
    });
    expect(headers['content-type']).toBe('application/json');
    expect(() => verifier.verify(`${body} `, sent)).toThrow();
    const { secret: other } = await add(`${receiver.url}/other`);
    expect(() => new Webhook(other).verify(body, sent)).toThrow();
  });

  test('holds no code and no credentials', async () => {
    const { webhook } = await add();
    start();
    const code = makeCode();
    const { platform } = t;
    await core.redeem(t.actor, { gameId: 'game_id_2', playerId: '5124780131', code });
    platform.script.redeem = () => ({
      status: 'refused',
      errorCode: 'RISK_CONTROL',
      message: `the code ${code}x was refused`,
      asked: true,
    });
    await core.redeem(t.actor, { gameId: 'game_id_2', playerId: '5124780131', code: `${code}x` });
    await arrived(2);
    await settled(webhook.id, 'delivered');
    const all = receiver.received.map(({ body }) => body).join();
    expect(all).toContain('RISK_CONTROL');
    expect(all).not.toContain(code);
    const receipt = core.receipts.find(t.actor, 1);
    expect(receipt?.credentials?.password).toBeDefined();
    expect(all).not.toContain(receipt?.credentials?.password);
    expect(all).not.toContain(receipt?.credentials?.email);
  });

  test('has the same id and body at every attempt and address, a greater id for what comes later', async () => {
    const both = [await add(), await add(`${receiver.url}/other`)];
    receiver.answer = (_request, response) => response.writeHead(500).end();
    start();
    await redeem();
    await arrived(2);
    for (const { webhook } of both) await until(() => deliveries(webhook.id)[0]?.attempts === 1);
    receiver.answer = (_request, response) => response.writeHead(200).end();
    t.clock.advance(5_000);
    await arrived(4);
    await redeem();
    await arrived(6);
    const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(new Set(receiver.received.slice(0, 4).map(({ body }) => body)).size).toBe(1);
    expect(ids[4]! > ids[0]!).toBe(true);
  });
});

describe('an answer', () => {
  test.each([
    [500, 'It answered 500.'],
    [404, 'It answered 404.'],
    [302, 'It answered 302, and redirects are not followed.'],
  ])('%i is a failure, and nothing is followed', async (status, problem) => {
    const elsewhere = await receive();
    ends.push(() => elsewhere.close());
    receiver.answer = (_request, response) => response.writeHead(status, { location: elsewhere.url }).end();
    const { webhook } = await add();
    start();
    await core.webhooks.test(t.actor, webhook.id);
    await until(() => deliveries(webhook.id)[0]?.problem === problem);
    expect(deliveries(webhook.id)).toMatchObject([{ state: 'waiting', status, attempts: 1 }]);
    expect(elsewhere.received).toEqual([]);
  });

  test('that never comes is given up in time', async () => {
    receiver.answer = () => undefined;
    const { webhook } = await add();
    start({ timeoutMs: 50 });
    await core.webhooks.test(t.actor, webhook.id);
    await until(() => deliveries(webhook.id)[0]?.problem === 'It did not answer within 1 s.');
    expect(deliveries(webhook.id)[0]).not.toHaveProperty('status');
  });

  test('without end is read to a bound, and counts by its status', async () => {
    let sent = 0;
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 1;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    const { webhook } = await add();
    start();
    await core.webhooks.test(t.actor, webhook.id);
    await settled(webhook.id, 'delivered');
    expect(sent).toBeLessThan(200);
  });

  test.each([
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: ' + 'x'.repeat(100_000) + '\r\n\r\n',
    'no answer at all\r\n\r\n',
  ])('that is none ends the attempt, and holds no place: %.24s', async (words) => {
    receiver.answer = (request) => request.socket.end(words);
    const { webhook } = await add();
    start();
    for (let n = 0; n < 5; n += 1) await core.webhooks.test(t.actor, webhook.id);
    await arrived(5);
    await until(() => deliveries(webhook.id).every(({ attempts }) => attempts === 1));
    expect(deliveries(webhook.id).every(({ state }) => state === 'waiting')).toBe(true);
  });

  test('that nobody gives: a closed port, a broken connection', async () => {
    const gone = await receive();
    await gone.close();
    const { webhook } = await add(gone.url);
    start();
    await core.webhooks.test(t.actor, webhook.id);
    await until(() => deliveries(webhook.id)[0]?.problem === 'It refused the connection.');
    receiver.answer = (request) => request.socket.destroy();
    const broken = await add();
    await core.webhooks.test(t.actor, broken.webhook.id);
    await until(() => deliveries(broken.webhook.id)[0]?.problem === 'It broke the connection off.');
  });
});

describe('where it goes', () => {
  test('is where the look at the name led, and to nobody where it led to something private', async () => {
    const found: HostAddress[][] = [];
    const strict = createAddresses({
      allowPrivate: false,
      lookUp: () => Promise.resolve(found.shift() ?? []),
    });
    core = t.restart({ checkWebhookAddress: strict.check });
    found.push([{ address: '93.184.215.14', family: 4 }], [{ address: '127.0.0.1', family: 4 }]);
    const { webhook } = await add(`https://shop.example:${receiver.port}/hook`);
    start({ addresses: strict });
    await core.webhooks.test(t.actor, webhook.id);
    await until(() => deliveries(webhook.id)[0]?.problem === 'The host has an address that is not public.');
    expect(receiver.received).toEqual([]);
  });

  test('is pinned: the name is not asked again on the way', async () => {
    const pinned = {
      resolve: (text: string) =>
        Promise.resolve({ url: new URL(text), addresses: [{ address: '127.0.0.1', family: 4 as const }] }),
    };
    core = t.restart({ checkWebhookAddress: (url) => Promise.resolve({ url }) });
    const { webhook } = await add(`http://no-such-name.invalid:${receiver.port}/hook`);
    start({ addresses: pinned });
    await core.webhooks.test(t.actor, webhook.id);
    await settled(webhook.id, 'delivered');
    expect(receiver.received[0]?.headers.host).toBe(`no-such-name.invalid:${receiver.port}`);
  });

  test('is looked at within the time of the attempt, too', async () => {
    const { webhook } = await add();
    start({ addresses: { resolve: () => new Promise(() => undefined) }, timeoutMs: 30 });
    await core.webhooks.test(t.actor, webhook.id);
    await until(() => deliveries(webhook.id)[0]?.problem?.includes('did not answer') === true);
  });
});

describe('beside each other', () => {
  test('one that hangs holds up no other, and no more than four of its own are tried at once', async () => {
    const quick = await receive();
    ends.push(() => quick.close());
    receiver.answer = () => undefined;
    const slow = await add();
    const { webhook } = await add(quick.url);
    start();
    for (let n = 0; n < 20; n += 1) await redeem();
    await arrived(20, quick);
    await settled(webhook.id, 'delivered');
    expect(receiver.open()).toBe(4);
    expect(deliveries(slow.webhook.id).every(({ state }) => state === 'waiting')).toBe(true);
  });

  test('a crowd of dead addresses leaves places for one that lives', async () => {
    const quick = await receive();
    ends.push(() => quick.close());
    receiver.answer = () => undefined;
    for (let n = 0; n < 14; n += 1) {
      const actor = await t.openAccount();
      for (let m = 0; m < 5; m += 1) {
        const { webhook } = await add(`${receiver.url}/${n}/${m}`, actor);
        await t.store.write((tables) => tables.webhooks.noteFailing(webhook.id, t.clock.now()));
        for (let times = 0; times < 4; times += 1) await core.webhooks.test(actor, webhook.id);
      }
    }
    const { webhook } = await add(quick.url);
    start();
    await arrived(64);
    await core.webhooks.test(t.actor, webhook.id);
    await settled(webhook.id, 'delivered');
    expect(receiver.open()).toBe(64);
  });

  test('a crowd of failing addresses that are owed much goes round with one that is owed little', async () => {
    receiver.answer = (_request, response) => response.writeHead(500).end();
    const failing = async (path: string, actor: typeof t.actor, owed: number) => {
      const { webhook } = await add(`${receiver.url}/${path}`, actor);
      await t.store.write((tables) => tables.webhooks.noteFailing(webhook.id, t.clock.now()));
      for (let times = 0; times < owed; times += 1) await core.webhooks.test(actor, webhook.id);
    };
    for (let n = 0; n < 4; n += 1) {
      const actor = await t.openAccount();
      for (let m = 0; m < 4; m += 1) await failing(`crowd/${n}/${m}`, actor, MOST_TESTS);
    }
    await failing('one', t.actor, 1);
    start();
    await arrived(16 * MOST_TESTS + 1);
    const at = receiver.received.findIndex(({ path }) => path === '/hook/one');
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThan(16 * MOST_TESTS - 64);
  });
});

describe('an end of the process', () => {
  test('in the middle of a delivery comes at once, and it is delivered by the next', async () => {
    receiver.answer = () => undefined;
    const { webhook } = await add();
    const first = start();
    await redeem();
    await arrived(1);
    await first.stop();
    expect(deliveries(webhook.id)).toMatchObject([{ state: 'waiting', attempts: 0 }]);
    receiver.answer = (_request, response) => response.writeHead(200).end();
    start();
    await settled(webhook.id, 'delivered');
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
  });

  test('before anything was sent loses nothing: the fact was written with what it owes', async () => {
    const { webhook } = await add();
    await redeem();
    expect(receiver.received).toEqual([]);
    core = t.restart({ checkWebhookAddress: addresses.check });
    start();
    await settled(webhook.id, 'delivered');
  });
});

describe('trouble of ours', () => {
  test('a full disk repeats no delivery: how it went is written as soon as it can be', async () => {
    const { webhook } = await add();
    let full = true;
    const { webhookDeliveries } = core;
    const failing: SenderDeps['core'] = {
      webhookDeliveries: {
        ...webhookDeliveries,
        report: (...how) =>
          full ? Promise.reject(new Error('disk full')) : webhookDeliveries.report(...how),
      },
    };
    start({ core: failing });
    await core.webhooks.test(t.actor, webhook.id);
    await arrived(1);
    await until(() => errors.length === 1);
    full = false;
    await settled(webhook.id, 'delivered');
    expect(receiver.received).toHaveLength(1);
  });

  test('nothing that is logged names the address, its secret or what was told', async () => {
    const { secret, webhook } = await add(`${receiver.url}?token=quiet`);
    const failing: SenderDeps['core'] = {
      webhookDeliveries: { ...core.webhookDeliveries, report: () => Promise.reject(new Error('disk full')) },
    };
    const sender = start({ core: failing });
    await core.webhooks.test(t.actor, webhook.id);
    await until(() => errors.length > 0);
    await sender.stop();
    for (const hidden of [secret.slice(6), 'quiet', 'webhook.test'])
      expect(errors.join()).not.toContain(hidden);
  });
});

test('an hour of silence is tried a handful of times, not for ever', async () => {
  receiver.answer = (_request, response) => response.writeHead(500).end();
  const { webhook } = await add();
  start();
  await core.webhooks.test(t.actor, webhook.id);
  for (let passed = 0; passed < HOUR_MS;) {
    const before = deliveries(webhook.id)[0]!;
    await until(() => deliveries(webhook.id)[0]!.attempts > before.attempts);
    const next = deliveries(webhook.id)[0]!.nextAttemptAt! - t.clock.now();
    passed += next;
    t.clock.advance(next);
  }
  expect(receiver.received.length).toBeLessThan(10);
});
