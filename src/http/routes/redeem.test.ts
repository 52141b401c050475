// POST /redeem: what it refuses and what it takes, field by field; and that from the moment the platform was asked the
// answer is 200 or 503, whatever happens. What each end looks like: exchanges.txt.
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { openAccount, openTestHttp, type ServedHttp, type TestHttp } from '../../../test/harness/http.ts';
import { alone } from '../../platforms.ts';

const PLAYER = { gameId: 'game_id_1', playerId: '5124780131' };
const DATABASE = { ...PLAYER, denomination: 60 };
const direct = (code = makeCode()) => ({ ...PLAYER, gameId: 'game_id_2', codeOverride: code });

let http: TestHttp;
let byDefault: ServedHttp;
beforeAll(async () => {
  http = await openTestHttp();
  byDefault = http.serve({ defaultGameId: 'game_id_1' });
  const codes = Array.from({ length: 50 }, () => makeCode());
  await http.core.codes.add(http.actor, 'game_id_1', [{ denomination: 60, codes }]);
});
afterAll(() => http.close());

const redeem = (body: unknown, headers = {}, { ask }: ServedHttp = http) =>
  ask('POST /redeem', { body, headers });
const change = (sql: string) => {
  const file = new Database(http.store.path);
  file.exec(sql);
  file.close();
};

describe('is refused before anything begins', () => {
  const IDS = 'game_id_1, game_id_2, game_id_3';
  const { playerId: _, ...withoutPlayer } = DATABASE;
  const notWhole = [0, -60, 60.5, 1e300, '', '60.0', '-60', ' 60', '6e1', true, [60], {}];
  test.each<[unknown, string[], (string | RegExp)?]>([
    [withoutPlayer, ['playerId']],
    [{ ...DATABASE, playerId: null }, ['playerId'], 'must be a string of digits, in quotes: "5124780131"'],
    [{ ...DATABASE, gameId: '__proto__' }, ['gameId'], `must be one of ${IDS}`],
    [{ playerId: '1', denomination: 60, gameId: null }, ['gameId'], `must be one of ${IDS}`],
    ...notWhole.map((denomination): [unknown, string[]] => [{ ...DATABASE, denomination }, ['denomination']]),
    [{ ...direct(), codeOverride: 123456789012 }, ['codeOverride'], 'must be a string'],
    [{ ...DATABASE, gameId: 'game_id_3' }, ['codeOverride'], /game_id_3, which has no code database/],
    [{ playerId: '1', gameId: 'game_id_2' }, ['codeOverride'], /is required for game_id_2/],
    [{ ...direct(), denomination: 60 }, ['denomination']],
    [{ playerId: 5, gameId: 'x', denomination: 'y' }, ['playerId', 'gameId', 'denomination']],
    ...['null', '[]', '"text"', '5'].map((body): [unknown, string[]] => [body, ['']]),
  ])('%j for %j', async (body, paths, words) => {
    const sent = http.platform.orders.length;
    const { status, json, text } = await redeem(body);
    const issues = json.issues as { path: string; message: string }[];
    expect([status, issues.map(({ path }) => path)]).toEqual([400, paths]);
    if (words !== undefined) expect(issues[0]?.message).toMatch(words);
    expect(text).not.toContain('123456789012');
    expect(http.platform.orders).toHaveLength(sent);
  });

  test('without a key, and tells no quota', async () => {
    const { status, headers } = await http.ask('POST /redeem', { key: null, body: DATABASE });
    expect([status, headers.get('ratelimit')]).toEqual([401, null]);
  });

  test('a game that is not known, also where there is a default', async () => {
    expect((await redeem({ ...DATABASE, gameId: 'x' }, {}, byDefault)).status).toBe(400);
  });
});

describe('is taken', () => {
  const { gameId: _, ...withoutGame } = DATABASE;
  const proto = `{"__proto__":{"codeOverride":"X"},${JSON.stringify(DATABASE).slice(1)}`;
  const whichever = makeCode();
  test.each<[string, unknown, object]>([
    ['without requireReceipt, or false', { ...DATABASE, requireReceipt: false }, {}],
    ['with a codeOverride that is null', { ...DATABASE, codeOverride: null }, {}],
    ['with a denomination that is null', { ...direct(whichever), denomination: null }, { code: whichever }],
    ['with a code of its own though the game has a database', { ...PLAYER, codeOverride: makeCode() }, {}],
    ['with fields that are not known', { ...DATABASE, more: { and: ['more'] } }, {}],
    ['with a __proto__, which changes nothing', proto, { gameId: 'game_id_1', playerId: PLAYER.playerId }],
  ])('%s', async (_name, body, told) => {
    const { status, json } = await redeem(body);
    expect([status, json]).toMatchObject([200, told]);
  });

  test.each([withoutGame, { ...withoutGame, gameId: null }])('%j of the default game', async (body) => {
    const { status, json } = await redeem(body, {}, byDefault);
    expect([status, json.gameId]).toEqual([200, 'game_id_1']);
  });
});

