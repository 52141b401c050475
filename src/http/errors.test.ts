// The mapping of errors, through a page that lets any of them out; and the lines of the log beside an answer.
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { openTestHttp, type ServedHttp, type TestHttp } from '../../test/harness/http.ts';
import { CoreError, type CoreErrorCode } from '../core/index.ts';
import { HttpProblem, isBadRequest, type ProblemStatus } from './errors.ts';
import { createHttpServer } from './server.ts';

const error = 'What to do.';
let thrown: Error;
const app = new Hono<never>().get('/', () => {
  throw thrown;
});

let http: TestHttp;
let served: ServedHttp;
beforeAll(async () => {
  http = await openTestHttp({ pages: { path: '/own', app } });
});
afterAll(() => http.close());
beforeEach(() => void (served = http.serve()));

const lines = () => served.log.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const throwing = (given: Error) => {
  thrown = given;
  return served.ask('GET /own?code=CANARY', { headers: { 'x-request-id': 'r-1' } });
};

const MAPPING: Record<CoreErrorCode, [status: number, hasCode?: true]> = {
  FORBIDDEN: [403],
  KEY_REVOKED: [401],
  NOT_FOUND: [404],
  INVALID_INPUT: [400],
  CODE_OVERRIDE_REQUIRED: [400, true],
  IDEMPOTENCY_KEY_REUSED: [422, true],
  SUBSCRIPTION_EXPIRED: [403, true],
  CONFLICT: [409],
  STOPPING: [503],
  OVERLOADED: [429],
  CONTESTED: [503],
};
const RETRY_AFTER: Partial<Record<string, string>> = { STOPPING: '1', OVERLOADED: '2', CONTESTED: '60' };

test('what takes longer than a moment says how long', async () => {
  const answer = await throwing(new CoreError('OVERLOADED', error, { retryAfterSeconds: 10 }));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '10']);
});

test.each(Object.entries(MAPPING))(
  '%s of the core is told, without its cause',
  async (code, [status, hasCode]) => {
    const answer = await throwing(
      new CoreError(code as CoreErrorCode, error, { cause: new Error('CANARY') }),
    );
    expect([answer.status, answer.json]).toEqual([status, { error, ...(hasCode && { errorCode: code }) }]);
    expect(answer.headers.get('retry-after')).toBe(RETRY_AFTER[code] ?? null);
  },
);

describe('anything else is ours', () => {
  test.each([
    new Error('CANARY'),
    new TypeError('CANARY'),
    Object.assign(new Error('CANARY'), { status: 418 }),
  ])('and has no detail: %s', async (given) => {
    const { status, json } = await throwing(given);
    expect([status, json]).toEqual([
      500,
      { error: expect.stringMatching(/^Something went wrong on our side.* request id r-1\.$/) as string },
    ]);
  });

  test('and is logged with its stack under the id of the request', async () => {
    await throwing(new Error('the cause'));
    const [line] = lines();
    expect(line).toMatchObject({ level: 'error', requestId: 'r-1' });
    expect(line?.['err']).toMatch(/the cause.*errors\.test\.ts/s);
    expect(JSON.stringify(lines())).not.toContain('CANARY');
  });
});

test('each fault of ours is logged, whoever asks and however often', async () => {
  for (let times = 0; times < 70; times += 1) await throwing(new Error('the cause'));
  expect(lines().filter(({ message }) => message === 'request')).toHaveLength(70);
});

test('a refusal that had a cause is logged, as no fault of ours; one without is not', async () => {
  await throwing(new CoreError('OVERLOADED', error, { cause: new Error('the disk is full') }));
  expect(lines()).toMatchObject([
    {
      level: 'warn',
      message: 'request refused',
      requestId: 'r-1',
      err: expect.stringContaining(error) as string,
    },
    { message: 'request' },
  ]);
  await throwing(new CoreError('OVERLOADED', error));
  expect(lines().map(({ message }) => message)).toEqual(['request refused', 'request', 'request']);
});

test('the access log tells the pattern of the route and the account, and nothing of the request', async () => {
  await served.ask('GET /character?playerId=CANARY', { headers: { 'x-request-id': 'r-1' } });
  await served.ask('GET /healthz');
  const { accountId } = http.actor;
  expect(lines()).toEqual([
    {
      ...{ level: 'info', message: 'request', method: 'GET', route: '/character', status: 400, ms: 0 },
      ...{ accountId, requestId: 'r-1' },
    },
  ]);
});

test('a log that cannot be written changes no answer', async () => {
  const broken = () => {
    throw new Error('no space left on device');
  };
  const { ask } = http.serve({ log: { info: broken, warn: broken, error: broken } });
  expect((await ask('GET /quota')).status).toBe(200);
});

test('a default game that is not in the catalogue is told at once', () => {
  const deps = { core: http.core, clock: http.clock, log: served.log };
  expect(() => createHttpServer({ ...deps, defaultGameId: 'nothing' })).toThrow('not in the catalogue');
});

test('a request that could not be carried out whatever the account has is a bad one', () => {
  const statuses: ProblemStatus[] = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503];
  const bad = statuses.filter((status) => isBadRequest(new HttpProblem(status, '')));
  expect(bad).toEqual([400, 413, 415, 422]);
  const errors = [new CoreError('INVALID_INPUT', ''), new CoreError('FORBIDDEN', ''), new Error()];
  expect(errors.map(isBadRequest)).toEqual([true, false, false]);
});
