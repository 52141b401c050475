// The adapter against a real HTTP server whose every answer is scripted, the broken ones above all.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  cutAfter,
  findClosedAddress,
  json,
  raw,
  startScriptedServer,
  type Script,
  type ScriptedServer,
} from '../../../test/scripted-server.ts';
import type { PlatformOrder, Platform } from '../port.ts';
import { createUpstream } from './upstream.ts';

const TOKEN = 'canary-token-0123456789';
const ORDER: PlatformOrder = {
  reference: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  gameId: 'game_id_1',
  code: '60Sabcdefghijkl',
  playerId: '5123456789',
};
const RECEIPT = {
  type: 'ActivationReceipt',
  id: 41,
  createdAt: '2026-01-13T08:27:18.520Z',
  warning: false,
  took: 900,
  gameId: ORDER.gameId,
  playerId: ORDER.playerId,
  code: ORDER.code,
  openid: '90000000000000000001',
  name: 'Zoë',
  amount: 60,
  email: 'login@accounts.invalid',
  password: 'pass',
};
const FAILURE = { type: 'ActivationError', id: 42, createdAt: RECEIPT.createdAt, codeReset: false };
let server: ScriptedServer;
let platform: Platform;

beforeEach(async () => {
  server = await startScriptedServer();
  platform = createUpstream({ url: `${server.url}/base/`, token: TOKEN });
});

afterEach(() => server.close());

const calm = () => ({ signal: AbortSignal.timeout(10_000) });

async function redeemAgainst(answer: Script, order = ORDER) {
  server.answerWith(answer);
  const outcome = await platform.redeem(order, calm());
  expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  return outcome;
}