/** What is left of each is told by whole ones, and what was bought for as long as it was bought at all. */
test.each<[spent: string, activations: number, left: number]>([
  ['none', 0, 1_000],
  ['a part of one', 0.25, 999],
  ['all but a part of one', 999.75, 0],
  ['all', 1_000, 0],
])('both quotas are told where activations were bought and %s is spent', async (_, activations, left) => {
  const { key, actor } = await openAccount(http.core, { purchased: 1_000 });
  const { accountId } = actor;
  const usage = { accountId, at: 0, start: 0, daily: 0, purchased: activations * 4, kind: 'character' };
  await http.store.write(({ quota }) => quota.book(usage));
  const { headers } = await http.ask('POST /redeem', { key, body: direct() });
  expect([headers.get('ratelimit-policy'), headers.get('ratelimit')]).toEqual([
    '"daily";q=300;w=86400, "purchased";q=1000',
    expect.stringMatching(new RegExp(`^"daily";r=299;t=\\d+, "purchased";r=${left}$`)),
  ]);
});

describe('once the platform was asked', () => {
  test('what cannot be worded is a 503 that does not know', async () => {
    const key = { 'idempotency-key': 'unworded' };
    const body = direct();
    const { json } = await redeem(body, key);
    change(`update redemptions set created_at = 9000000000000000 where id = ${json.id}`);
    const again = await redeem(body, key);
    expect([again.status, again.json]).toMatchObject([
      503,
      {
        type: 'ActivationError',
        id: json.id,
        errorCode: 'UNKNOWN',
        codeReset: false,
        playerId: body.playerId,
      },
    ]);
    change(`update redemptions set created_at = ${Date.parse(json.createdAt)} where id = ${json.id}`);
  });

  test('a quota that cannot be told is left out', async () => {
    const unreadable = vi.spyOn(http.core, 'quota').mockImplementation(() => {
      throw new Error('the database is gone');
    });
    const { status, headers } = await redeem(direct());
    unreadable.mockRestore();
    expect([status, headers.get('ratelimit')]).toEqual([200, null]);
  });

  test('and has not answered yet, its key again is UNKNOWN and replayed, or 202 where that is preferred', async () => {
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    http.platform.script.redeem = async (order) => {
      begun.resolve();
      await held.promise;
      return http.platform.redeemNow(order);
    };
    const [body, key] = [direct(), { 'idempotency-key': 'held' }];
    const first = redeem(body, key);
    await begun.promise;
    for (const prefer of ['respond-async', 'wait=5, Respond-Async; x=1']) {
      const { status, headers, json } = await redeem(body, { ...key, prefer });
      expect([status, headers.get('idempotency-replayed'), json.errorCode]).toEqual([202, 'true', 'UNKNOWN']);
      expect(json).not.toHaveProperty('settledAt');
    }
    held.resolve();
    delete http.platform.script.redeem;
    expect((await first).status).toBe(200);
    const settled = await redeem(body, { ...key, prefer: 'respond-async' });
    expect([settled.status, settled.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });

  test.each(['', 'respond-async'])('the line of the request tells its number: %s', async (prefer) => {
    const { status, json, headers } = await redeem(direct(), { prefer });
    expect(http.log.lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({
        ...{ route: '/redeem', status, redemptionId: json.id, requestId: headers.get('x-request-id') },
      }),
    );
  });
});

test.each([
  ['sandbox', 'sandbox'],
  ['upstream', null],
] as const)('a receipt of a platform that is a %s is marked so', async (name, mark) => {
  const core = http.restart({ upstreams: alone({ ...http.platform, name }) });
  const { status, headers } = await redeem(direct(), {}, http.serve({ core }));
  expect([status, headers.get('x-platform')]).toEqual([200, mark]);
});

test('while the service stops nothing is sent, and it says so at once, whatever is preferred', async () => {
  const core = http.restart();
  await core.stop(0);
  const sent = http.platform.orders.length;
  for (const prefer of ['', 'respond-async']) {
    const { status, json } = await redeem(direct(), { prefer }, http.serve({ core }));
    expect([status, json]).toMatchObject([
      503,
      { errorCode: 'NETWORK_ERROR', errorMessage: expect.stringContaining('stopping') as string },
    ]);
    expect(json).toHaveProperty('settledAt');
  }
  expect(http.platform.orders).toHaveLength(sent);
});

test('a fault of ours before anything was begun is a 500 that tells nothing of it', async () => {
  change('alter table redemptions rename to elsewhere');
  const { status, json } = await redeem(direct());
  change('alter table elsewhere rename to redemptions');
  expect([status, json]).toEqual([500, { error: expect.stringContaining('request id') as string }]);
});
