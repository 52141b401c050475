// The look-ups of the upstream adapter: above all, nothing but a plain "not redeemed" may sound like one.
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
import { createManualClock } from '../../clock.ts';
import type { CodeOutcome, Platform } from '../port.ts';
import { createUpstream } from './upstream.ts';

const TOKEN = 'canary-token-0123456789';
const CODE = { gameId: 'game_id_1', code: '60Sabcdefghijkl' };
const PLAYER = { gameId: 'game_id_1', playerId: '5123456789' };
const REDEEMED_AT = Date.UTC(2026, 0, 13, 8, 27, 18, 520);
const TIME = {
  redemptionTime: '2026-01-13T08:27:18.520Z',
  expirationTime: '2027-01-13T08:27:18.520Z',
  channelName: 'Channel',
  openid: '90000000000000000001',
  amount: 60,
  name: '60 credits',
  playerId: PLAYER.playerId,
  playerName: 'Zoë',
};
const TOLD: CodeOutcome = {
  status: 'redeemed',
  redeemedAt: REDEEMED_AT,
  toldAt: expect.any(Number) as number,
  expiresAt: Date.UTC(2027, 0, 13, 8, 27, 18, 520),
  channelName: 'Channel',
  openid: TIME.openid,
  amount: 60,
  productName: '60 credits',
  playerId: PLAYER.playerId,
  playerName: 'Zoë',
};
const RECEIPT = {
  type: 'ActivationReceipt',
  id: 41,
  warning: true,
  openid: TIME.openid,
  name: 'Zoë',
  ...CODE,
};
const FAILURE = { type: 'ActivationError', id: 41, ...CODE };

const clock = createManualClock(REDEEMED_AT);
let server: ScriptedServer;
let platform: Platform;

beforeEach(async () => {
  clock.set(REDEEMED_AT + 60_000);
  server = await startScriptedServer();
  platform = createUpstream({ url: server.url, token: TOKEN, clock });
});

afterEach(() => server.close());

const calm = () => ({ signal: AbortSignal.timeout(10_000) });

function findCode(answer: Script, withReceipt = false) {
  server.answerWith(answer);
  return platform.findCode({ ...CODE, withReceipt }, calm());
}

describe('what became of a code', () => {
  test('redeemed: when and by whom, in milliseconds', async () => {
    expect(await findCode(json(200, TIME))).toEqual(TOLD);
    expect(server.heard).toHaveLength(1);
    expect(server.heard[0]).toMatchObject({ method: 'POST', url: '/redemption-time' });
    expect(JSON.parse(server.heard[0]?.body ?? '')).toEqual(CODE);
  });

  test.for<[string, Record<string, string>, number | undefined]>([
    ['its own clock tells', { date: 'Tue, 13 Jan 2026 08:30:00 GMT' }, Date.UTC(2026, 0, 13, 8, 30)],
    ['no clock tells that is none', { date: 'soon' }, undefined],
    [
      'no clock tells that stood still in a cache',
      { date: 'Tue, 13 Jan 2026 08:30:00 GMT', age: '60' },
      undefined,
    ],
  ])('when it was told is what %s', async ([, headers, toldAt]) => {
    const told = await findCode(raw(200, JSON.stringify(TIME), headers));
    expect((told as { toldAt?: number }).toldAt).toBe(toldAt);
    clock.advance(5_000);
    expect(platform.findNow?.()).toBe(toldAt === undefined ? undefined : toldAt + 5_000);
  });

  test('not redeemed, when exactly that is said', async () => {
    const answer = json(404, { error: 'No such code.', errorCode: 'CODE_NOT_FOUND' });
    expect(await findCode(answer)).toEqual({ status: 'notRedeemed' });
  });

  test('under way, when the other side does not know yet', async () => {
    expect(await findCode(json(503, { error: 'Wait.', errorCode: 'UNKNOWN' }))).toEqual({
      status: 'underWay',
    });
  });

  test.for<[string, Script]>([
    ['404 of a wrong address', json(404, { error: 'Not found' })],
    ['404 of another kind', json(404, { error: 'Not found', errorCode: 'ACTIVATION_NOT_FOUND' })],
    ['404 in HTML', raw(404, '<html>CODE_NOT_FOUND</html>')],
    ['CODE_NOT_FOUND under another status', json(400, { error: 'no', errorCode: 'CODE_NOT_FOUND' })],
    ['503 with NETWORK_ERROR', json(503, { error: 'no', errorCode: 'NETWORK_ERROR' })],
    ['503 without a code', json(503, { error: 'no' })],
    ['500', json(500, { error: 'no', errorCode: 'UNKNOWN' })],
    ['a redirect', raw(302, JSON.stringify(TIME), { location: '/elsewhere' })],
    ['200 with a broken time', json(200, { ...TIME, redemptionTime: 'yesterday' })],
    ['200 with garbage', raw(200, 'welcome')],
    ['200 that is cut', cutAfter(200, '{"redemptionTime":')],
    ['404 that is cut', cutAfter(404, '{"errorCode":"CODE_NOT_FOUND"')],
    ['no answer', (response) => void response.destroy()],
  ])('%s is no answer', async ([, answer]) => {
    expect(await findCode(answer)).toMatchObject({
      status: 'unreachable',
      message: expect.stringMatching(
        /^The upstream service (answered \d{3}, which does not tell|could not be asked \(ECONNRESET\))\.$/,
      ),
    });
  });

  test('an answer that does not tell is told with its status, and is no matter for the host', async () => {
    expect(await findCode(json(500, { error: 'no' }))).toStrictEqual({
      status: 'unreachable',
      message: 'The upstream service answered 500, which does not tell.',
    });
  });

  test.for([400, 401, 403, 404, 429])('the host hears of %s', async (status) => {
    const outcome = await findCode(json(status, { error: TOKEN }));
    expect(outcome).toMatchObject({
      status: 'unreachable',
      hostNotice: expect.stringContaining(`(${status})`),
    });
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });

  test('nobody there is no answer', async () => {
    const nobody = createUpstream({ url: await findClosedAddress(), token: TOKEN, clock });
    expect(await nobody.findCode(CODE, calm())).toMatchObject({ status: 'unreachable' });
  });
});