const UNKNOWN = { status: 'unknown', errorCode: 'UNKNOWN' };
const UNREADABLE = { status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE' };
const NOTHING_SENT = { status: 'refused', errorCode: 'NETWORK_ERROR', asked: false };

describe('what is sent', () => {
  test('an address may end with slashes', async () => {
    server.answerWith(json(200, RECEIPT));
    await createUpstream({ url: `${server.url}/base//`, token: TOKEN }).redeem(ORDER, calm());
    expect(server.heard[0]).toMatchObject({ url: '/base/redeem' });
  });

  test('an order goes out once, with its code, our reference as the key, and the token', async () => {
    await redeemAgainst(json(200, RECEIPT));
    expect(server.heard).toHaveLength(1);
    expect(server.heard[0]).toMatchObject({
      method: 'POST',
      url: '/base/redeem',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'idempotency-key': ORDER.reference,
        'content-type': 'application/json',
        accept: 'application/json',
        connection: 'close',
      },
    });
    expect(JSON.parse(server.heard[0]?.body ?? '')).toEqual({
      codeOverride: ORDER.code,
      gameId: ORDER.gameId,
      playerId: ORDER.playerId,
      requireReceipt: true,
    });
  });

  test('no connection is used twice, so none can die between two orders', async () => {
    for (let at = 0; at < 3; at += 1) await redeemAgainst(json(200, RECEIPT));
    expect(server.connections()).toBe(3);
  });

  test('a call given up before it began sends nothing', async () => {
    const outcome = await platform.redeem(ORDER, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({
      ...NOTHING_SENT,
      message: 'The upstream service could not be reached (given up before it was sent).',
    });
    expect(server.heard).toHaveLength(0);
  });

  test('a question has no body, no key and no type', async () => {
    server.answerWith(json(404, {}));
    await platform.findCharacter({ gameId: 'game_id_1', playerId: '5' }, calm());
    const [{ headers, body }] = server.heard as [(typeof server.heard)[0]];
    expect([body, headers['content-type'], headers['idempotency-key']]).toEqual(['', undefined, undefined]);
  });
});

describe('a redemption that was carried out', () => {
  test('the receipt is passed on, and nothing that is not part of it', async () => {
    expect(await redeemAgainst(json(200, RECEIPT))).toEqual({
      status: 'redeemed',
      receipt: {
        openid: RECEIPT.openid,
        name: 'Zoë',
        amount: 60,
        email: 'login@accounts.invalid',
        password: 'pass',
      },
      fullReceipt: true,
      answer: { httpStatus: 200 },
    });
  });

  test('a warning means that there is no full receipt', async () => {
    expect(await redeemAgainst(json(200, { ...RECEIPT, warning: true }))).toMatchObject({
      fullReceipt: false,
    });
  });

  test('what the other side does not name is taken to be our order', async () => {
    const bare = { ...RECEIPT, code: undefined, gameId: undefined, playerId: null, amount: null };
    const outcome = await redeemAgainst(json(200, bare));
    expect(outcome).toMatchObject({ status: 'redeemed' });
    expect(outcome).not.toHaveProperty('receipt.amount');
  });

  test('may fill the bound to the last byte', async () => {
    const full = JSON.stringify(RECEIPT).padEnd(1024 * 1024 - Buffer.byteLength('Zoë') + 'Zoë'.length);
    expect(await redeemAgainst(raw(200, full))).toMatchObject({ status: 'redeemed' });
  });

  test.for<[string, Script]>([
    ['another code', json(200, { ...RECEIPT, code: '60Sxxxxxxxxxxxx' })],
    ['another player', json(200, { ...RECEIPT, playerId: '5999999999' })],
    ['another game', json(200, { ...RECEIPT, gameId: 'game_id_2' })],
    ['no openid', json(200, { ...RECEIPT, openid: undefined })],
    ['no warning', json(200, { ...RECEIPT, warning: undefined })],
    ['a text for an amount', json(200, { ...RECEIPT, amount: '60' })],
    ['an error under 200', json(200, { ...FAILURE, errorCode: 'CODE_USED' })],
    ['garbage', raw(200, '<html>welcome</html>')],
    ['half a document', raw(200, JSON.stringify(RECEIPT).slice(0, -9))],
    ['nothing', raw(200, '')],
    ['null', json(200, null)],
    ['deep nesting', raw(200, '['.repeat(500_000))],
    [
      'text that is not UTF-8',
      raw(200, Buffer.from(JSON.stringify({ ...RECEIPT, name: 'Zo\u00eb' }), 'latin1')),
    ],
    ['a body one byte over the bound', raw(200, JSON.stringify(RECEIPT).padEnd(1024 * 1024 + 1))],
    ['a body over the bound', json(200, { ...RECEIPT, filling: 'x'.repeat(1024 * 1024) })],
    ['an undecodable encoding', raw(200, 'not gzip', { 'content-encoding': 'gzip' })],
    ['201', json(201, RECEIPT)],
    ['a body that is cut', cutAfter(200, '{"type":"ActivationReceipt",')],
  ])('200 with %s is unreadable, not a success', async ([, answer]) => {
    expect(await redeemAgainst(answer)).toMatchObject(UNREADABLE);
  });
});

describe('a redemption that failed', () => {
  test('a text of the other side is never passed on: it may quote a secret', async () => {
    const errorMessage = `rejected ${TOKEN} for ${ORDER.code}`;
    const outcome = await redeemAgainst(json(503, { ...FAILURE, errorCode: 'RISK_CONTROL', errorMessage }));
    expect(JSON.stringify(outcome)).not.toContain(ORDER.code);
    const odd = await redeemAgainst(json(503, { ...FAILURE, errorCode: `NO ${TOKEN}` }));
    expect(odd).toMatchObject(UNKNOWN);
  });

  test('a failure of another order says nothing of ours', async () => {
    const other = { ...FAILURE, errorCode: 'LOGIN_FAILED', code: '60Sxxxxxxxxxxxx' };
    expect(await redeemAgainst(json(503, other))).toMatchObject(UNREADABLE);
  });

  test('a failed redemption counts under any error status', async () => {
    const outcome = await redeemAgainst(json(400, { ...FAILURE, errorCode: 'RISK_CONTROL' }));
    expect(outcome).toMatchObject({ errorCode: 'RISK_CONTROL', asked: true });
  });

  test.for([401, 429])('%s spends nothing, whatever its body', async (status) => {
    for (const answer of [json(status, { error: 'no', limit: 300 }), raw(status, '<html>no</html>')])
      expect(await redeemAgainst(answer)).toMatchObject(NOTHING_SENT);
  });

  test.for([408, 409, 418, 422, 500, 501, 502, 503, 504])(
    '%s without a failed redemption is unknown',
    async (status) => {
      expect(await redeemAgainst(json(status, { error: 'no' }))).toMatchObject(UNKNOWN);
    },
  );

  test('a rejection that is cut short is unknown', async () => {
    expect(await redeemAgainst(cutAfter(403, '{"error":'))).toMatchObject(UNKNOWN);
  });

  test.for([301, 302, 303, 307, 308])('a redirect (%s) is not followed and is unknown', async (status) => {
    const away = `${server.url}/elsewhere`;
    expect(await redeemAgainst(raw(status, JSON.stringify(RECEIPT), { location: away }))).toMatchObject(
      UNKNOWN,
    );
    expect(server.heard).toHaveLength(1);
  });
});

describe('no answer', () => {
  test('a connection that is cut before the headers is unknown', async () => {
    expect(await redeemAgainst((response) => void response.destroy())).toMatchObject(UNKNOWN);
    expect(server.heard).toHaveLength(1);
  });

  test('a connection that is reset before the headers is unknown', async () => {
    expect(await redeemAgainst((response) => void response.socket?.resetAndDestroy())).toMatchObject(UNKNOWN);
  });

  test('bytes that are not HTTP are unknown', async () => {
    expect(await redeemAgainst((response) => void response.socket?.end('220 mail ready\r\n'))).toMatchObject(
      UNKNOWN,
    );
  });

  test('an answer that never begins is unknown once we give up', async () => {
    const call = new AbortController();
    server.answerWith(() => call.abort());
    expect(await platform.redeem(ORDER, { signal: call.signal })).toEqual({
      ...UNKNOWN,
      message: 'The upstream service did not answer (no answer in time).',
    });
  });

  test('an answer that never ends is unknown once we give up', async () => {
    server.answerWith((response) => void response.writeHead(200).write('{"type":'));
    expect(await platform.redeem(ORDER, { signal: AbortSignal.timeout(300) })).toEqual({
      ...UNKNOWN,
      message: 'The upstream service did not answer (no answer in time).',
    });
  });

  test('a closed port certainly got nothing', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const nobody = createUpstream({ url: await findClosedAddress(host), token: TOKEN });
      expect(await nobody.redeem(ORDER, calm())).toMatchObject({
        ...NOTHING_SENT,
        message: 'The upstream service could not be reached (ECONNREFUSED).',
      });
    }
  });

  test('a port that fetch refuses to use certainly got nothing', async () => {
    const blocked = createUpstream({ url: 'http://127.0.0.1:6000', token: TOKEN });
    expect(await blocked.redeem(ORDER, calm())).toMatchObject(NOTHING_SENT);
  });
});

test('“not redeemed” is final only where the other side is past its whole deadline; looks cost, and come every ten seconds at most', () => {
  expect([platform.name, platform.settlingMs, platform.lookPauseMs]).toEqual(['upstream', 75_000, 10_000]);
});

test('an unusable address or token is refused at once, without being quoted', () => {
  for (const given of [
    'nowhere',
    'ftp://host.invalid',
    `http://user:${TOKEN}@host.invalid`,
    `http://user@host.invalid`,
    `http://:${TOKEN}@host.invalid`,
    'http://host.invalid?a=1',
    'http://host.invalid#part',
    'http://host.invalid/api?',
    'http://host.invalid/api#',
  ]) {
    const create = () => createUpstream({ url: given, token: TOKEN });
    expect(create).toThrow(/address/);
    expect(create).not.toThrow(TOKEN);
  }
  for (const given of [`${TOKEN}\n`, ` ${TOKEN}`, `${TOKEN} x`, `${TOKEN}é`, '']) {
    const create = () => createUpstream({ url: 'https://host.invalid', token: given });
    expect(create).toThrow('The upstream token must be visible ASCII without spaces.');
  }
});
