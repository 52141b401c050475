// The shipped profile of a job that is polled, against a server that answers, lies and fails: a look that goes wrong is
// no word of the order, and a record counts only where it names ours.
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  connectProfiled,
  PROFILED_ORDER as ORDER,
  PROFILED_TOKEN,
  readShipped,
} from '../../../test/harness/profiled.ts';
import { cutAfter, json, raw, startScriptedServer } from '../../../test/scripted-server.ts';
import type { ScriptedServer, Script } from '../../../test/scripted-server.ts';
import type { Platform } from '../port.ts';

const shipped = readShipped('job-poll');
const PROFILE = { ...shipped, job: { ...shipped.job!, everyMs: 100 } };
const QUEUED = json(202, { job_id: 'j/1', status: 'queued' });
const RUNNING = json(200, { job_id: 'j/1', status: 'running', external_id: ORDER.reference });
const DONE = {
  job_id: 'j/1',
  status: 'done',
  external_id: ORDER.reference,
  player: { name: 'Zoë', openid: '900' },
  amount: 60,
};
const failed = (error: string, external_id = ORDER.reference) =>
  json(200, { job_id: 'j/1', status: 'failed', external_id, error });
let server: ScriptedServer;
let platform: Platform;

beforeEach(async () => {
  server = await startScriptedServer();
  platform = connectProfiled(PROFILE, server.url);
});
afterEach(() => server.close());

/** Each answer once, the last one again and again; given up when so many looks were heard. */
async function redeem(answers: Script[], looks = Infinity, call = new AbortController()) {
  const left = [...answers];
  const sent = server.heard.length;
  server.answerWith((response, heard) => {
    if (server.heard.length - sent > looks + 1) return call.abort();
    (left.length > 1 ? left.shift() : left[0])?.(response, heard);
  });
  const outcome = await platform.redeem(ORDER, { signal: call.signal });
  expect(JSON.stringify(outcome)).not.toContain(PROFILED_TOKEN);
  return outcome;
}

test('an order is sent once, and its job asked for until it is done', async () => {
  expect(await redeem([QUEUED, RUNNING, json(200, DONE)])).toMatchObject({
    status: 'redeemed',
    receipt: { openid: '900', name: 'Zoë', amount: 60 },
    answer: { theirId: 'j/1' },
  });
  expect(server.heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/jobs',
    'GET /v1/jobs/j%2F1',
    'GET /v1/jobs/j%2F1',
  ]);
  expect(server.heard[0]?.headers).toMatchObject({
    authorization: `Bearer ${PROFILED_TOKEN}`,
    'idempotency-key': ORDER.reference,
  });
});

test.each([
  ['code_used', 'CODE_USED'],
  ['invalid_code', 'INVALID_CODE'],
  ['player_not_found', 'CHARACTER_NOT_FOUND'],
  ['no_account', 'NO_ACCOUNTS_AVAILABLE'],
  ['risk', 'RISK_CONTROL'],
])('a job that failed as %s is %s', async (error, errorCode) => {
  expect(await redeem([QUEUED, failed(error)])).toMatchObject({ status: 'refused', errorCode, asked: true });
});

test.each<[string, Script]>([
  ['refuses our key', json(401, { error: 'who?' })],
  ['is limited', raw(429, '')],
  ['finds nothing', json(404, { error: 'no such job' })],
  ['breaks', raw(502, '<html>Bad Gateway</html>')],
  ['is cut', cutAfter(200, JSON.stringify(DONE))],
  ['is lost', (response) => void response.destroy()],
  ['tells of another order that failed', failed('code_used', 'another')],
  ['tells of another order that is done', json(200, { ...DONE, external_id: 'another' })],
  ['names no order', json(200, { ...DONE, external_id: undefined })],
  ['is not known', failed('nobody_knows')],
])('a look that %s decides nothing: it is under way, by the id that it is known by', async (_, look) => {
  const open = { status: 'unknown', underWay: true, answer: { theirId: 'j/1' } };
  expect(await redeem([QUEUED, look], 2)).toMatchObject(open);
  expect(await redeem([QUEUED, look, json(200, DONE)])).toMatchObject({ status: 'redeemed' });
});

test('a look that could not be sent says nothing of the order, which was', async () => {
  const call = new AbortController();
  const answerAndGo: Script = (response, heard) => {
    response.on('finish', () => void server.close().then(() => setTimeout(() => call.abort(), 350)));
    QUEUED(response, heard);
  };
  const outcome = await redeem([answerAndGo], Infinity, call);
  expect(outcome).toMatchObject({ status: 'unknown', underWay: true, answer: { theirId: 'j/1' } });
});

test('its record can be asked for later, and is no word until it is final', async () => {
  const ask = async (answer: Script) => {
    server.answerWith(answer);
    return platform.findRecord?.(ORDER, 'j/1', { signal: AbortSignal.timeout(5_000) });
  };
  expect(await ask(RUNNING)).toMatchObject({ status: 'unknown', underWay: true });
  expect(await ask(json(401, {}))).toMatchObject({ status: 'unknown', underWay: true });
  expect(await ask(failed('code_used', 'another'))).toMatchObject({ status: 'unknown', underWay: true });
  expect(await ask(failed('code_used'))).toMatchObject({ status: 'refused', errorCode: 'CODE_USED' });
  expect(await ask(json(200, DONE))).toMatchObject({ status: 'redeemed' });
});

