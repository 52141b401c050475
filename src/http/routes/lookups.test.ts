// GET /character and /redemption-time where the platform has no answer, and what such a look-up leaves of the quota.
// Every other answer: exchanges.txt.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import type { ScriptedPlatform } from '../../../test/harness/platform.ts';
import { openTestHttp, type TestHttp } from '../../../test/harness/http.ts';

let http: TestHttp;
beforeAll(async () => {
  http = await openTestHttp();
});
afterAll(() => http.close());
afterEach(() => {
  delete http.platform.script.findCharacter;
  delete http.platform.script.findCode;
});

const CHARACTER = 'GET /character?playerId=5124780131&gameId=game_id_1';
const POST = 'POST /redemption-time';
const GET = 'GET /redemption-time?code=SECRETCODE123456&gameId=game_id_1';
const body = { code: ' SECRETCODE123456 ', gameId: 'game_id_1' };
const notOffered = { status: 'notOffered' } as const;
const unreachable = { status: 'unreachable', message: 'It is silent.' } as const;

type Row = [
  request: string,
  script: ScriptedPlatform['script'],
  status: number,
  errorCode: string,
  words: string,
];
test.each<Row>([
  [
    CHARACTER,
    { findCharacter: () => unreachable },
    503,
    'CHARACTER_NOT_FOUND',
    'could not be looked up just now',
  ],
  [CHARACTER, { findCharacter: () => notOffered }, 503, 'CHARACTER_NOT_FOUND', 'cannot be looked up here'],
  ...[POST, GET].flatMap((request): Row[] => [
    [request, { findCode: () => ({ status: 'underWay' }) }, 503, 'UNKNOWN', 'not known yet'],
    [request, { findCode: () => unreachable }, 503, 'NETWORK_ERROR', 'could not be reached'],
  ]),
])(
  '%s: what nobody tells is told as %#, and costs nothing',
  async (request, script, status, errorCode, words) => {
    Object.assign(http.platform.script, script);
    const { used } = http.core.quota(http.actor).daily;
    const told = await http.ask(request, request === POST ? { body } : {});
    expect([told.status, told.json]).toEqual([
      ...[status, { error: expect.stringContaining(words) as string, errorCode }],
    ]);
    expect(told.headers.get('ratelimit')).toMatch(/^"daily";r=\d+;t=\d+$/);
    expect(http.core.quota(http.actor).daily.used).toBe(used);
    expect(told.text + http.log.lines.join()).not.toContain('SECRETCODE');
  },
);

test('a look-up tells nobody the code: neither its answer nor the log', async () => {
  const code = makeCode();
  await http.ask('POST /redeem', {
    body: { playerId: '5124780131', gameId: 'game_id_2', codeOverride: code },
  });
  for (const request of [POST, `GET /redemption-time?code=${code}&gameId=game_id_2`]) {
    const sent = request === POST ? { body: { code: ` ${code} `, gameId: 'game_id_2' } } : {};
    const told = await http.ask(request, sent);
    expect([told.status, told.json]).toMatchObject([200, { openid: 'open-5124780131', amount: 60 }]);
    expect(told.text + http.log.lines.join()).not.toContain(code);
  }
});

describe('what is asked for', () => {
  test('is of the default game where none is named', async () => {
    const { ask } = http.serve({ defaultGameId: 'game_id_1' });
    expect((await ask('GET /character?playerId=5124780131')).json).toMatchObject({ gameId: 'game_id_1' });
  });

  test.each([
    ['GET /character?gameId=game_id_1', 'playerId'],
    ['GET /character?playerId=1&gameId=constructor', 'gameId'],
    [`${CHARACTER}&gameId=game_id_2`, 'gameId'],
    ['GET /redemption-time?code=X', 'gameId'],
    ['GET /redemption-time?code=%20&gameId=game_id_1', 'code'],
  ])('is named: %s lacks %s', async (request, path) => {
    const { status, json } = await http.ask(request);
    expect([status, json.issues[0].path]).toEqual([400, path]);
  });
});
