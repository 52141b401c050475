// Who gets in, and who is kept waiting.
import { describe, expect, test, vi } from 'vitest';

import { createScriptedCore, EXPIRED_KEY, KEY, RECEIPT } from '../../test/harness/scripted-core.ts';
import { createRememberedLog, runScenarios } from '../../test/harness/scenarios.ts';
import { createManualClock } from '../clock.ts';
import { FAILURES_PER_MINUTE } from './auth.ts';
import { createHttpServer } from './server.ts';

const request = 'GET /history/4711';
const core = { receipts: { find: () => RECEIPT } };
const mustNotContain = ['crs_a-stranger'];

describe('a key', () => {
  runScenarios([
    { name: 'valid gets in', request, core, status: 200 },
    {
      name: 'valid gets in whatever the case of the scheme',
      request,
      key: null,
      headers: { authorization: `bearer  ${KEY}` },
      core,
      status: 200,
    },
    ...['crs_a-stranger', `${KEY}x`, 'x'.repeat(512)].map((key) => ({
      name: 'unknown is 401',
      answer: { error: 'This API key is not valid. Get a new one in the bot.' },
      request,
      key,
      status: 401,
      asked: [],
      mustNotContain,
    })),
    ...[
      KEY,
      `Basic ${KEY}`,
      'Bearer',
      'Bearer ',
      `Bearer ${KEY} ${KEY}`,
      `Bearer ${KEY}, Bearer ${KEY}`,
      'Bearer "x"',
      `Bearer ${'x'.repeat(513)}`,
      'Bearer ü',
    ].map((authorization) => ({
      name: 'malformed is 401',
      answer: {
        error: 'The Authorization header cannot be read. Send it as Authorization: Bearer <api key>.',
      },
      request,
      key: null,
      headers: { authorization },
      status: 401,
      asked: [],
    })),
    {
      name: 'behind the word that is there twice is 401',
      request,
      key: null,
      headers: { authorization: `Bearer Bearer ${KEY}` },
      status: 401,
      answer: { error: 'The word Bearer is there twice. Send it as Authorization: Bearer <api key>.' },
      asked: [],
    },
    {
      name: 'missing is 401',
      request,
      key: null,
      status: 401,
      answer: { error: 'An API key is needed. Send it as Authorization: Bearer <api key>.' },
      asked: [],
    },
    { name: 'in the query is none', request: `${request}?key=${KEY}`, key: null, status: 401, asked: [] },
  ]);
});

describe('what is outside authentication', () => {
  runScenarios([
    {
      name: 'unknown paths',
      request: 'GET /nothing/here?code=CANARY1234567',
      key: null,
      status: 404,
      mustNotContain: ['CANARY1234567'],
    },
    { name: 'paths with slashes too many', request: 'GET //redeem', key: null, status: 404 },
    { name: 'paths with a slash at the end', request: 'POST /redeem/', key: null, body: {}, status: 404 },
    {
      name: 'methods a path does not know',
      request: 'GET /redeem',
      key: null,
      status: 405,
      answerHeaders: { allow: 'POST' },
    },
    {
      name: 'a revoked key, where there is no bot',
      request: 'GET /quota',
      key: 'crs_revoked',
      options: { hasBot: false },
      status: 401,
      answerHolds: { error: 'This API key is not valid. Get a new one from whoever runs this service.' },
    },
    {
      name: 'an account without a subscription, where there is no bot',
      request: 'GET /quota',
      key: EXPIRED_KEY,
      options: { hasBot: false },
      status: 403,
      answerHolds: { error: expect.stringMatching(/Renew it with whoever runs this service\.$/) as string },
    },
    {
      name: 'HEAD of a path without GET',
      request: 'HEAD /redeem',
      key: null,
      status: 405,
      answerHeaders: { allow: 'POST' },
    },
    {
      name: 'OPTIONS',
      request: 'OPTIONS /quota',
      key: null,
      status: 405,
      answerHeaders: { allow: 'GET, HEAD' },
    },
  ]);
});

describe('the request id', () => {
  runScenarios([
    ...['abc-1', 'x'.repeat(64)].map((id) => ({
      name: 'of a client is taken',
      request: 'GET /healthz',
      headers: { 'x-request-id': id },
      status: 200,
      answerHeaders: { 'x-request-id': id },
    })),
    ...['x'.repeat(65), 'a b', '<script>', '../..'].map((id) => ({
      name: 'that is not sane is replaced',
      request: 'GET /healthz',
      headers: { 'x-request-id': id },
      status: 200,
      mustNotContain: [id],
    })),
  ]);
});

function setUp() {
  const clock = createManualClock(1_000_000);
  const { app } = createHttpServer({ core: createScriptedCore(core), clock, log: createRememberedLog() });
  const ask = async (key: string | undefined, address: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const bindings = { incoming: { socket: { remoteAddress: address } } };
    return await app.request('/history/4711', { headers }, bindings);
  };
  return { clock, ask };
}

test('an address with too many failures waits, and a valid key from the same address never does', async () => {
  const { clock, ask } = setUp();
  const statuses = [];
  for (let i = 0; i < FAILURES_PER_MINUTE.address + 1; i++)
    statuses.push((await ask(undefined, '10.0.0.1')).status);
  expect(statuses).toEqual([...Array.from({ length: FAILURES_PER_MINUTE.address }, () => 401), 429]);

  const refused = await ask('crs_another', '10.0.0.1');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.json()).toEqual({ error: expect.stringContaining('60 s') as string });
  expect((await ask(KEY, '10.0.0.1')).status).toBe(200);
  expect((await ask(undefined, '10.0.0.2')).status).toBe(401);
  clock.advance(60_000);
  expect((await ask(undefined, '10.0.0.1')).status).toBe(401);
});

test('a wrong key waits, from wherever it comes', async () => {
  const { ask } = setUp();
  for (let i = 0; i < FAILURES_PER_MINUTE.key; i++)
    expect((await ask('crs_wrong', `10.0.0.${i}`)).status).toBe(401);
  expect((await ask('crs_wrong', '10.0.1.1')).status).toBe(429);
  expect((await ask('crs_other', '10.0.1.1')).status).toBe(401);
});

test('without a key nobody is looked up', async () => {
  const scripted = createScriptedCore(core);
  const authenticate = vi.spyOn(scripted.apiKeys, 'authenticate');
  const { app } = createHttpServer({
    core: scripted,
    clock: createManualClock(0),
    log: createRememberedLog(),
  });
  const ask = async (headers: Record<string, string>) =>
    (await app.request('/history/4711', { headers })).status;
  expect([await ask({}), await ask({ authorization: 'Basic abc' })]).toEqual([401, 401]);
  expect(authenticate).not.toHaveBeenCalled();
  expect(await ask({ authorization: `Bearer ${KEY}` })).toBe(200);
  // Once more where the answer may have been waited for.
  expect(authenticate.mock.calls).toEqual([[KEY], [KEY]]);
});