describe('the receipt of a redeemed code', () => {
  const withHistory =
    (history: Script, time: object = { ...TIME, receiptId: 41, receiptSuccessful: true }): Script =>
    (response, heard) =>
      (heard.url === '/history/41' ? history : json(200, time))(response, heard);

  test('is fetched from the history with its credentials', async () => {
    const history = json(200, { ...RECEIPT, email: 'login@accounts.invalid', password: 'pass', amount: 60 });
    expect(await findCode(withHistory(history), true)).toEqual({
      ...TOLD,
      receipt: {
        openid: TIME.openid,
        name: 'Zoë',
        amount: 60,
        email: 'login@accounts.invalid',
        password: 'pass',
        fullReceipt: false,
      },
    });
  });

  test('is not fetched unasked, nor when there is none', async () => {
    expect(await findCode(withHistory(json(200, RECEIPT)), false)).toEqual(TOLD);
    expect(await findCode(withHistory(json(200, RECEIPT), TIME), true)).toEqual(TOLD);
    expect(server.heard.map(({ url }) => url)).not.toContain('/history/41');
  });

  test.for<[string, Script]>([
    ['another code', json(200, { ...RECEIPT, code: '60Sxxxxxxxxxxxx' })],
    ['another game', json(200, { ...RECEIPT, gameId: 'game_id_2' })],
    ['nothing there', json(404, { error: 'no', errorCode: 'ACTIVATION_NOT_FOUND' })],
    ['a failed redemption', json(200, { ...FAILURE, errorCode: 'CODE_USED' })],
    [
      'one that ended as unknown',
      json(200, { ...FAILURE, errorCode: 'UNKNOWN', settledAt: TIME.redemptionTime }),
    ],
    [
      'a failed redemption of another code',
      json(200, { ...FAILURE, errorCode: 'UNKNOWN', code: '60Sxxxxxxxxxxxx' }),
    ],
  ])('with %s: redeemed, without a receipt', async ([, history]) => {
    expect(await findCode(withHistory(history), true)).toEqual(TOLD);
  });

  test.for<[string, Script]>([
    ['500', json(500, { error: 'no' })],
    ['429', json(429, { error: 'no', limit: 300 })],
    ['a cut body', cutAfter(200, '{"type":')],
    ['a page of something between', raw(200, '<html>Sign in to this network</html>')],
    ['a page of something between that is not there', raw(404, '<html>Not Found</html>')],
    ['a 404 of another kind', json(404, { error: 'There is no such route.' })],
    ['what is no record', json(200, ['welcome'])],
    ['an object of no known shape', json(200, { status: 'ok' })],
    ['a receipt of no code', json(200, { ...RECEIPT, code: undefined })],
    ['a record that is not settled', json(200, { ...FAILURE, errorCode: 'UNKNOWN' })],
    [
      'one of an answer that could not be read',
      json(200, { ...FAILURE, errorCode: 'INVALID_ACTIVATION_RESPONSE' }),
    ],
    ['no answer', (response) => void response.destroy()],
  ])('with %s: asked again later, so that no credentials are lost', async ([, history]) => {
    expect(await findCode(withHistory(history), true)).toEqual({ ...TOLD, receiptAwaited: true });
  });
});

