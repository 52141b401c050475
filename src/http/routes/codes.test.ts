// The code database over HTTP: what is refused and named, how much is taken at once. What is answered: exchanges.txt.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());

const issuesOf = async (request: string, body?: unknown, headers = {}) => {
  const { status, json, text } = await http.ask(request, { body, headers });
  return { status, issues: json.issues as { path: string; message: string }[], text };
};
const both = (codes: readonly string[]) => [60, 325].map((denomination) => ({ denomination, codes }));

test.each([
  ['POST /db?gameId=game_id_3', []],
  ['POST /db/extract?gameId=game_id_3', { denomination: 60, amount: 1 }],
  ['GET /db/extractions?gameId=game_id_3', undefined],
])('%s: the game has no database', async (request, body) => {
  expect(await issuesOf(request, body)).toMatchObject({
    ...{
      status: 400,
      issues: [{ path: 'gameId', message: 'must be a game with a code database: game_id_1' }],
    },
  });
});

describe('adding codes', () => {
  test.each<[unknown, string]>([
    [{ denomination: 60, codes: [] }, ''],
    [[{ denomination: 60, codes: 'CODE12345678' }], '0.codes'],
    [['CODE12345678'], '0'],
    [[{ denomination: 60 }], '0.codes'],
    [[{ denomination: 60, codes: [123456789012] }], '0.codes.0'],
    [[...both([]).slice(1), { denomination: 61, codes: ['CODE12345678'] }], '1.denomination'],
  ])('refuses %j for %s, and repeats no code', async (body, path) => {
    const { status, issues, text } = await issuesOf('POST /db', body);
    expect([status, issues.map((each) => each.path)]).toEqual([400, [path]]);
    expect(text).not.toMatch(/CODE12345678|123456789012/);
  });

  test('names what stands under two denominations, by its beginning, the first hundred of them', async () => {
    const twice = [{ denomination: 60, codes: ['CODE12345678'] }];
    const spaced = { denomination: 325, codes: ['OTHER1234567', ' CODE12345678'] };
    expect((await issuesOf('POST /db', [...twice, ...twice, spaced])).issues).toEqual([
      { path: '2.codes.1', message: 'names CODE12345678 under 325, and it stands under 60, too' },
    ]);
    expect((await issuesOf('POST /db', both(['C'.repeat(300)]))).issues).toEqual([
      { path: '1.codes.0', message: `names ${'C'.repeat(256)} under 325, and it stands under 60, too` },
    ]);
    const codes = Array.from({ length: 101 }, (_, i) => `CODE${1000 + i}`);
    expect((await issuesOf('POST /db', both(codes))).issues).toEqual(
      codes.slice(0, 100).map((code, i) => ({
        ...{ path: `1.codes.${i}`, message: `names ${code} under 325, and it stands under 60, too` },
      })),
    );
  });

  test('takes 10,000 in all, and refuses more', async () => {
    const add = (counts: number[]) =>
      http.ask('POST /db', {
        body: counts.map((count, i) => ({
          denomination: [60, 325][i],
          codes: Array.from({ length: count }, () => makeCode(`${i}C`)),
        })),
      });
    const more = await add([5_000, 5_001]);
    expect([more.status, more.json.issues[0].path]).toEqual([400, '']);
    expect((await add([5_000, 5_000])).json.accepted).toMatchObject({ 60: 5_000, 325: 5_000 });
  });
});

test.each([0, -1, 1.5, 10_001, '10', null, undefined])('taking out %j is refused', async (amount) => {
  const { status, issues } = await issuesOf('POST /db/extract', { denomination: 60, amount });
  expect([status, issues.map(({ path }) => path)]).toEqual([400, ['amount']]);
});

test('what was taken out is listed a page at a time, strictly before the time given, and holds no code', async () => {
  await http.ask('POST /db', { body: [{ denomination: 60, codes: [makeCode(), makeCode()] }] });
  const at = http.clock.now();
  const { json: taken } = await http.ask('POST /db/extract', { body: { denomination: 60, amount: 1 } });
  http.clock.advance(1);
  const list = async (before: number, more = '') => {
    const time = new Date(before).toISOString().replace('Z', `${more}Z`);
    const { json, text } = await http.ask(`GET /db/extractions?before=${time}`);
    expect(text).not.toContain(taken[0]);
    return (json as object[]).length;
  };
  expect([await list(at), await list(at, '5'), await list(at + 1)]).toEqual([0, 1, 1]);
});
