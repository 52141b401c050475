// The shipped profile of one call with a numeric result, against a server that answers, lies and fails: what each
// outcome means.
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  connectProfiled,
  PROFILED_ORDER as ORDER,
  PROFILED_TOKEN,
  readShipped,
} from '../../../test/harness/profiled.ts';
import {
  cutAfter,
  findClosedAddress,
  json,
  raw,
  startScriptedServer,
} from '../../../test/scripted-server.ts';
import type { ScriptedServer, Script } from '../../../test/scripted-server.ts';
import type { Platform } from '../port.ts';

const PROFILE = readShipped('result-code');
const DONE = {
  result_code: 0,
  activation_data: { activation_success: true, nickname: 'Zoë', activation_id: 77, uc_pack: '60 UC' },
};
const UNKNOWN = { status: 'unknown', errorCode: 'UNKNOWN' };
const UNREADABLE = { status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE' };
let server: ScriptedServer;
let platform: Platform;

beforeEach(async () => {
  server = await startScriptedServer();
  platform = connectProfiled(PROFILE, server.url);
});
afterEach(() => server.close());

const calm = () => ({ signal: AbortSignal.timeout(10_000) });

async function redeem(answer: Script, order = ORDER) {
  server.answerWith(answer);
  const outcome = await platform.redeem(order, calm());
  expect(JSON.stringify(outcome)).not.toContain(PROFILED_TOKEN);
  expect(JSON.stringify(outcome.answer ?? null)).not.toContain(ORDER.code);
  return outcome;
}

test('what is sent is what the profile says, with the key in its own header', async () => {
  await redeem(json(200, DONE));
  expect(server.heard).toMatchObject([
    { method: 'POST', url: '/api/activate', headers: { 'x-api-key': PROFILED_TOKEN, connection: 'close' } },
  ]);
  expect(server.heard[0]?.headers).not.toHaveProperty('authorization');
  expect(JSON.parse(server.heard[0]?.body ?? '')).toEqual({
    player_id: 5123456789,
    uc_code: ORDER.code,
    uc_value: '60 UC',
  });
  expect(platform.hasNoReferences).toBe(true);
});

test('redeemed: a receipt with a warning, and the player as we know them where the wire does not tell', async () => {
  expect(await redeem(json(200, DONE))).toMatchObject({
    status: 'redeemed',
    receipt: { openid: 'player:5123456789', name: 'Zoë', amount: 60 },
    fullReceipt: false,
    answer: { httpStatus: 200, theirId: '77' },
  });
  const bare = { result_code: 0, activation_data: { activation_success: true, uc_pack: '60 + 5 UC' } };
  const named = await redeem(json(200, bare), { ...ORDER, playerName: 'Ann' });
  expect(named).toMatchObject({ status: 'redeemed', receipt: { openid: 'player:5123456789', name: 'Ann' } });
  expect(named).not.toHaveProperty('receipt.amount');
  expect(await redeem(json(200, bare))).toMatchObject({ receipt: { name: '5123456789' } });
});

test.each([
  [101, 'CODE_USED', { usedByPlayer: true }],
  [102, 'CODE_USED', {}],
  [103, 'INVALID_CODE', {}],
  [104, 'CHARACTER_NOT_FOUND', {}],
  [105, 'NO_ACCOUNTS_AVAILABLE', {}],
  [106, 'RISK_CONTROL', {}],
])('result %s is %s', async (result_code, errorCode, more) => {
  const outcome = await redeem(json(200, { result_code }));
  expect(outcome).toMatchObject({ status: 'refused', errorCode, asked: true, ...more });
  expect(outcome).not.toHaveProperty('neverSent');
  expect('usedByPlayer' in outcome).toBe('usedByPlayer' in more);
});

test.each([401, 402, 403, 429])('%s refuses us, and the host is told which upstream does', async (status) => {
  expect(await redeem(raw(status, 'no', { 'retry-after': '30' }))).toMatchObject({
    status: 'refused',
    errorCode: 'NETWORK_ERROR',
    asked: false,
    refusedUs: true,
    hostNotice: `The upstream west refuses our requests (${status}): look at our key, balance and limit there.`,
    answer: { httpStatus: status, retryAfterMs: 30_000 },
  });
});

test.each<[string, Script, object]>([
  [
    'a success that says it is none',
    json(200, { ...DONE, activation_data: { activation_success: false } }),
    UNREADABLE,
  ],
  ['a result as text', json(200, { ...DONE, result_code: '0' }), UNREADABLE],
  ['a result that is not known', json(200, { result_code: 999 }), UNREADABLE],
  ['a maintenance page under 200', raw(200, '<html>We will be back soon.</html>'), UNREADABLE],
  ['garbage', raw(200, '{"result_code":0,"activation_da'), UNREADABLE],
  ['nothing', raw(200, ''), UNREADABLE],
  ['null', json(200, null), UNREADABLE],
  ['a cut success', cutAfter(200, JSON.stringify(DONE)), UNREADABLE],
  ['a cut refusal', cutAfter(401, '{"error":'), UNKNOWN],
  ['a success under 502', json(502, DONE), UNKNOWN],
  ['a refusal under 500', json(500, { result_code: 102 }), UNKNOWN],
  ['a page of a gateway', raw(502, '<html>Bad Gateway</html>'), UNKNOWN],
  ['408', json(408, { result_code: 102 }), UNKNOWN],
  ['a redirect', raw(302, '', { location: '/elsewhere' }), UNKNOWN],
  ['404', json(404, {}), UNKNOWN],
  ['a connection that is cut', (response) => void response.destroy(), UNKNOWN],
])('%s is unknown', async (_, answer, unknown) => {
  expect(await redeem(answer)).toMatchObject(unknown);
  expect(server.heard).toHaveLength(1);
});

test('an answer without a rule is kept, without the code, the key and what looks like a login', async () => {
  const body = {
    result_code: 7,
    echo: ORDER.code.toUpperCase(),
    sent: PROFILED_TOKEN,
    user: { password: 'hush' },
  };
  const { answer } = await redeem(json(200, body));
  expect(answer).toEqual({
    httpStatus: 200,
    isUnread: true,
    text: '{"result_code":7,"echo":"[secret]","sent":"[secret]","user":{"password":"[secret]"}}',
  });
  const long = await redeem(raw(200, 'ж'.repeat(5000)));
  const bytes = Buffer.byteLength(long.answer?.text ?? '');
  expect([bytes <= 4096, bytes > 4090]).toEqual([true, true]);
});

test('an answer that never comes is unknown', async () => {
  server.answerWith(() => undefined);
  expect(await platform.redeem(ORDER, { signal: AbortSignal.timeout(200) })).toMatchObject(UNKNOWN);
});

test('a closed port and a handshake that is cut have certainly got nothing', async () => {
  const never = { status: 'refused', errorCode: 'NETWORK_ERROR', asked: false, neverSent: true };
  const closed = connectProfiled(PROFILE, await findClosedAddress());
  expect(await closed.redeem(ORDER, calm())).toMatchObject(never);
  const cutting = createServer((socket) => void socket.once('data', () => socket.end()));
  await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
  const { port } = cutting.address() as AddressInfo;
  const cut = await connectProfiled(PROFILE, `https://127.0.0.1:${port}`).redeem(ORDER, calm());
  cutting.close();
  expect(cut).toMatchObject(never);
  const noName = connectProfiled(PROFILE, 'https://nobody.invalid');
  expect(await noName.redeem(ORDER, calm())).toMatchObject(never);
});

test.each([
  ['without a denomination', { denomination: null }, 'no denomination is known'],
  [
    'for a player that no number holds',
    { playerId: '51234567890123456789' },
    'a value cannot be written as a number',
  ],
  ['for a player with a zero in front', { playerId: '05123456' }, 'a value cannot be written as a number'],
])('an order %s is not sent, and the host is told', async (_, change, why) => {
  const outcome = await redeem(json(200, DONE), { ...ORDER, ...change });
  expect(outcome).toMatchObject({
    status: 'refused',
    errorCode: 'NETWORK_ERROR',
    asked: false,
    neverSent: true,
    hostNotice: `The upstream west cannot be sent an order: ${why}.`,
  });
  expect(server.heard).toEqual([]);
});

test('it has no look-ups: of codes it does not tell, and of names it is not asked', async () => {
  expect(await platform.findCode(ORDER, calm())).toMatchObject({ status: 'unreachable' });
  expect(await platform.findCharacter(ORDER, calm())).toEqual({ status: 'notOffered' });
  expect(platform).not.toHaveProperty('findRecord');
  expect(server.heard).toEqual([]);
});

test('it is there where its ping says so', async () => {
  for (const [status, isThere] of [
    [200, true],
    [204, true],
    [500, false],
    [404, false],
  ] as const) {
    server.answerWith((response) => void response.writeHead(status).end());
    expect(await platform.isReachable(calm())).toBe(isThere);
  }
  expect(server.heard[0]).toMatchObject({ method: 'GET', url: '/health' });
});