describe('a player', () => {
  const findCharacter = (answer: Script) => {
    server.answerWith(answer);
    return platform.findCharacter(PLAYER, calm());
  };

  test('is found by id and game', async () => {
    const answer = json(200, { ...PLAYER, openid: '90', name: 'Zoë' });
    expect(await findCharacter(answer)).toEqual({ status: 'found', openid: '90', name: 'Zoë' });
    expect(server.heard[0]).toMatchObject({
      method: 'GET',
      url: '/character?gameId=game_id_1&playerId=5123456789',
    });
  });

  test('does not exist, when exactly that is said', async () => {
    const answer = json(404, { error: 'no', errorCode: 'CHARACTER_NOT_FOUND' });
    expect(await findCharacter(answer)).toEqual({ status: 'notFound' });
  });

  test('who the other side does not repeat is the one that was asked for', async () => {
    const found = { status: 'found', openid: '90', name: 'Zoë' };
    expect(await findCharacter(json(200, { openid: '90', name: 'Zoë', playerId: null }))).toEqual(found);
  });

  test('cannot be looked up where nobody answers, in a sentence', async () => {
    const nobody = createUpstream({ url: await findClosedAddress(), token: TOKEN, clock });
    expect(await nobody.findCharacter(PLAYER, calm())).toEqual({
      status: 'unreachable',
      message: 'The upstream service could not be asked (ECONNREFUSED).',
    });
    expect(await findCharacter(json(401, {}))).toEqual({
      status: 'unreachable',
      message: 'The upstream service answered 401, which does not tell.',
    });
  });

  test.for<[string, Script]>([
    ['another game', json(200, { ...PLAYER, gameId: 'game_id_2', openid: '90', name: 'Zoë' })],
    ['201', json(201, { ...PLAYER, openid: '90', name: 'Zoë' })],
    ['503 with the same code', json(503, { error: 'no', errorCode: 'CHARACTER_NOT_FOUND' })],
    ['404 of a wrong address', json(404, { error: 'no' })],
    ['401', json(401, { error: 'no' })],
    ['another player', json(200, { ...PLAYER, playerId: '5999999999', openid: '90', name: 'Zoë' })],
    ['garbage', raw(200, 'welcome')],
    ['no answer', (response) => void response.destroy()],
  ])('%s does not say that the player is missing', async ([, answer]) => {
    expect(await findCharacter(answer)).toMatchObject({ status: 'unreachable' });
  });
});

test('orders cannot be looked up, and nothing is sent to try', async () => {
  const order = { ...CODE, ...PLAYER, reference: 'reference' };
  expect(await platform.findOrder(order, calm())).toEqual({
    status: 'unreachable',
    message: 'The upstream service has no look-up of orders.',
  });
  expect(server.heard).toHaveLength(0);
});

test('it is reachable when it says that it is alive', async () => {
  server.answerWith(json(200, { status: 'ok' }));
  expect(await platform.isReachable(calm())).toBe(true);
  expect(server.heard[0]).toMatchObject({ method: 'GET', url: '/healthz' });
  for (const [status, isReachable] of [
    [204, true],
    [299, true],
    [300, false],
    [404, false],
    [503, false],
  ] as const) {
    server.answerWith(raw(status, ''));
    expect([status, await platform.isReachable(calm())]).toEqual([status, isReachable]);
  }
  const nobody = createUpstream({ url: await findClosedAddress(), token: TOKEN, clock });
  expect(await nobody.isReachable(calm())).toBe(false);
});
