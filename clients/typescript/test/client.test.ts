// The client, the same suite against the mock and against the service itself; and over a line that cuts, doubles and
// delays.
import fc from 'fast-check';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { createClient, verifyWebhook, type ClientOptions } from '../src/index.ts';
import { Mock } from '../src/mock.ts';
import { openService } from './service.ts';

/** A shop's service: where it is, and codes for its database. */
interface Shop {
  options: ClientOptions;
  addCodes(denomination: number, ...codes: string[]): Promise<void>;
  /** Codes that the platform has redeemed. */
  countSpent(): Promise<number>;
  close(): Promise<void>;
}

const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' } as const;
let made = 0;
const mint = (denomination: number) => `${denomination}S${String((made += 1)).padStart(10, '0')}`;
const name = (prefix: string) => `${prefix}${String((made += 1)).padStart(12, '0')}`;
const key = () => ({ key: `order-${(made += 1)}` });

function openMock(): Promise<Shop> {
  const { fetch, stock, spent } = new Mock();
  return Promise.resolve({
    options: { url: 'http://mock.test', apiKey: 'crs_mock', fetch },
    addCodes: (denomination, ...codes) => {
      stock.set(denomination, [...(stock.get(denomination) ?? []), ...codes]);
      return Promise.resolve();
    },
    countSpent: () => Promise.resolve(spent.length),
    close: () => Promise.resolve(),
  });
}

describe.each<[string, () => Promise<Shop>]>([
  ['the mock', openMock],
  ['the service', openService],
])('a client of %s', (_name, open) => {
  let shop: Shop;
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    shop = await open();
    client = createClient(shop.options);
  });
  afterAll(() => shop.close());

  test('redeems from the database once, however often it is asked under one key', async () => {
    await shop.addCodes(60, mint(60), mint(60));
    const before = await shop.countSpent();
    const order = key();
    const first = await client.redeem({ ...PLAYER, denomination: 60 }, order);
    expect(first).toMatchObject({ status: 'redeemed', replayed: false, receipt: { amount: 60 } });
    const again = await client.redeem({ ...PLAYER, denomination: 60 }, order);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await shop.countSpent()).toBe(before + 1);
    const other = await client.redeem({ ...PLAYER, denomination: 325 }, order);
    expect(other).toMatchObject({ status: 'refused', httpStatus: 422 });
  });

  test.each([
    ['USED', 'CODE_USED'],
    ['INVALID', 'INVALID_CODE'],
    ['RISK', 'RISK_CONTROL'],
    ['LOGIN', 'LOGIN_FAILED'],
    ['NOACCOUNT', 'NO_ACCOUNTS_AVAILABLE'],
    ['DOWN', 'NETWORK_ERROR'],
  ])('%s… is told as %s, and not thrown', async (prefix, errorCode) => {
    const told = await client.redeem({ ...PLAYER, codeOverride: name(prefix) }, key());
    expect(told).toMatchObject({ status: 'failed', error: { errorCode } });
  });

  test('a doubt is told as one, and waited for', async () => {
    const told = await client.redeem({ ...PLAYER, codeOverride: name('GARBLED') }, key());
    if (told.status !== 'inDoubt') throw new Error(`it was ${told.status}`);
    expect(await client.settled(told.error.id)).toMatchObject({ status: 'redeemed' });
  });

  test('an order of a sum is composed and done', async () => {
    await shop.addCodes(660, mint(660));
    await shop.addCodes(60, mint(60));
    const order = key();
    const request = { ...PLAYER, amount: 720, reference: order.key };
    const placed = await client.orders.place(request, order);
    if (placed.status !== 'ok') throw new Error(JSON.stringify(placed));
    const ended = await client.orders.ended(placed.value.id);
    expect(ended).toMatchObject({ value: { state: 'done', redeemed: { codes: 2, amount: 720 } } });
    const repeated = await Promise.all(Array.from({ length: 50 }, () => client.orders.place(request, order)));
    expect(new Set(repeated.map((one) => one.status === 'ok' && one.value.id))).toEqual(
      new Set([placed.value.id]),
    );
    const listed = await client.orders.list({ reference: order.key });
    expect(listed).toMatchObject({ value: [{ id: placed.value.id }] });
  });

  test('what cannot be made of the stock is refused, and its key is free', async () => {
    expect(await client.orders.place({ ...PLAYER, amount: 7 }, key())).toMatchObject({
      ...{ status: 'refused', httpStatus: 409, problem: { errorCode: 'NO_COMPOSITION' } },
    });
  });

  test.each([
    ['a code that is none is followed by the next', 'INVALID', { state: 'done' }],
    ['one that another player has used, too', 'USED', { state: 'done' }],
    ['or ends it', 'USED', { state: 'stopped', reason: 'CODE_USED' }, 'stop'],
  ] as const)('%s', async (_name, prefix, end, onBadCode: 'replace' | 'stop' = 'replace') => {
    await shop.addCodes(1800, name(prefix), mint(1800));
    const request = { ...PLAYER, items: [{ denomination: 1800 }], onBadCode };
    const placed = await client.orders.place(request, key());
    if (placed.status !== 'ok') throw new Error(JSON.stringify(placed));
    expect(await client.orders.ended(placed.value.id)).toMatchObject({ value: end });
  });

  test('a stopped one is resumed, an ended one not cancelled', async () => {
    await shop.addCodes(3850, mint(3850));
    const items = [{ codeOverride: name('INVALID') }, { denomination: 3850 }];
    const placed = await client.orders.place({ ...PLAYER, items }, key());
    if (placed.status !== 'ok') throw new Error(JSON.stringify(placed));
    const { id } = placed.value;
    const stopped = { state: 'stopped', reason: 'ITEMS_FAILED', redeemed: { codes: 1, amount: 3850 } };
    expect(await client.orders.ended(id)).toMatchObject({ value: stopped });
    expect(await client.orders.cancel(id)).toMatchObject({ value: { state: 'stopped' } });
    expect(await client.orders.resume(id, key())).toMatchObject({ value: { run: 2 } });
    expect(await client.orders.ended(id)).toMatchObject({ value: stopped });
  });

  test('what is not there is a refusal', async () => {
    expect(await client.orders.find('ord_none')).toMatchObject({ status: 'refused', httpStatus: 404 });
    expect(await client.findRedemption(999_999)).toMatchObject({ status: 'refused', httpStatus: 404 });
  });
});

