// What a client says of a request that the service has carried out, and whose answer it never saw: never that nothing was
// begun. Each verb over each faulty line, against the service itself, on simulated time.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { HOST } from '../../../src/cli/verbs.ts';
import { openReached, type Reached } from '../../../test/world/play/reached.ts';
import { createClient } from '../src/index.ts';

const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' } as const;
/** Room for one repetition. */
const RETRY_FOR_MS = 1_200;

type Client = ReturnType<typeof createClient>;
type Pass = (request: Request) => Promise<Response>;
type End = () => Promise<unknown>;
/** What the line makes of the requests of one call. */
type Line = (pass: Pass, ends: Record<'revoke' | 'expire', End>) => Pass;

const url = 'http://service.invalid';
let service: Reached;
/** Of one verb: an account of its own, so that the verbs do not end each other's access. */
interface Shop {
  accountId: number;
  sure: Client;
  redeemed: number;
}
let made = 0;
const mint = (prefix: string) => `${prefix}${String((made += 1)).padStart(12, '0')}`;
const key = () => ({ key: `key-${(made += 1)}` });

const core = () => service.stage.app().core;

beforeAll(async () => {
  service = await openReached();
});
afterAll(() => service.stop());

async function openShop(): Promise<Shop> {
  const opened = { name: 'Shop', days: 30, purchased: 100 };
  const { accountId, apiKey } = await core().accounts.create(HOST, opened);
  const sure = createClient({ url, apiKey, fetch: service.fetch });
  const codes = Array.from({ length: 50 }, () => mint('60S'));
  await sure.stock.add([{ denomination: 60, codes }], key());
  const first = await sure.redeem({ ...PLAYER, denomination: 60 }, key());
  if (first.status !== 'redeemed') throw new Error(JSON.stringify(first));
  return { accountId, sure, redeemed: first.receipt.id };
}

const grant = (accountId: number, days: number) =>
  core().accounts.grant(HOST, { accountId, days, orderId: `grant-${(made += 1)}` });

const page = (status: number, text = `<html><h1>${status}</h1></html>`) => new Response(text, { status });
/** The first passes and is carried out, and its answer is lost. */
const cut =
  (after: (request: Request, pass: Pass) => Promise<Response>, between?: 'revoke' | 'expire'): Line =>
  (pass, ends) => {
    let isFirst = true;
    return async (request) => {
      if (!isFirst) return after(request, pass);
      isFirst = false;
      await pass(request);
      if (between) await ends[between]();
      throw new TypeError('the connection was cut');
    };
  };
const passes =
  (answer: () => Response): Line =>
  (pass) =>
  async (request) => {
    await pass(request);
    return answer();
  };

const LINES: [string, Line][] = [
  ['a proxy that waits no longer: 504', passes(() => page(504))],
  ['a 502 while the service is away', cut(() => Promise.resolve(page(502)))],
  ['a cut, and the key is revoked: 401', cut((request, pass) => pass(request), 'revoke')],
  ['a cut, and the subscription has ended: 403', cut((request, pass) => pass(request), 'expire')],
  ['a page of 403', passes(() => page(403))],
  ['a page of 401', passes(() => page(401))],
  ['a page of 413', passes(() => page(413, ''))],
  ['a page of 404', passes(() => page(404))],
  [
    'a page of 429',
    passes(() => new Response('slow down', { status: 429, headers: { 'retry-after': '900' } })),
  ],
  ['a 403 in JSON', passes(() => Response.json({ error: 'forbidden' }, { status: 403 }))],
  ['a page of 200', passes(() => page(200))],
  ['a redirect', passes(() => new Response(null, { status: 302, headers: { location: '/' } }))],
];

/** Each verb, over the line; what it needs is made before, without the line. */
const VERBS: [string, (client: Client, shop: Shop) => Promise<{ status: string }>][] = [
  ['redeem', (client) => client.redeem({ ...PLAYER, denomination: 60 }, key())],
  ['orders.place', (client) => client.orders.place({ ...PLAYER, amount: 60 }, key())],
  ['orders.resume', async (client, { sure }) => client.orders.resume(await stopped(sure), key())],
  ['orders.cancel', async (client, { sure }) => client.orders.cancel(await waiting(sure))],
  ['orders.find', async (client, { sure }) => client.orders.find(await waiting(sure))],
  ['orders.ended', async (client, { sure }) => client.orders.ended(await stopped(sure))],
  ['orders.list', (client) => client.orders.list()],
  ['findRedemption', (client, { redeemed }) => client.findRedemption(redeemed)],
  ['settled', (client, { redeemed }) => client.settled(redeemed)],
  ['stock.add', (client) => client.stock.add([{ denomination: 60, codes: [mint('60S')] }], key())],
  ['stock.extract', (client) => client.stock.extract({ denomination: 60, amount: 1 }, key())],
  ['stock.read', (client) => client.stock.read()],
  ['findCharacter', (client) => client.findCharacter(PLAYER)],
  ['quota', (client) => client.quota()],
];

async function stopped(client: Client): Promise<string> {
  const items = [{ codeOverride: mint('INVALID') }];
  const placed = await client.orders.place({ ...PLAYER, items }, key());
  if (placed.status !== 'ok') throw new Error(JSON.stringify(placed));
  await client.orders.ended(placed.value.id);
  return placed.value.id;
}

async function waiting(client: Client): Promise<string> {
  const placed = await client.orders.place(
    { ...PLAYER, items: [{ denomination: 8100 }], onShortage: 'wait' },
    key(),
  );
  if (placed.status !== 'ok') throw new Error(JSON.stringify(placed));
  return placed.value.id;
}

test.concurrent.for(VERBS)('%s', async ([verbName, verb], { expect }) => {
  const shop = await openShop();
  const { accountId } = shop;
  for (const [name, line] of LINES) {
    const { id, key: apiKey } = await core().apiKeys.forHost.issue(HOST, { accountId });
    const ended: number[] = [];
    const ends = {
      revoke: () => (ended.push(401), core().apiKeys.forHost.revoke(HOST, id)),
      expire: () => (ended.push(403), grant(accountId, -30)),
    };
    const fetch = line(service.fetch, ends);
    const told = await verb(createClient({ url, apiKey, retryForMs: RETRY_FOR_MS, fetch }), shop);
    expect.soft(told.status, name).not.toBe('refused');
    const [status] = ended;
    if (status !== undefined && verbName !== 'findCharacter')
      expect.soft(told, name).toMatchObject({ status: 'notKnown', httpStatus: status });
    if (status === 403) await grant(accountId, 30);
  }
});

test('what the service itself refuses each time it is asked is refused, unless it was begun before', async () => {
  const { sure, redeemed } = await openShop();
  let asked = 0;
  const busy = () =>
    Response.json({ error: 'Too many.' }, { status: 429, headers: { 'x-request-id': 'own' } });
  const fetch = (request: Request) => ((asked += 1) === 1 ? Promise.resolve(busy()) : service.fetch(request));
  const stranger = createClient({ url, apiKey: 'crs_none', retryForMs: RETRY_FOR_MS, fetch });
  const request = { ...PLAYER, denomination: 60 };
  expect(await stranger.redeem(request, key())).toMatchObject({ status: 'refused', httpStatus: 401 });
  expect(asked).toBe(2);
  expect(await stranger.settled(redeemed)).toMatchObject({ status: 'notKnown', httpStatus: 401 });
  expect(await sure.orders.place({ ...PLAYER, amount: 61 }, key())).toMatchObject({ status: 'refused' });
});
