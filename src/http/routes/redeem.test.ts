// POST /redeem, rule by rule.
import { describe, expect, test } from 'vitest';

import {
  ACTOR,
  bareRedemption,
  createScriptedCore,
  EXPIRED_KEY,
  KEY,
  RECEIPT,
} from '../../../test/harness/scripted-core.ts';
import type { Script } from '../../../test/harness/scripted-core.ts';
import { createRememberedLog, runScenarios } from '../../../test/harness/scenarios.ts';
import type { Scenario } from '../../../test/harness/scenarios.ts';
import { createManualClock } from '../../clock.ts';
import { CoreError, ERROR_CODES } from '../../core/index.ts';
import type { Redemption } from '../../core/index.ts';
import { createHttpServer } from '../server.ts';
import { ActivationError, ActivationReceipt } from '../wire/activation.ts';

const request = 'POST /redeem';
const database = { requireReceipt: true, playerId: '5124780131', gameId: 'game_id_1', denomination: 60 };
const direct = { playerId: '5124780131', gameId: 'game_id_2', codeOverride: 'SECRETCODE123456' };
const without = (name: string): object =>
  Object.fromEntries(Object.entries(database).filter(([field]) => field !== name));

function answered(redemption: Redemption, replayed = false): Script {
  return { redeem: () => Promise.resolve({ status: 'answered', redemption, replayed }) };
}

const refused: Pick<Scenario, 'request' | 'status' | 'asked'> = { request, status: 400, asked: [] };
const passes: Pick<Scenario, 'request' | 'status' | 'core' | 'schema'> = {
  request,
  status: 200,
  core: answered(RECEIPT),
  schema: ActivationReceipt,
};
const QUOTA_HEADERS = {
  'ratelimit-policy': '"daily";q=300;w=86400, "purchased";q=2000',
  ratelimit: '"daily";r=299;t=42, "purchased";r=1000',
};

describe('a redemption', () => {
  runScenarios([
    {
      ...passes,
      name: 'answers the whole receipt and what is left of the quota',
      body: database,
      answer: {
        type: 'ActivationReceipt',
        id: 4711,
        createdAt: '2026-01-13T08:27:18.520Z',
        warning: false,
        took: 1840,
        gameId: 'game_id_1',
        playerId: '5124780131',
        code: '60SXW4QK7H2M9TZR',
        openid: '29083411',
        name: 'Player',
        region: 'DE',
        productName: '60 UC',
        amount: 60,
        uid: '771',
        settledAt: '2026-01-13T08:27:20.360Z',
        email: 'account@mail.example',
        password: 'a password',
      },
      answerHeaders: { ...QUOTA_HEADERS, 'idempotency-replayed': null },
      asked: [['redeem', ACTOR, { gameId: 'game_id_1', playerId: '5124780131', denomination: 60 }]],
    },
    {
      ...passes,
      name: 'leaves out what is not known instead of sending null',
      body: direct,
      core: answered(
        bareRedemption({ state: 'redeemed', code: 'C0', openid: 'o', playerName: 'n', warning: true }),
      ),
      answer: {
        type: 'ActivationReceipt',
        id: 4712,
        createdAt: '2026-01-13T08:27:18.520Z',
        warning: true,
        took: 5,
        settledAt: '2026-01-13T08:27:18.525Z',
        gameId: 'game_id_1',
        playerId: '5124780131',
        code: 'C0',
        openid: 'o',
        name: 'n',
      },
    },
    {
      ...passes,
      name: 'hands the trimmed codeOverride and the key to the core',
      body: { ...direct, codeOverride: '  SECRETCODE123456\n' },
      headers: { 'idempotency-key': 'order-1' },
      asked: [
        [
          'redeem',
          ACTOR,
          {
            gameId: 'game_id_2',
            playerId: '5124780131',
            code: 'SECRETCODE123456',
            idempotencyKey: { scope: 'http', key: 'order-1' },
          },
        ],
      ],
      mustNotContain: ['SECRETCODE123456'],
    },
    {
      ...passes,
      name: 'says so when it was answered before',
      body: database,
      core: answered(RECEIPT, true),
      answerHeaders: { 'idempotency-replayed': 'true' },
    },
  ]);
});

