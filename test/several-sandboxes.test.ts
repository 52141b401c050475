// Three sandboxes behind one service, from outside: what each magic word of one of them answers, how often its code was
// sent, and what ends a doubt.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startTestApp, type TestApp } from './harness/app.ts';
import { createForwardClock } from './harness/forward-clock.ts';

const ORDER = { gameId: 'game_id_1', playerId: '5170925570' };
const HOST = { kind: 'host', by: 'cli' } as const;
/** Longer than a sandbox needs to be quiet. */
const MINUTE_MS = 60_000;

const clock = createForwardClock();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ sandboxes: 3, platformTimeoutMs: 500, clock });
});
afterAll(() => app.stop());

const redeem = (body: object) => app.request('/redeem', { body: { ...ORDER, ...body } });

async function settle(id: number) {
  for (let looks = 0; looks < 3; looks += 1) {
    clock.advance(MINUTE_MS);
    await app.core.settleDoubts();
  }
  return (await app.request(`/history/${id}`)).json;
}

function sent(id: number): unknown[] {
  const file = new Database(app.databasePath, { readonly: true });
  const rows = file.prepare('select * from attempts where redemption_id = ? order by n').all(id);
  file.close();
  return (rows as Record<string, string>[]).map((row) => [row.upstream, row.kind, row.state, row.proof]);
}

test.each([
  ['DOWN1abcdefghi', 'never_sent'],
  ['NOACCOUNT1abcd', 'answer'],
])('%s is redeemed at the second, in the same answer', async (code, proof) => {
  const { status, json } = await redeem({ codeOverride: code });
  expect([status, json.code]).toEqual([200, code]);
  expect(sent(json.id)).toEqual([
    ['sandbox-1', 'order', 'not_spent', proof],
    ['sandbox-2', 'order', 'spent', 'answer'],
  ]);
});

test('LOST1… is unknown, and comes back when a witness calls it unused', async () => {
  const codes = ['LOST1abcdefghi'];
  await app.request('/db?gameId=game_id_1', { body: [{ denomination: 60, codes }] });
  const { status, json } = await redeem({ denomination: 60 });
  expect([status, json.errorCode, json.code]).toEqual([503, 'UNKNOWN', codes[0]]);
  expect(await settle(json.id)).toMatchObject({ errorCode: 'UNKNOWN', codeReset: true });
  expect(sent(json.id)).toEqual([['sandbox-1', 'order', 'not_spent', 'lookup']]);
  expect((await app.request('/db')).json).toMatchObject({ 60: 1 });
});

test('USED1… is CODE_USED, and sent once', async () => {
  const { status, json } = await redeem({ codeOverride: 'USED1abcdefghi' });
  expect([status, json.errorCode]).toEqual([503, 'CODE_USED']);
  expect(sent(json.id)).toHaveLength(1);
});

test('MUTE3…, while the first two are paused, is settled by sending it once more', async () => {
  const paused = ['sandbox-1', 'sandbox-2'];
  for (const name of paused) await app.core.upstreams.pause(HOST, name, 'Not now.');
  const { status, json } = await redeem({ codeOverride: 'MUTE3abcdefghi' });
  expect([status, json.errorCode]).toEqual([503, 'UNKNOWN']);
  // The replay is the receipt with its login.
  expect(await settle(json.id)).toMatchObject({ type: 'ActivationReceipt', password: expect.any(String) });
  expect(sent(json.id)).toEqual([
    ['sandbox-3', 'order', 'not_spent', 'resend'],
    ['sandbox-3', 'resend', 'spent', 'resend'],
  ]);
  for (const name of paused) await app.core.upstreams.resume(HOST, name);
});