test('of the service it reads and hands out everything else', async () => {
  const shop = await openService();
  const client = createClient(shop.options);
  const valueOf = async <T>(asked: Promise<{ status: string; value?: T }>): Promise<T | undefined> => {
    const answer = await asked;
    expect(answer.status).toBe('ok');
    return answer.value;
  };
  const code = mint(60);
  await shop.addCodes(60, code, mint(60));
  await valueOf(client.stock.extract({ denomination: 60, amount: 1 }, key()));
  const [{ id } = { id: 0 }] = (await valueOf(client.stock.extractions())) ?? [];
  expect(await valueOf(client.stock.findExtraction(id))).toHaveLength(1);
  const told = await client.redeem({ ...PLAYER, denomination: 60 }, key());
  expect(told).toMatchObject({ status: 'redeemed', receipt: { code } });
  expect(await valueOf(client.history())).toMatchObject([{ code, error: false }]);
  expect(await valueOf(client.statistics({ gameId: PLAYER.gameId }))).toMatchObject({
    activations: { 60: 1 },
  });
  expect(await valueOf(client.findRedemptionTime({ gameId: PLAYER.gameId, code }))).toMatchObject({
    playerId: PLAYER.playerId,
  });
  const { webhooks } = client;
  const url = 'https://93.184.215.14/hook';
  const hook = await valueOf(webhooks.add({ url, events: ['stock.out', 'stock.back'] }));
  expect(hook).toMatchObject({ secret: expect.stringMatching(/^whsec_/) as string });
  const { id: hookId } = hook!;
  const sent = await valueOf(webhooks.test(hookId));
  expect(await valueOf(webhooks.deliveries(hookId))).toMatchObject([{ id: sent!.id }]);
  expect(await valueOf(webhooks.deliveries(hookId, { before: sent!.id }))).toEqual([]);
  await valueOf(webhooks.retry(hookId, sent!.id));
  await valueOf(webhooks.enable(hookId));
  expect(await valueOf(webhooks.list())).toMatchObject([{ url }]);
  expect(await valueOf(webhooks.remove(hookId))).toBeUndefined();
  expect(await valueOf(webhooks.list())).toEqual([]);
  await shop.close();
});

