// A wire that no shipped profile has, by a profile that was written from docs/upstreams.md alone: forms instead of JSON,
// a header of its own, a ticket that is polled, and errors that lie two levels deep.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { connectProfiled, PROFILED_ORDER as ORDER, PROFILED_TOKEN } from '../../../test/harness/profiled.ts';
import { startScriptedServer, type ScriptedServer } from '../../../test/scripted-server.ts';
import type { Platform } from '../port.ts';
import { Profile } from './profile.ts';

const OURS = { '/data/card': '{code}' };
const FAILED = { '/rc': 7, ...OURS };
const PROFILE = Profile.parse({
  auth: { header: 'X-Merchant-Sig', value: 'v1;key={token}' },
  settlingMs: 180_000,
  redeem: {
    request: {
      method: 'POST',
      path: '/cgi/order.php',
      form: { card: '{code}', acct: '{playerId}', val: '{denomination}', ext: '{reference}' },
    },
    needs: ['denomination'],
    answers: [
      { http: [200], where: { '/rc': 0 }, means: 'underWay' },
      { http: [200], where: { '/rc': 9, '/err/sub/no': 'KEY' }, means: 'refusedUs' },
      { http: [200], where: { '/rc': 9, '/err/sub/no': 'FULL' }, means: 'NO_ACCOUNTS_AVAILABLE' },
    ],
  },
  job: {
    idAt: '/data/ticket',
    request: { method: 'POST', path: '/cgi/state.php', form: { ticket: '{jobId}' } },
    everyMs: 100,
    answers: [
      { http: [200], where: { '/data/st': ['W', 'P'] }, means: 'underWay' },
      {
        http: [200],
        where: { '/rc': 0, '/data/st': 'OK', ...OURS },
        means: 'redeemed',
        receipt: { name: '/data/nick', amount: { at: '/data/val', as: 'digits' }, theirId: '/data/ticket' },
      },
      { http: [200], where: { ...FAILED, '/err/sub/no': '17' }, means: 'CODE_USED' },
      { http: [200], where: { ...FAILED, '/err/sub/no': '18' }, means: 'usedByPlayer' },
      { http: [200], where: { ...FAILED, '/err/grp': 'ACCT' }, means: 'CHARACTER_NOT_FOUND' },
    ],
  },
});

let server: ScriptedServer;
let platform: Platform;
beforeEach(async () => {
  server = await startScriptedServer();
  platform = connectProfiled(PROFILE, server.url);
});
afterEach(() => server.close());

/** The stand-in: `states` one after another, the last again and again. */
function serve(states: object[], ordered: object = { rc: 0, data: { ticket: 77 } }): void {
  const left = [...states];
  server.answerWith((response, { url, body, headers }) => {
    const form = new URLSearchParams(body);
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
    const isKnown = isForm && headers['x-merchant-sig'] === `v1;key=${PROFILED_TOKEN}`;
    const isOrder = url === '/cgi/order.php' && form.get('card') === ORDER.code && form.get('val') === '60';
    const isState = url === '/cgi/state.php' && form.get('ticket') === '77';
    const state = isOrder ? ordered : left.length > 1 ? left.shift() : left[0];
    const answer = isKnown && (isOrder || isState) ? state : { rc: 9, err: { sub: { no: 'KEY' } } };
    response.writeHead(200, { 'content-type': 'text/html' }).end(JSON.stringify(answer));
  });
}
const redeem = () => platform.redeem(ORDER, { signal: AbortSignal.timeout(10_000) });
const fail = (err: object, card = ORDER.code) => ({ rc: 7, data: { st: 'X', card }, err });

test('an order is sent as a form, and its ticket asked about until it has ended', async () => {
  const data = { st: 'OK', ticket: 77, card: ORDER.code, nick: 'Zoë', val: '60 UC' };
  serve([
    { rc: 0, data: { st: 'W' } },
    { rc: 0, data: { st: 'P' } },
    { rc: 0, data },
  ]);
  expect(await redeem()).toMatchObject({ status: 'redeemed', receipt: { name: 'Zoë', amount: 60 } });
  expect(server.heard).toHaveLength(4);
  expect(new URLSearchParams(server.heard[0]?.body).get('ext')).toBe(ORDER.reference);
});

test.each<[object, object]>([
  [fail({ grp: 'CARD', sub: { no: '17' } }), { status: 'refused', errorCode: 'CODE_USED' }],
  [fail({ grp: 'CARD', sub: { no: '18' } }), { errorCode: 'CODE_USED', usedByPlayer: true }],
  [fail({ grp: 'ACCT', sub: { no: '3' } }), { errorCode: 'CHARACTER_NOT_FOUND' }],
])('what its nested errors mean: %j', async (state, outcome) => {
  serve([state]);
  expect(await redeem()).toMatchObject(outcome);
});

test('an error of another card, or one that no rule knows, is no word of ours', async () => {
  for (const state of [fail({ sub: { no: '17' } }, 'another'), fail({ grp: 'CARD', sub: { no: '99' } })]) {
    serve([state]);
    const outcome = await platform.redeem(ORDER, { signal: AbortSignal.timeout(400) });
    expect(outcome).toMatchObject({ status: 'unknown' });
  }
});

test('a key that it does not take, or no accounts there, spends nothing', async () => {
  serve([], { rc: 9, err: { sub: { no: 'FULL' } } });
  expect(await redeem()).toMatchObject({ status: 'refused', errorCode: 'NO_ACCOUNTS_AVAILABLE' });
  serve([], { rc: 9, err: { sub: { no: 'KEY' } } });
  expect(await redeem()).toMatchObject({ status: 'refused', refusedUs: true });
});
