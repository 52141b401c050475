// Who gets in, who is kept waiting, and who may read the metrics.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openTestHttp, type TestHttp } from '../../test/harness/http.ts';
import { FAILURES_PER_MINUTE } from './auth.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());
/** What failed is forgotten by then. */
beforeEach(() => http.clock.advance(60_000));

const as = async (authorization: string, request = 'GET /quota') => {
  const { status, json } = await http.ask(request, { key: null, headers: { authorization } });
  return [status, json.error];
};

describe('a key', () => {
  const NOT_VALID = 'This API key is not valid. Get a new one in the bot.';
  const NOT_READ = 'The Authorization header cannot be read. Send it as Authorization: Bearer <api key>.';
  const TWICE = 'The word Bearer is there twice. Send it as Authorization: Bearer <api key>.';

  test('gets in whatever the case of the scheme', async () => {
    expect(await as(`bearer  ${http.key}`)).toEqual([200, undefined]);
  });

  test.each<[(key: string) => string, string]>([
    [(key) => `Bearer ${key}x`, NOT_VALID],
    [() => `Bearer ${'x'.repeat(512)}`, NOT_VALID],
    [() => `Bearer ${'x'.repeat(513)}`, NOT_READ],
    [(key) => key, NOT_READ],
    [(key) => `Basic ${key}`, NOT_READ],
    [() => 'Bearer ', NOT_READ],
    [(key) => `Bearer ${key} ${key}`, NOT_READ],
    [(key) => `Bearer ${key}, Bearer ${key}`, NOT_READ],
    [() => 'Bearer "x"', NOT_READ],
    [() => 'Bearer ü', NOT_READ],
    [(key) => `Bearer Bearer ${key}`, TWICE],
  ])('as %s is 401', async (header, error) => expect(await as(header(http.key))).toEqual([401, error]));

  test('in the query is none', async () => {
    const { status } = await http.ask(`GET /quota?key=${http.key}`, { key: null });
    expect(status).toBe(401);
  });
});

test('where there is no bot, whoever is refused is sent to the host', async () => {
  const { ask } = http.serve({ hasBot: false });
  expect((await ask('GET /quota', { key: 'crs_revoked' })).json.error).toBe(
    'This API key is not valid. Get a new one from whoever runs this service.',
  );
  const ended = await http.core.accounts.create({ kind: 'host', by: 'cli' }, { name: 'Ended', days: 0 });
  expect((await ask('GET /quota', { key: ended.apiKey })).json.error).toMatch(
    /Renew it with whoever runs this service\.$/,
  );
});

describe('who fails too often', () => {
  const fails = async (key: string | null, address: string, headers: Record<string, string> = {}) =>
    (await http.ask('GET /quota', { key, address, headers })).status;

  test('waits by the address, and a valid key from the same address never does', async () => {
    for (let times = 0; times < FAILURES_PER_MINUTE.address; times += 1)
      expect(await fails(null, '10.0.0.1')).toBe(401);
    const refused = await http.ask('GET /quota', { key: 'crs_another', address: '10.0.0.1' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(refused.json.error).toContain('60 s');
    expect((await http.ask('GET /quota', { address: '10.0.0.1' })).status).toBe(200);
    expect(await fails(null, '10.0.0.2')).toBe(401);
    // Whose address it is nobody says but the socket.
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip']) {
      const claim = (address: string) => ({ [name]: name === 'forwarded' ? `for=${address}` : address });
      expect(await fails(null, '10.0.0.1', claim('10.0.0.3'))).toBe(429);
      expect(await fails(null, '10.0.0.2', claim('10.0.0.1'))).toBe(401);
    }
    http.clock.advance(60_000);
    expect(await fails(null, '10.0.0.1')).toBe(401);
  });

  test('waits alone behind a proxy that is trusted, whatever it says of itself', async () => {
    const behind = http.serve({ trustedProxies: ['10.0.0.0/8'] });
    const failsAs = async (said: string) => {
      const headers = { 'x-forwarded-for': said };
      return (await behind.ask('GET /quota', { key: null, address: '10.0.0.1', headers })).status;
    };
    for (let times = 0; times < FAILURES_PER_MINUTE.address; times += 1)
      expect(await failsAs(`198.51.100.${times}, 192.0.2.1`)).toBe(401);
    expect([await failsAs('192.0.2.1'), await failsAs('192.0.2.2')]).toEqual([429, 401]);
  });

  test('waits by the key, from wherever it comes', async () => {
    for (let n = 0; n < FAILURES_PER_MINUTE.key; n += 1)
      expect(await fails('crs_wrong', `10.0.0.${n}`)).toBe(401);
    expect(await fails('crs_wrong', '10.0.1.1')).toBe(429);
    expect(await fails('crs_other', '10.0.1.1')).toBe(401);
  });
});

describe('the id of a request', () => {
  const idOf = async (id: string) =>
    (await http.ask('GET /healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id');

  test.each(['abc-1', 'x'.repeat(64)])('%s of a client is taken', async (id) =>
    expect(await idOf(id)).toBe(id),
  );

  test.each(['x'.repeat(65), 'a b', '<script>', '../..'])('%s is replaced', async (id) =>
    expect(await idOf(id)).not.toBe(id),
  );
});

describe('the metrics', () => {
  const LOOPBACK = '127.0.0.1';
  const read = async (address: string | undefined, headers = {}, key: string | null = null, token?: string) =>
    (
      await http
        .serve({ metricsToken: token })
        .ask('GET /metrics', { key, headers, ...(address !== undefined && { address }) })
    ).status;

  test.each([LOOPBACK, '127.200.30.4', '::1', '::ffff:127.0.0.1'])('are for %s', async (address) =>
    expect(await read(address)).toBe(200),
  );

  test.each([
    ...['10.0.0.1', '::ffff:10.0.0.1', '127.0.0.1.example', '10.127.0.0.1', '1270.0.0.1', '::11'],
    ...['localhost', undefined],
  ])('are not for %s, whoever has a key', async (address) =>
    expect([await read(address), await read(address, {}, http.key)]).toEqual([403, 403]),
  );

  test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])(
    'are not for those behind a proxy on this machine (%s)',
    async (name) => expect(await read(LOOPBACK, { [name]: LOOPBACK })).toBe(403),
  );

  test.each([
    ['10.0.0.1', 'metrics-secret', 'metrics-secret', 200],
    ['10.0.0.1', 'p@ss:w%rd!#"{}', 'p@ss:w%rd!#"{}', 200],
    [LOOPBACK, 'metrics-secre', 'metrics-secret', 401],
    [LOOPBACK, null, 'metrics-secret', 401],
  ])('where there is a token are for it alone: %s, %s of %s', async (address, key, token, status) =>
    expect(await read(address, {}, key, token)).toBe(status),
  );
});
