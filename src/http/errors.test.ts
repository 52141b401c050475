// The mapping of errors, through an endpoint that lets any of them out.
import { describe, expect, test } from 'vitest';

import { createScriptedCore, KEY } from '../../test/harness/scripted-core.ts';
import { createRememberedLog, runScenarios } from '../../test/harness/scenarios.ts';
import { createManualClock } from '../clock.ts';
import { CoreError } from '../core/index.ts';
import type { CoreErrorCode } from '../core/index.ts';
import { HttpProblem, isBadRequest, type ProblemStatus } from './errors.ts';
import { createHttpServer } from './server.ts';

const request = 'GET /history/4711';
const error = 'What to do.';
const throws = (thrown: unknown) => ({
  receipts: {
    find: () => {
      throw thrown;
    },
  },
});

describe('an error of the core', () => {
  const mapping: Record<CoreErrorCode, [number, string?]> = {
    FORBIDDEN: [403],
    KEY_REVOKED: [401],
    NOT_FOUND: [404],
    INVALID_INPUT: [400],
    CODE_OVERRIDE_REQUIRED: [400, 'CODE_OVERRIDE_REQUIRED'],
    IDEMPOTENCY_KEY_REUSED: [422, 'IDEMPOTENCY_KEY_REUSED'],
    SUBSCRIPTION_EXPIRED: [403, 'SUBSCRIPTION_EXPIRED'],
    CONFLICT: [409],
    STOPPING: [503],
    OVERLOADED: [429],
    CONTESTED: [503],
  };
  runScenarios(
    Object.entries(mapping).map(([code, [status, errorCode]]) => ({
      name: `${code} is ${status}`,
      request,
      core: throws(new CoreError(code as CoreErrorCode, error, { cause: new Error('CANARY') })),
      status,
      answer: { error, ...(errorCode && { errorCode }) },
      answerHeaders: {
        'retry-after': { STOPPING: '1', OVERLOADED: '2', CONTESTED: '60' }[code] ?? null,
        'www-authenticate': status === 401 ? 'Bearer' : null,
      },
    })),
  );
});

describe('anything else is ours', () => {
  const answer = {
    error: expect.stringMatching(/^Something went wrong on our side.* request id r-1\.$/) as string,
  };
  runScenarios(
    [new Error('CANARY'), new TypeError('CANARY'), Object.assign(new Error('CANARY'), { status: 418 })].map(
      (thrown) => ({
        name: 'and has no detail',
        request,
        headers: { 'x-request-id': 'r-1' },
        core: throws(thrown),
        status: 500,
        answer,
      }),
    ),
  );

  test('and is logged with its stack under the request id', async () => {
    const log = createRememberedLog();
    const core = createScriptedCore(throws(new Error('the cause')));
    const { app } = createHttpServer({ core, clock: createManualClock(0), log });
    const headers = { authorization: `Bearer ${KEY}`, 'x-request-id': 'r-1' };
    await app.request('/history/4711?code=CANARY', { headers });
    const line = log.lines.find((one) => one.includes('"level":"error"')) ?? '';
    expect(line).toContain('the cause');
    expect(line).toContain('errors.test.ts');
    expect(line).toContain('"requestId":"r-1"');
    expect(log.lines.join()).not.toContain('CANARY');
  });
});

test('a refusal that had a cause is logged, as no fault of ours; one without is not', async () => {
  const log = createRememberedLog();
  let thrown = new CoreError('OVERLOADED', error, { cause: new Error('the disk is full') });
  const find = () => {
    throw thrown;
  };
  const core = createScriptedCore({ receipts: { find } });
  const { app } = createHttpServer({ core, clock: createManualClock(0), log });
  const headers = { authorization: `Bearer ${KEY}`, 'x-request-id': 'r-1' };
  await app.request('/history/4711', { headers });
  const [refused, ...rest] = log.lines;
  expect(JSON.parse(refused!)).toMatchObject({
    level: 'warn',
    message: 'request refused',
    err: expect.stringContaining(error) as string,
    requestId: 'r-1',
    route: '/history/{id}',
  });
  expect(rest).toHaveLength(1);
  thrown = new CoreError('OVERLOADED', error);
  await app.request('/history/4711', { headers });
  expect(log.lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    'request refused',
    'request',
    'request',
  ]);
});

test('the access log tells the pattern of the route and the account, and nothing of the request', async () => {
  const log = createRememberedLog();
  const { app } = createHttpServer({ core: createScriptedCore(), clock: createManualClock(0), log });
  const headers = { authorization: `Bearer ${KEY}`, 'x-request-id': 'r-1' };
  await app.request('/character?playerId=CANARY', { headers });
  expect(log.lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 'info',
      message: 'request',
      method: 'GET',
      route: '/character',
      status: 400,
      ms: 0,
      accountId: 7,
      requestId: 'r-1',
    },
  ]);
});

test('a log that cannot be written changes no answer', async () => {
  const broken = () => {
    throw new Error('no space left on device');
  };
  const log = { info: broken, warn: broken, error: broken };
  const { app } = createHttpServer({ core: createScriptedCore(), clock: createManualClock(0), log });
  const response = await app.request('/quota', { headers: { authorization: `Bearer ${KEY}` } });
  expect(response.status).toBe(200);
});

test('a default game that is not in the catalogue is told at once', () => {
  const deps = { core: createScriptedCore(), clock: createManualClock(0), log: createRememberedLog() };
  expect(() => createHttpServer({ ...deps, defaultGameId: 'nothing' })).toThrow('not in the catalogue');
});

test('a problem says what it is to whoever reads its stack', () => {
  expect(new HttpProblem(404, 'There is none.')).toMatchObject({
    name: 'HttpProblem',
    message: 'There is none.',
    body: { error: 'There is none.' },
  });
});

test('a request that could not be carried out whatever the account has is a bad one', () => {
  const statuses: ProblemStatus[] = [400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503];
  const bad = statuses.filter((status) => isBadRequest(new HttpProblem(status, '')));
  expect(bad).toEqual([400, 413, 415, 422]);
  expect(
    [new CoreError('INVALID_INPUT', ''), new CoreError('FORBIDDEN', ''), new Error()].map(isBadRequest),
  ).toEqual([true, false, false]);
});