describe('a failed redemption is a 503 ActivationError', () => {
  const failed = { request, body: database, status: 503, schema: ActivationError } as const;
  runScenarios([
    ...ERROR_CODES.map((errorCode) => ({
      ...failed,
      name: errorCode,
      core: answered(bareRedemption({ errorCode, codeReset: true })),
      answer: {
        type: 'ActivationError',
        id: 4712,
        createdAt: '2026-01-13T08:27:18.520Z',
        errorCode,
        codeReset: true,
        gameId: 'game_id_1',
        playerId: '5124780131',
      },
      answerHeaders: QUOTA_HEADERS,
    })),
    {
      ...failed,
      name: 'in doubt, with the code and the technical message',
      core: answered(
        bareRedemption({ state: 'in_doubt', errorCode: 'UNKNOWN', errorMessage: 'no answer', code: 'C0' }),
      ),
      answerHolds: { errorCode: 'UNKNOWN', errorMessage: 'no answer', code: 'C0', codeReset: false },
    },
    {
      ...failed,
      name: 'UNKNOWN while it is under way',
      core: answered(bareRedemption({ state: 'pending' }), true),
      answerHolds: { errorCode: 'UNKNOWN', codeReset: false },
      answerHeaders: { 'idempotency-replayed': 'true' },
    },
    {
      ...failed,
      name: 'even when the answer cannot be worded',
      core: answered(bareRedemption({ state: 'redeemed', createdAt: Number.NaN })),
      answerHolds: { id: 4712, errorCode: 'UNKNOWN', codeReset: false },
    },
    {
      ...passes,
      name: 'even when the quota cannot be told',
      body: database,
      core: {
        ...answered(RECEIPT),
        quota: () => {
          throw new Error('the database is gone');
        },
      },
      answerHeaders: { ratelimit: null },
    },
  ]);
});

describe('what begins none', () => {
  runScenarios([
    {
      name: 'the quota is used up: exactly error and limit',
      request,
      body: database,
      core: { redeem: () => Promise.resolve({ status: 'quotaExceeded', retryAfterSeconds: 17 }) },
      status: 429,
      answer: { error: expect.any(String) as string, limit: 300 },
      answerHeaders: { ...QUOTA_HEADERS, 'retry-after': '17' },
    },
    {
      name: 'too many like it were refused: an error without a limit',
      request,
      body: database,
      core: { redeem: () => Promise.resolve({ status: 'tooManyBadRequests', retryAfterSeconds: 12 }) },
      status: 429,
      answer: { error: expect.any(String) as string },
      answerHeaders: { ...QUOTA_HEADERS, 'retry-after': '12' },
    },
    {
      name: 'the service has too much to write',
      request,
      body: database,
      core: { redeem: () => Promise.reject(new CoreError('OVERLOADED', 'Try again.')) },
      status: 429,
      answer: { error: 'Try again.' },
      answerHeaders: { ...QUOTA_HEADERS, 'retry-after': '2' },
    },
    {
      name: 'a key with another body',
      request,
      body: database,
      core: { redeem: () => Promise.reject(new CoreError('IDEMPOTENCY_KEY_REUSED', 'Send a new key.')) },
      status: 422,
      answer: { error: 'Send a new key.', errorCode: 'IDEMPOTENCY_KEY_REUSED' },
      answerHeaders: QUOTA_HEADERS,
    },
    {
      name: 'the service is stopping',
      request,
      body: database,
      core: {
        redeem: () => Promise.reject(new CoreError('STOPPING', 'The service is stopping. Try again.')),
      },
      status: 503,
      answer: { error: 'The service is stopping. Try again.' },
      answerHeaders: { 'retry-after': '1' },
    },
    {
      name: 'nothing could be taken, by a fault of ours: no detail',
      request,
      body: database,
      core: { redeem: () => Promise.reject(new Error('no such table: CANARY')) },
      status: 500,
      answer: { error: expect.stringContaining('request id') as string },
    },
    {
      name: 'no subscription',
      request,
      key: EXPIRED_KEY,
      body: database,
      status: 403,
      asked: [],
      answerHolds: { errorCode: 'SUBSCRIPTION_EXPIRED' },
      answerHeaders: QUOTA_HEADERS,
    },
    {
      name: 'no key',
      request,
      key: null,
      body: database,
      status: 401,
      asked: [],
      answerHeaders: { ratelimit: null },
    },
  ]);
});

