// Reading back: what is no identifier, no time, no day; and to which millisecond a page goes. What is answered:
// exchanges.txt.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';

let http: TestHttp;
let at: number;
beforeAll(async () => {
  http = await openTestHttp();
  at = http.clock.now();
  const body = { playerId: '5124780131', gameId: 'game_id_2', codeOverride: makeCode() };
  await http.ask('POST /redeem', { body });
  http.clock.advance(1);
});
afterAll(() => http.close());

test.each([
  ...['0', '-1', '1.5', 'x', '1e0', '0x1', '01', '9007199254740993', '9'.repeat(400), '%00', '1%2F2', '%ff'],
])('%s is no identifier: 404', async (id) => {
  const { status, json } = await http.ask(`GET /history/${id}`);
  expect([status, json.errorCode]).toEqual([404, 'ACTIVATION_NOT_FOUND']);
});

/** The redemption began at 08:27:18.520 of this day. */
test.each([
  ['', 1],
  ['?unknown=1', 1],
  ['?before=2026-01-13T08:27:18.520Z', 0],
  ['?before=2026-01-13T08:27:18.521Z', 1],
  ['?before=2026-01-13T08:27:18.5205Z', 1],
  ['?before=2026-01-13T11:27:18.521%2B03:00', 1],
  ['?before=2026-01-13T11:27:18.521+03:00', 1],
  ['?before=2026-01-13T11:27:18.521%2B03:01', 0],
  ['?after=2026-01-13T08:27:18.520Z', 0],
  ['?after=2026-01-13T08:27:18.5205Z', 0],
  ['?after=2026-01-13T08:27:18.519Z', 1],
  ['?after=2026-01-13T08:27:18.5195Z', 1],
  ['?after=2026-01-13', 1],
  ['?after=2026-01-14', 0],
])('%s lists %i', async (query, count) => {
  expect(at).toBe(Date.parse('2026-01-13T08:27:18.520Z'));
  expect((await http.ask(`GET /history${query}`)).json).toHaveLength(count);
});

const NO_TIMES = ['yesterday', '', '0', '1768292838520', '2026-13-01', '2026-02-30T00:00:00Z'];
test.each([
  ...[...NO_TIMES, '2026-01-13T25:00:00Z', 'Tue, 13 Jan 2026 08:27:18 GMT'].flatMap((text) => [
    ...[`/history?before=${encodeURIComponent(text)}`, `/history?after=${encodeURIComponent(text)}`],
    `/orders?before=${encodeURIComponent(text)}`,
  ]),
  '/history?before=2026-01-13&before=2026-01-14',
  ...[
    '2026-02-30',
    '2026-2-3',
    '13.01.2026',
    'today',
    '',
    '2026-01-13T00:00:00Z',
    '2025-02-29',
    '2026-00-10',
  ].map((day) => `/stats?date=${encodeURIComponent(day)}`),
  '/stats?gameId=game_id_9',
  ...['51', '-1', '1.5', 'x', '', '050'].flatMap((wait) => [
    `/history/1?wait=${wait}`,
    `/orders/x?wait=${wait}`,
  ]),
])('GET %s is refused, and names the field', async (path) => {
  const { status, json } = await http.ask(`GET ${path}`);
  expect([status, json.issues[0].path]).toEqual([400, /\?(\w+)=/.exec(path)?.[1]]);
});

test('the proof of a receipt is a picture, of what failed a sentence, and of no other nothing', async () => {
  const { status, headers, text } = await http.ask('GET /history/1.png?language=ru');
  expect([status, headers.get('content-type'), text.slice(1, 4)]).toEqual([200, 'image/png', 'PNG']);
  // Of an account of its own: the others count what there is.
  const own = await openTestHttp();
  const failed = { playerId: '5124780131', gameId: 'game_id_2', codeOverride: 'bad' };
  const { id } = (await own.ask('POST /redeem', { body: failed })).json as { id: number };
  const refused = await own.ask(`GET /history/${id}.png`);
  await own.close();
  expect([refused.status, refused.json]).toEqual([
    409,
    { error: 'Only what was redeemed has a proof. This receipt says what became of it.' },
  ]);
  for (const other of ['999.png', 'x.png', '01.png']) {
    const missing = await http.ask(`GET /history/${other}`);
    expect([missing.status, missing.json.errorCode]).toEqual([404, 'ACTIVATION_NOT_FOUND']);
  }
  expect((await http.ask('GET /history/1.png?language=de')).status).toBe(400);
  expect((await http.ask('POST /history/1.png')).status).toBe(405);
});

test('more proofs than may be drawn at once are asked for again a second later', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => http.ask('GET /history/1.png')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429]);
  const [late] = answers.filter(({ status }) => status === 429);
  expect(late!.headers.get('retry-after')).toBe('1');
});
