// GET /key, and what a key's own limits refuse: the body and headers name its window, from elsewhere nothing is said.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());

const HOST = { kind: 'host', by: 'cli' } as const;
const limit = (change: object) => {
  const { forHost } = http.core.apiKeys;
  return forHost.limit(HOST, forHost.findByPrefix(HOST, http.key)[0]!, change);
};
const redeem = () =>
  http.ask('POST /redeem', {
    body: { playerId: '5124780131', gameId: 'game_id_2', codeOverride: makeCode() },
  });

test('GET /key tells the key, its limits and what is left of them', async () => {
  await limit({ dayLimit: null, addresses: null, expiresAt: null });
  const { json: free } = await http.ask('GET /key');
  expect([free.limits, free.day, free.daily.limit]).toEqual([{}, undefined, 300]);
  const expiresAt = Date.parse('2030-01-01T00:00:00Z');
  await limit({ dayLimit: 1.5, addresses: ['203.0.113.0/24'], expiresAt });
  await redeem();
  const { status, json } = await http.ask('GET /key', { address: '203.0.113.9' });
  expect([status, json.limits, json.day]).toEqual([
    200,
    { dayLimit: 1.5, addresses: ['203.0.113.0/24'], expiresAt: '2030-01-01T00:00:00.000Z' },
    { used: 1, remaining: 0.5, secondsUntilNext: 86_400 },
  ]);
  const refused = await redeem();
  expect([refused.status, refused.json.limit]).toEqual([429, 1.5]);
  expect(refused.json.error).toContain('this API key');
  expect(refused.headers.get('ratelimit')).toContain('"key";r=0;t=86400');
  expect(refused.headers.get('ratelimit-policy')).toContain('"key";q=1;w=86400');
});

test('from elsewhere it is a 403 that says so; a proxy says who asks only where it is trusted', async () => {
  const from = async (address: string, forwarded?: string, served = http) => {
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { status, json } = await served.ask('GET /key', { address, headers });
    return [status, json.errorCode];
  };
  await limit({ dayLimit: null, addresses: ['203.0.113.0/24'], expiresAt: null });
  const behind = http.serve({ trustedProxies: ['10.0.0.0/8'] }) as TestHttp;
  const [open, shut] = [
    [200, undefined],
    [403, 'ADDRESS_NOT_ALLOWED'],
  ];
  expect(await from('198.51.100.1')).toEqual(shut);
  expect(await from('198.51.100.1', '203.0.113.9')).toEqual(shut);
  expect(await from('10.0.0.1', '203.0.113.9')).toEqual(shut);
  expect(await from('10.0.0.1', '203.0.113.9', behind)).toEqual(open);
  expect(await from('10.0.0.1', '203.0.113.9, 198.51.100.1, 10.2.2.2', behind)).toEqual(shut);
  expect(await from('198.51.100.1', '203.0.113.9', behind)).toEqual(shut);
});

test('after its end it is a 401 that says so', async () => {
  await limit({ addresses: null, expiresAt: http.clock.now() });
  const { status, json } = await http.ask('GET /key');
  expect([status, json.error]).toEqual([401, 'This API key has expired. Get a new one in the bot.']);
  await limit({ expiresAt: null });
});