describe('requireReceipt', () => {
  runScenarios([
    { ...passes, name: 'may be left out', body: without('requireReceipt') },
    { ...passes, name: 'false does the same', body: { ...database, requireReceipt: false } },
    {
      ...refused,
      name: 'text is refused',
      body: { ...database, requireReceipt: 'false' },
      answerHolds: {
        issues: [{ path: 'requireReceipt', message: 'has no effect and must be true or false, or left out' }],
      },
    },
  ]);
});

describe('playerId', () => {
  runScenarios([
    {
      ...refused,
      name: 'is required',
      body: without('playerId'),
      answerHolds: { issues: [{ path: 'playerId' }] },
    },
    {
      ...refused,
      name: 'as a number is refused with a hint',
      body: { ...database, playerId: 5124780131 },
      answerHolds: {
        issues: [{ path: 'playerId', message: 'must be a string of digits, in quotes: "5124780131"' }],
      },
      answerHeaders: QUOTA_HEADERS,
    },
    { ...refused, name: 'null is refused', body: { ...database, playerId: null } },
    {
      ...passes,
      name: 'malformed is for the core to answer',
      body: { ...database, playerId: 'abc' },
      asked: [['redeem', ACTOR, { gameId: 'game_id_1', playerId: 'abc', denomination: 60 }]],
    },
    { ...passes, name: 'empty is for the core to answer', body: { ...database, playerId: '' } },
  ]);
});

describe('gameId', () => {
  const options = { defaultGameId: 'game_id_1' };
  const ids = 'game_id_1, game_id_2, game_id_3';
  runScenarios([
    {
      ...refused,
      name: 'is required',
      body: without('gameId'),
      answerHolds: { issues: [{ path: 'gameId', message: `is required and must be one of ${ids}` }] },
    },
    {
      ...refused,
      name: 'unknown is refused with the ids there are',
      body: { ...database, gameId: 'CANARY' },
      answerHolds: { issues: [{ path: 'gameId', message: `must be one of ${ids}` }] },
      mustNotContain: ['CANARY'],
    },
    { ...refused, name: '__proto__ is no game', body: { ...database, gameId: '__proto__' } },
    {
      ...passes,
      name: 'left out means the default game',
      body: without('gameId'),
      options,
      asked: [['redeem', ACTOR, { gameId: 'game_id_1', playerId: '5124780131', denomination: 60 }]],
    },
    { ...passes, name: 'null means the default game', body: { ...database, gameId: null }, options },
    {
      ...refused,
      name: 'unknown is refused also with a default',
      body: { ...database, gameId: 'x' },
      options,
    },
  ]);
});