test('an id by which another order is known is nothing to ask by', async () => {
  server.answerWith(QUEUED);
  const saveJobId = () => Promise.resolve(false);
  const outcome = await platform.redeem(ORDER, { signal: AbortSignal.timeout(10_000), saveJobId });
  expect(outcome).toMatchObject({ status: 'unknown', underWay: true });
  expect([outcome.answer?.theirId, server.heard.length]).toEqual([undefined, 1]);
});

test('an id longer than a number can be is asked for by all of its digits', async () => {
  const queued = raw(202, '{"job_id":90071992547409931,"status":"queued"}');
  expect(await redeem([queued, json(200, DONE)])).toMatchObject({ status: 'redeemed' });
  expect(server.heard.at(-1)?.url).toBe('/v1/jobs/90071992547409931');
});

test('an id that is no whole number, or none, is nothing to ask by', async () => {
  for (const job_id of [2.5, undefined, { id: 1 }, ''])
    expect(await redeem([json(202, { job_id, status: 'queued' })])).toMatchObject({
      status: 'unknown',
      underWay: true,
    });
  expect(server.heard).toHaveLength(4);
});

test('an order that is refused at once has no job', async () => {
  expect(await redeem([json(422, { error: 'invalid_code' })])).toMatchObject({ errorCode: 'INVALID_CODE' });
  expect(await redeem([json(401, {})])).toMatchObject({ refusedUs: true });
  expect(await redeem([json(422, { error: 'new words' })])).toMatchObject({ answer: { isUnread: true } });
  expect(server.heard).toHaveLength(3);
});

test('a code: whose it is and since when, by the clock over there', async () => {
  const find = async (answer: Script) => {
    server.answerWith(answer);
    return platform.findCode(ORDER, { signal: AbortSignal.timeout(5_000) });
  };
  const { code } = ORDER;
  const used = {
    code,
    status: 'used',
    player_id: 5123456789,
    player_name: 'Zoë',
    used_at: '2026-01-13T08:27:18Z',
  };
  const date = 'Tue, 13 Jan 2026 09:00:00 GMT';
  expect(await find(raw(200, JSON.stringify(used), { date }))).toEqual({
    status: 'redeemed',
    redeemedAt: Date.parse('2026-01-13T08:27:18Z'),
    expiresAt: Date.parse('2026-01-13T08:27:18Z'),
    toldAt: Date.parse(date),
    openid: 'player:5123456789',
    playerId: '5123456789',
    playerName: 'Zoë',
    amount: 0,
    productName: '',
    channelName: '',
  });
  const untimed = await find(json(200, { ...used, used_at: undefined }));
  expect(untimed).toMatchObject({ status: 'redeemed', playerId: '5123456789' });
  expect(untimed).not.toHaveProperty('redeemedAt');
  expect(untimed).not.toHaveProperty('toldAt');
  expect(await find(json(200, { code, status: 'unused' }))).toEqual({ status: 'notRedeemed' });
  expect(await find(json(200, { code, status: 'running' }))).toEqual({ status: 'underWay' });
  for (const untold of [
    json(200, { ...used, player_id: '51****89' }),
    json(200, { ...used, player_id: undefined }),
    json(200, { code: 'another', status: 'unused' }),
    json(404, { code, status: 'unused' }),
    json(503, { code, status: 'unused' }),
    raw(200, '<html></html>'),
    cutAfter(200, JSON.stringify({ code, status: 'unused' })),
  ])
    expect(await find(untold)).toMatchObject({ status: 'unreachable' });
});

test('a player: by name, not there, or not told', async () => {
  const find = async (answer: Script) => {
    server.answerWith(answer);
    return platform.findCharacter(ORDER, { signal: AbortSignal.timeout(5_000) });
  };
  expect(await find(json(200, { name: 'Zoë' }))).toEqual({
    status: 'found',
    name: 'Zoë',
    openid: 'player:5123456789',
  });
  expect(server.heard[0]?.url).toBe('/v1/players/5123456789?game=game_id_1');
  expect(await find(json(404, { error: 'player_not_found' }))).toEqual({ status: 'notFound' });
  for (const untold of [json(404, {}), json(200, {}), raw(200, '<html></html>'), json(500, { name: 'Zoë' })])
    expect(await find(untold)).toMatchObject({ status: 'unreachable' });
});

test.each<[told: unknown, isTold: boolean]>([
  ['2026-11-28T10:00:00Z', true],
  ['2026-11-28 10:00:00.123 +03:00', true],
  ['2026-11-28T10:00:00', false],
  ['2026-11-28 10:00', false],
  ['2026-11-28', false],
  ['Sat Nov 28 2026 10:00:00', false],
  [1_795_850_000, false],
])('a look-up that tells the time as %j tells it: %s', async (used_at, isTold) => {
  const lookup = shipped.lookup!;
  const time = { at: '/used_at', as: 'iso' } as const;
  const answers = [
    {
      ...{ http: [200], where: { '/used': [true] }, means: 'usedBy' as const },
      tells: { playerId: '/player', time },
    },
  ];
  platform = connectProfiled({ ...shipped, lookup: { ...lookup, answers } }, server.url);
  server.answerWith(json(200, { used: true, player: '5170925570', used_at }));
  const call = { signal: AbortSignal.timeout(5_000) };
  const told = await platform.findCode({ gameId: ORDER.gameId, code: ORDER.code }, call);
  expect(told).toMatchObject({ status: 'redeemed', playerId: '5170925570' });
  expect('redeemedAt' in told).toBe(isTold);
});
