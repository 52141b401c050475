// Bad requests cost nothing, so they are bounded per account: past the bound they are turned away, and only they are.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { makeCode } from '../../test/harness/core.ts';
import { openTestHttp, type TestHttp } from '../../test/harness/http.ts';
import { BAD_REQUESTS_PER_MINUTE } from '../core/index.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());
beforeEach(() => http.clock.advance(60_000));

const add = (...codes: string[]) => http.ask('POST /db', { body: [{ denomination: 60, codes }] });
const good = () =>
  http.ask('POST /redeem', {
    body: { gameId: 'game_id_2', playerId: '5124780131', codeOverride: makeCode() },
  });
/** Sends these in turn until the bound is reached. */
async function useUp(ways: (() => ReturnType<typeof add>)[]): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < BAD_REQUESTS_PER_MINUTE; sent += 1)
    statuses.add((await ways[sent % ways.length]!()).status);
  return statuses;
}

test('the 121st bad request in a minute is turned away, whatever was wrong; a good one is carried out', async () => {
  const bad = [
    () => http.ask('POST /redeem', { body: {} }),
    () => http.ask('POST /redeem', { body: 'not JSON' }),
    () => http.ask('POST /redeem', { body: {}, headers: { 'content-type': 'text/plain' } }),
    () => http.ask('GET /character?playerId=5124780131'),
    () => http.ask('GET /db?gameId=none'),
    () => http.ask('POST /db', { body: '[]]' }),
  ];
  expect(await useUp(bad)).toEqual(new Set([400, 415]));

  http.clock.advance(18_000);
  for (const each of bad) {
    const { status, headers, json } = await each();
    expect([status, headers.get('retry-after')]).toEqual([429, '42']);
    expect(json).toEqual({ error: expect.stringContaining('Correct them') as string });
  }
  expect([(await good()).status, (await http.ask('GET /db')).status]).toEqual([200, 200]);

  http.clock.advance(42_000);
  expect((await bad[0]!()).status).toBe(400);
});

test('what changes nothing counts as refused: codes out of an empty stock, a list of known codes', async () => {
  const known = makeCode();
  await add(known);
  const nothing = [
    () => http.ask('POST /db/extract', { body: { denomination: 325, amount: 1 } }),
    () => add(known),
  ];
  expect(await useUp(nothing)).toEqual(new Set([200]));
  for (const each of nothing) {
    const { status, headers, json } = await each();
    expect([status, headers.get('retry-after')]).toEqual([429, '60']);
    expect(json).toEqual({ error: expect.stringContaining('Correct them') as string });
  }
  expect((await add(known, makeCode())).status).toBe(200);
});

test('the metrics count what the quota refused, and nothing else that is turned away', async () => {
  const { ask } = http.serve();
  for (let sent = 0; sent <= BAD_REQUESTS_PER_MINUTE; sent += 1) await ask('POST /redeem', { body: {} });
  const { text } = await ask('GET /metrics', { address: '127.0.0.1' });
  expect(text).toContain('status="429"} 1');
  expect(text).not.toContain('quota_refusals_total{');
});