describe('denomination and codeOverride', () => {
  const both = { ...database, codeOverride: 'SECRETCODE123456' };
  runScenarios([
    {
      ...refused,
      name: 'neither is refused',
      body: without('denomination'),
      answerHolds: { issues: [{ path: 'denomination' }] },
    },
    { ...refused, name: 'both are refused', body: both, mustNotContain: ['SECRETCODE123456'] },
    {
      ...refused,
      name: 'both are refused for a game without a database',
      body: { ...both, gameId: 'game_id_2' },
    },
    { ...passes, name: 'null is left out', body: { ...database, codeOverride: null } },
    {
      ...passes,
      name: 'null is left out in direct mode',
      body: { ...direct, denomination: null },
      asked: [['redeem', ACTOR, { gameId: 'game_id_2', playerId: '5124780131', code: 'SECRETCODE123456' }]],
    },
    {
      ...passes,
      name: 'direct works for the game with a database',
      body: { ...direct, gameId: 'game_id_1' },
    },
    {
      ...passes,
      name: 'digits in quotes are that integer',
      body: { ...database, denomination: '325' },
      asked: [['redeem', ACTOR, { gameId: 'game_id_1', playerId: '5124780131', denomination: 325 }]],
    },
    ...['game_id_2', 'game_id_3'].map((gameId) => ({
      ...refused,
      name: `${gameId} needs codeOverride`,
      body: { ...database, gameId },
      answerHolds: { errorCode: 'CODE_OVERRIDE_REQUIRED', issues: [{ path: 'codeOverride' }] },
    })),
    {
      ...refused,
      name: 'a game without a database and neither field needs codeOverride',
      body: { playerId: '1', gameId: 'game_id_2' },
      answerHolds: { errorCode: 'CODE_OVERRIDE_REQUIRED' },
    },
    {
      ...refused,
      name: 'an unknown denomination lists those there are',
      body: { ...database, denomination: 61 },
      answerHolds: {
        issues: [
          { path: 'denomination', message: 'must be one that game_id_1 has: 60, 325, 660, 1800, 3850, 8100' },
        ],
      },
    },
    ...[0, -60, 60.5, 1e300, '', '60.0', '-60', ' 60', '6e1', true, [60], {}].map((denomination) => ({
      ...refused,
      name: `denomination ${JSON.stringify(denomination)} is refused`,
      body: { ...database, denomination },
      answerHolds: { issues: [{ path: 'denomination' }] },
    })),
    {
      ...refused,
      name: 'codeOverride as a number is refused',
      body: { ...direct, codeOverride: 123456789012 },
      mustNotContain: ['123456789012'],
    },
    {
      ...passes,
      name: 'an empty codeOverride is for the core to answer',
      body: { ...direct, codeOverride: ' ' },
      asked: [['redeem', ACTOR, { gameId: 'game_id_2', playerId: '5124780131', code: '' }]],
    },
    { ...passes, name: 'unknown fields are ignored', body: { ...database, more: { and: ['more'] } } },
  ]);
});

describe('the body', () => {
  runScenarios([
    { ...refused, name: 'none', body: '' },
    {
      ...refused,
      name: 'not JSON',
      body: '{"codeOverride":"SECRETCODE123456",',
      mustNotContain: ['SECRETCODE'],
    },
    ...['null', '[]', '"text"', '5'].map((body) => ({ ...refused, name: `${body} is no object`, body })),
    {
      ...refused,
      name: 'every broken field is told',
      body: { playerId: 5, gameId: 'x', denomination: 'y' },
      answerHolds: { issues: [{ path: 'playerId' }, { path: 'gameId' }, { path: 'denomination' }] },
    },
    {
      ...passes,
      name: 'a __proto__ changes nothing',
      body: '{"__proto__":{"codeOverride":"X"},"playerId":"5124780131","gameId":"game_id_1","denomination":60}',
      asked: [['redeem', ACTOR, { gameId: 'game_id_1', playerId: '5124780131', denomination: 60 }]],
    },
  ]);
});

test('the line of the request tells the number of the redemption', async () => {
  const core = createScriptedCore({
    redeem: () => Promise.resolve({ status: 'answered', redemption: RECEIPT, replayed: false }),
  });
  const log = createRememberedLog();
  const { app } = createHttpServer({ core, clock: createManualClock(0), log });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await app.request('/redeem', { method: 'POST', headers, body: JSON.stringify(database) });
  expect(log.lines.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      route: '/redeem',
      redemptionId: RECEIPT.id,
      requestId: answer.headers.get('x-request-id'),
    }),
  );
});

test.each([
  ['the sandbox', true, 'sandbox'],
  ['a real platform', false, null],
])('a receipt of %s carries its mark', async (_, isSandbox, mark) => {
  const core = createScriptedCore({
    redeem: () => Promise.resolve({ status: 'answered', redemption: RECEIPT, replayed: false }),
    health: { isSandbox },
  });
  const { app } = createHttpServer({ core, clock: createManualClock(0), log: createRememberedLog() });
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const answer = await app.request('/redeem', { method: 'POST', headers, body: JSON.stringify(database) });
  expect([answer.status, answer.headers.get('x-platform')]).toEqual([200, mark]);
});