test(
  'a shop behind a line that cuts, doubles and delays spends one code a key',
  { timeout: 60_000 },
  async () => {
    const runs = Number(process.env.CLIENT_SEEDS ?? 200);
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    const faults = fc.array(fc.constantFrom('ok', 'lostRequest', 'lostAnswer', 'twice', 'proxy'), {
      maxLength: 12,
    });
    const prefixes = fc.constantFrom('', '', 'USED', 'DOWN', 'TIMEOUT', 'LOST', 'NOACCOUNT');
    try {
      await fc.assert(
        fc.asyncProperty(faults, fc.array(prefixes, { minLength: 1, maxLength: 4 }), async (line, codes) => {
          const mock = new Mock();
          mock.stock.set(
            60,
            codes.map((prefix) => (prefix === '' ? mint(60) : name(prefix))),
          );
          const fetch = cut(mock.fetch, [...line]);
          const client = createClient({ url: 'http://mock.test', apiKey: 'crs_mock', fetch });
          const [order, purchase] = [key(), key()];
          const asked = [client.redeem({ ...PLAYER, denomination: 60 }, order)];
          asked.push(client.redeem({ ...PLAYER, denomination: 60 }, order));
          const placed = client.orders.place({ ...PLAYER, items: [{ denomination: 60 }] }, purchase);
          await vi.runAllTimersAsync();
          await Promise.all([...asked, placed]);
          expect(mock.spent.length).toBeLessThanOrEqual(2);
        }),
        { numRuns: runs },
      );
    } finally {
      vi.useRealTimers();
    }
  },
);

/** What the line does to each request in turn. */
function cut(fetch: (request: Request) => Promise<Response>, line: string[]) {
  return async (request: Request): Promise<Response> => {
    const fault = line.shift() ?? 'ok';
    if (fault === 'lostRequest') throw new TypeError('the connection was cut');
    if (fault === 'proxy') return new Response('Bad gateway', { status: 502 });
    if (fault === 'twice') await fetch(request.clone());
    const answer = await fetch(request);
    if (fault === 'lostAnswer') throw new TypeError('the connection was cut');
    return answer;
  };
}

test('without a key nothing is sent twice by itself', async () => {
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return Promise.reject(new TypeError('the connection was cut'));
  };
  const client = createClient({ url: 'http://mock.test', apiKey: 'crs_mock', fetch });
  expect(await client.findCharacter(PLAYER)).toMatchObject({ status: 'notKnown' });
  expect(asked).toBe(1);
});

test('a webhook is believed by its signature alone', () => {
  const secret = `whsec_${Buffer.from('a secret of a shop, 32 bytes long').toString('base64')}`;
  const body = JSON.stringify({ type: 'order.settled', timestamp: new Date().toISOString(), data: {} });
  const at = new Date();
  const signature = new Webhook(secret).sign('msg_1', at, body);
  const headers = {
    ...{ 'webhook-id': 'msg_1', 'webhook-signature': signature },
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
  };
  const ofNode: IncomingHttpHeaders = { ...headers, 'set-cookie': ['a', 'b'] };
  for (const each of [headers, ofNode, new Headers(headers)])
    expect(verifyWebhook(secret, each, body)).toMatchObject({ type: 'order.settled' });
  expect(verifyWebhook(secret, headers, `${body} `)).toBeUndefined();
});

test('links are made once under a key, listed, and revoked', async () => {
  const shop = await openService();
  const client = createClient(shop.options);
  await shop.addCodes(60, mint(60), mint(60));
  const lot = { gameId: PLAYER.gameId, denomination: 60, count: 2 } as const;
  const once = key();
  const [made, again] = [await client.claims.issue(lot, once), await client.claims.issue(lot, once)];
  if (made.status !== 'ok' || again.status !== 'ok') throw new Error(made.status);
  expect(again.value).toEqual(made.value);
  const [first, second] = made.value.claims;
  expect(first?.url).toMatch(/^https:\/\/codes\.example\/c\/[\w-]{22}$/);
  const id = first?.id ?? '';
  expect(await client.claims.revoke(id)).toMatchObject({ value: { state: 'revoked' } });
  expect(await client.claims.find(id)).toMatchObject({ value: { state: 'revoked', promised: 0 } });
  expect(await client.claims.list({ state: 'open' })).toMatchObject({ value: [{ id: second?.id }] });
  expect(await client.claims.reopen(id)).toMatchObject({ status: 'refused', httpStatus: 409 });
  await shop.close();
});
