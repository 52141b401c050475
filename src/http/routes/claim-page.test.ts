// The page of a claim link, as a browser without script meets it: what it shows and takes, whom it tells what, and that
// looking at it changes nothing.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openTestHttp, PUBLIC_URL, type TestHttp } from '../../../test/harness/http.ts';
import { MINUTE_MS } from '../../clock.ts';

const PLAYER = '5170925570';
const GAME = 'game_id_1';

let http: TestHttp;
beforeEach(async () => {
  http = await openTestHttp();
  await http.core.start();
  http.platform.script.findCharacter = (playerId) => ({
    status: 'found',
    openid: playerId,
    name: 'Nick <b>',
  });
});
afterEach(() => http.close());

let keys = 0;
async function issue(more: object = {}): Promise<{ path: string; id: string; token: string }> {
  await http.ask('POST /db', { body: [{ denomination: 60, codes: [makeCode()] }] });
  const headers = { 'idempotency-key': `links-${(keys += 1)}` };
  const { json } = await http.ask('POST /claims', {
    body: { gameId: GAME, denomination: 60, count: 1, ...more },
    headers,
  });
  const [{ url, id }] = json.claims;
  const { pathname } = new URL(url);
  return { path: pathname, id, token: pathname.slice(3) };
}

/** As a page of ours sends it, which tells no referrer. */
const OURS = { origin: 'null', 'sec-fetch-site': 'same-origin' };
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  http.server.app.request(path, { method, headers });
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = OURS) =>
  http.server.app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const nonceIn = (page: string) => /name="nonce" value="([\w-]+)"/.exec(page)?.[1] ?? '';
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const stateOf = async (id: string) => (await http.ask(`GET /claims/${id}`)).json.state as string;

/** Looks the player up and confirms; the cookie of the browser that did. */
async function redeem(path: string, id: string): Promise<string> {
  const cookie = cookieOf(await post(path, { playerId: PLAYER }));
  const nonce = nonceIn(await (await get(path)).text());
  await post(path, { nonce }, { ...OURS, cookie });
  await http.until(() => http.core.claims.find(http.actor, id)?.state === 'settled');
  return cookie;
}

