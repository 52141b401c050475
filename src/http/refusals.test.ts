// Bad requests cost nothing, so they are bounded per account: past the bound they are turned away, and only they are.
import { beforeEach, expect, test } from 'vitest';

import { createScriptedCore, KEY, RECEIPT } from '../../test/harness/scripted-core.ts';
import { createRememberedLog } from '../../test/harness/scenarios.ts';
import { createManualClock, type ManualClock } from '../clock.ts';
import { createBadRequestLimit, BAD_REQUESTS_PER_MINUTE } from '../core/bad-request-limit.ts';
import { createHttpServer, type HttpServer } from './server.ts';

const GOOD = '{"requireReceipt":true,"playerId":"5124780131","gameId":"game_id_1","denomination":60}';

const STOCK_KEY = '{"denomination":60,"codes":["60SXW4QK7H2M9TZR"]}';
const ADDED = { batchId: 1, accepted: new Map(), used: [], disowned: [], invalid: [], replayed: false };

let clock: ManualClock;
let app: HttpServer['app'];
beforeEach(() => {
  clock = createManualClock(0);
  const redemption = { status: 'answered', redemption: RECEIPT, replayed: false } as const;
  const core = createScriptedCore({
    badRequestLimit: createBadRequestLimit({ clock }),
    redeem: () => Promise.resolve(redemption),
    codes: {
      countAvailable: () => new Map(),
      extract: () => Promise.resolve({ extractionId: 0, codes: [], replayed: false }),
      add: (_actor, _game, stockKeys) =>
        Promise.resolve(stockKeys.length > 1 ? ADDED : { ...ADDED, batchId: 0 }),
    },
  });
  ({ app } = createHttpServer({ core, clock, log: createRememberedLog() }));
});

async function send(path: string, body?: string, type = 'application/json') {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': type };
  return await app.request(path, body === undefined ? { headers } : { method: 'POST', headers, body });
}

test('the 121st bad request in a minute is turned away, whatever was wrong; a good one is carried out', async () => {
  const bad = [
    () => send('/redeem', '{}'),
    () => send('/redeem', 'not JSON'),
    () => send('/redeem', GOOD, 'text/plain'),
    () => send('/character?playerId=5124780131'),
    () => send('/db?gameId=none'),
    () => send('/db', '[]]'),
  ];
  const statuses: number[] = [];
  for (let sent = 0; sent < BAD_REQUESTS_PER_MINUTE; sent += 1) {
    statuses.push((await bad[sent % bad.length]!()).status);
  }
  expect(new Set(statuses)).toEqual(new Set([400, 415]));

  clock.advance(18_000);
  for (const each of bad) {
    const answer = await each();
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('42');
    expect(await answer.json()).toEqual({ error: expect.stringContaining('Correct them') as string });
  }
  expect((await send('/redeem', GOOD)).status).toBe(200);
  expect((await send('/db')).status).toBe(200);

  clock.advance(42_000);
  expect((await send('/redeem', '{}')).status).toBe(400);
});

test('what changes nothing counts as refused: codes out of an empty stock, a list of known codes', async () => {
  const nothing = [
    () => send('/db/extract', '{"denomination":60,"amount":1}'),
    () => send('/db', `[${STOCK_KEY}]`),
  ];
  for (let sent = 0; sent < BAD_REQUESTS_PER_MINUTE; sent += 1)
    expect((await nothing[sent % 2]!()).status).toBe(200);
  for (const each of nothing) {
    const answer = await each();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('Correct them') as string });
  }
  expect((await send('/db', `[${STOCK_KEY},${STOCK_KEY.replace('TZR', 'TZS')}]`)).status).toBe(200);
});

test('the metrics count what the quota refused, and nothing else that is turned away', async () => {
  for (let sent = 0; sent <= BAD_REQUESTS_PER_MINUTE; sent += 1) await send('/redeem', '{}');
  const metrics = await app.request('/metrics', {}, { incoming: { socket: { remoteAddress: '127.0.0.1' } } });
  const told = await metrics.text();
  expect(told).toContain('status="429"} 1');
  expect(told).not.toContain('quota_refusals_total{');
});