test('what it is for, a field, the name to be confirmed, and the receipt', async () => {
  const { path, id } = await issue();
  const first = await (await get(path)).text();
  expect(first).toMatch(/60 UC[\s\S]*name="playerId"/);
  expect(first).not.toContain('<script');
  const found = await post(path, { playerId: PLAYER });
  expect([found.status, found.headers.get('location')]).toEqual([303, path]);
  expect(await (await get(path)).text()).toContain('Nick &lt;b&gt;');
  const cookie = await redeem(path, id);
  const done = await (await get(path, { cookie })).text();
  expect(done).toMatch(/Done[\s\S]*Login<\/dt>[\s\S]*@example\.test/);
  const others = await (await get(path)).text();
  expect(others).toContain('Done');
  expect(others).not.toContain('@example.test');
  const [receipt] = http.core.receipts.list(http.actor, {});
  const picture = await get(`${path}/${receipt?.id}.png`);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('looking at it, previews too, changes nothing and begins nothing', async () => {
  const { path, id, token } = await issue();
  const before = http.store.read(({ claims }) => claims.findByToken(claims.hashToken(token)));
  for (const method of ['GET', 'HEAD', 'GET'])
    expect((await get(`${path}?playerId=${PLAYER}&nonce=x`, {}, method)).status).toBe(200);
  expect(http.store.read(({ claims }) => claims.findByToken(claims.hashToken(token)))).toEqual(before);
  expect([http.platform.orders, await stateOf(id)]).toEqual([[], 'open']);
});

test('a link that there is not, a malformed one, a revoked one and a late one get one page, whatever is sent', async () => {
  const [revoked, late] = [await issue(), await issue({ expiresAt: new Date(http.clock.now() + 1_000) })];
  await http.ask(`POST /claims/${revoked.id}/revoke`);
  http.clock.advance(2_000);
  const paths = [
    `/c/${'A'.repeat(22)}`,
    '/c/x',
    `/c/${'x'.repeat(2_000)}`,
    '/c/%00',
    revoked.path,
    late.path,
  ];
  const pages = [];
  for (const path of paths) {
    for (const answer of [
      await get(path),
      await post(path, { playerId: PLAYER }),
      await post(path, { nonce: 'x' }),
    ])
      pages.push([answer.status, answer.headers.get('set-cookie'), await answer.text()]);
    http.clock.advance(MINUTE_MS);
  }
  const [first] = pages;
  expect(first?.[0]).toBe(404);
  for (const page of pages) expect(page).toEqual(first);
});

test.each<[string, Record<string, string>]>([
  ['another site', { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }],
  ['a frame of another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['a sister of the host', { origin: 'https://x.codes.example', 'sec-fetch-site': 'same-site' }],
])('a form of %s is not taken', async (_, headers) => {
  const { path, id } = await issue();
  await post(path, { playerId: PLAYER });
  const nonce = nonceIn(await (await get(path)).text());
  expect((await post(path, { nonce }, headers)).status).toBe(403);
  expect(await stateOf(id)).toBe('open');
});

test.each<[string, Record<string, string>]>([
  ['that says no more than its origin', { origin: PUBLIC_URL }],
  ['of before these headers', {}],
])('a form of a browser %s is taken', async (_, headers) => {
  const { path } = await issue();
  expect((await post(path, { playerId: PLAYER }, headers)).status).toBe(303);
});

test('every answer is kept nowhere, shown in no frame, indexed by nobody, and tells no referrer', async () => {
  const { path } = await issue();
  for (const answer of [await get(path), await get('/c/none'), await post(path, { playerId: '1' })]) {
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    });
  }
  const cookie = (await post(path, { playerId: PLAYER })).headers.get('set-cookie');
  expect(cookie).toMatch(/^__Host-claim=.+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

test('thirty requests a minute of an address, and the next minute more', async () => {
  const { path } = await issue();
  const statuses = [];
  for (let time = 0; time < 31; time += 1) statuses.push((await get(path)).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  http.clock.advance(MINUTE_MS);
  expect((await get(path)).status).toBe(200);
});

test('behind the proxy of this machine, where none is named, each is counted by an address of their own', async () => {
  const { path } = await issue();
  const { app } = http.serve({ trustedProxies: [] }).server;
  const from = async (address: string) => {
    const init = { headers: { 'x-forwarded-for': `203.0.113.1, ${address}` } };
    return (await app.request(path, init, { incoming: { socket: { remoteAddress: '127.0.0.1' } } })).status;
  };
  for (let time = 0; time < 30; time += 1) expect(await from('203.0.113.7')).toBe(200);
  expect([await from('203.0.113.7'), await from('203.0.113.8')]).toEqual([429, 200]);
});

test('the log has no token', async () => {
  const { path, token } = await issue();
  await get(path);
  await post(path, { playerId: PLAYER });
  await get(`${path}/1.png`);
  const lines = http.log.lines.filter((line) => line.includes('/c/'));
  expect(lines.map((line) => JSON.parse(line).route)).toEqual([
    '/c/:token',
    '/c/:token',
    '/c/:token/:id.png',
  ]);
  expect(http.log.lines.join()).not.toContain(token);
});

test.each([
  ['malformed', '12', 'has 5 to 20 digits'],
  ['not found', '5999999999', 'There is no such player'],
])('%s is said in words', async (_, playerId, words) => {
  const { path } = await issue();
  http.platform.script.findCharacter = () => ({ status: 'notFound' });
  const answer = await post(path, { playerId });
  expect(await (await get(answer.headers.get('location') ?? '')).text()).toContain(words);
});

test('what is asked for in a language is told in it, and else in that of the browser', async () => {
  const [own, any] = [await issue({ language: 'ru' }), await issue()];
  expect(await (await get(own.path, { 'accept-language': 'en' })).text()).toContain('Ваш ID игрока');
  expect(await (await get(any.path, { 'accept-language': 'ru-RU,ru' })).text()).toContain('lang="ru"');
  expect(await (await get(any.path)).text()).toContain('lang="en"');
});

test('in doubt it takes longer, and has not failed', async () => {
  const { path, id } = await issue();
  http.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'lost' });
  await post(path, { playerId: PLAYER });
  await post(path, { nonce: nonceIn(await (await get(path)).text()) });
  await http.until(() => http.core.visits.open(path.slice(3))?.order?.items[0]?.state === 'inDoubt');
  const page = await (await get(path)).text();
  expect(page).toMatch(/It takes longer than usual\. Nothing is lost/);
  expect(page).toContain('http-equiv="refresh"');
  expect(await stateOf(id)).toBe('confirmed');
});

test('one that is stuck tells that the shop was told', async () => {
  const { path, id } = await issue();
  http.platform.script.redeem = () => ({
    ...({ status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true } as const),
  });
  await post(path, { playerId: PLAYER });
  await post(path, { nonce: nonceIn(await (await get(path)).text()) });
  await http.until(() => http.core.claims.find(http.actor, id)?.state === 'stuck');
  expect(await (await get(path)).text()).toContain('The shop has to look into this');
});

test('the shop is named, and how it is reached where it tells that, as it is written', async () => {
  const { path } = await issue();
  const shown = async () => /<div class="shop">(.*?)<\/div>/s.exec(await (await get(path)).text())?.[1];
  const before = await shown();
  const { accountId } = http.actor;
  const owner = { kind: 'member', accountId, telegramId: 77, role: 'owner' } as const;
  const person = { telegramId: 77, accountId, role: 'owner', name: 'Owner', username: null, now: 1 } as const;
  await http.store.write(({ members }) => members.insert(person));
  await http.core.accounts.setContact(owner, ' <i>@shop</i> ');
  expect(await shown()).toBe(`${before} · &lt;i&gt;@shop&lt;/i&gt;`);
  await http.core.accounts.setContact(owner, '');
  expect(await shown()).toBe(before);
});

test('without a public address there are no links, and no page', async () => {
  const { app } = http.serve({ publicUrl: undefined }).server;
  expect((await app.request('/c/anything')).status).toBe(404);
  expect(await (await app.request('/openapi.json')).text()).not.toContain('/claims');
});
