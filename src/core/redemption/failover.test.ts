// Failover through the core: where an order is sent, and that it is sent on only where a row of the table says "not
// spent".
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode } from '../../../test/harness/core.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import {
  LOST,
  NEVER_SENT,
  openSeveral,
  refused,
  type SeveralUpstreams,
} from '../../../test/harness/several.ts';
import type { RedeemOutcome } from '../../platform/port.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';

let t: SeveralUpstreams;
beforeEach(async () => {
  t = await openSeveral({ east: { cost: '0.30', currency: 'USD' }, west: {}, north: {}, south: {} });
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
});
afterEach(() => t.close());

const redeem = (code?: string) =>
  t.core.redeem(t.actor, { gameId: GAME, playerId: PLAYER, ...(code ? { code } : { denomination: 60 }) });
const answers = (told: Record<string, RedeemOutcome>) => {
  for (const [name, outcome] of Object.entries(told)) t.upstreams[name]!.script.redeem = () => outcome;
};
const sent = () => Object.entries(t.upstreams).flatMap(([name, { orders }]) => orders.map(() => name));
const attempts = () =>
  t.rows().map(({ n, upstream, state, proof, error_code }) => [n, upstream, state, proof, error_code]);

test.each<[string, RedeemOutcome, string]>([
  ['it was never sent', NEVER_SENT, 'never_sent'],
  ['it refuses us', refused('NETWORK_ERROR', { asked: false, refusedUs: true }), 'answer'],
  ['it has no accounts', refused('NO_ACCOUNTS_AVAILABLE'), 'answer'],
  ['its login failed', refused('LOGIN_FAILED'), 'answer'],
  ['it says that it sent nothing on', refused('NETWORK_ERROR', { asked: false }), 'answer'],
])('where %s, the next upstream redeems it within the same answer', async (_, outcome, proof) => {
  answers({ east: outcome });
  const answer = await redeem();
  expect(answer).toMatchObject({ redemption: { state: 'redeemed' } });
  const { errorCode } = outcome as { errorCode: string };
  expect(attempts()).toEqual([
    [1, 'east', 'not_spent', proof, errorCode],
    [2, 'west', 'spent', 'answer', null],
  ]);
  const [first, second] = t.rows();
  expect(first?.['reference']).toBe(second?.['reference']);
  expect([first?.['cost'], second?.['cost']]).toEqual(['0.30 USD', null]);
  const [code] = t.upstreams['west']!.orders.map((order) => order.code);
  expect(code).toBe(t.upstreams['east']!.orders[0]?.code);
  expect(t.rows('select count(*) as charged from usages where returned_at is null')).toEqual([
    { charged: 1 },
  ]);
});

test.each<[string, RedeemOutcome]>([
  ['a code that is used', refused('CODE_USED')],
  ['one that is none', refused('INVALID_CODE')],
  ['a player who is not there', refused('CHARACTER_NOT_FOUND')],
  ['a risk', refused('RISK_CONTROL')],
])('%s is the end, and no other upstream is asked', async (_, outcome) => {
  answers({ east: outcome });
  const { errorCode } = outcome as { errorCode: string };
  expect(await redeem()).toMatchObject({ redemption: { state: 'failed', errorCode } });
  expect(sent()).toEqual(['east']);
});

test.each<[string, RedeemOutcome]>([
  ['lost', LOST],
  ['that cannot be read', { status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE', message: '' }],
  ['that is under way', { ...LOST, underWay: true }],
])('an answer %s is in doubt, and no other upstream is sent it, now or later', async (_, outcome) => {
  answers({ east: outcome });
  expect(await redeem()).toMatchObject({ redemption: { state: 'in_doubt' } });
  for (let look = 0; look < 5; look += 1) {
    t.clock.advance(60_000);
    await t.core.settleDoubts();
  }
  expect(new Set(sent())).toEqual(new Set(['east']));
});

test('an order is sent three times at most, to upstreams that differ, and fails by what the last one said', async () => {
  answers({ east: NEVER_SENT, west: refused('NO_ACCOUNTS_AVAILABLE'), north: refused('LOGIN_FAILED') });
  expect(await redeem()).toMatchObject({ redemption: { state: 'failed', errorCode: 'LOGIN_FAILED' } });
  expect(sent()).toEqual(['east', 'west', 'north']);
  expect(attempts().map(([, , state]) => state)).toEqual(['not_spent', 'not_spent', 'not_spent']);
  expect(t.rows('select state, count(*) as count from codes group by state')).toEqual([
    { state: 'available', count: 2 },
  ]);
});

test('the prices of what was redeemed in a day are summed', async () => {
  for (let count = 0; count < 2; count += 1) await redeem();
  answers({ east: NEVER_SENT });
  await redeem(makeCode());
  const days = t.core.upstreams.list({ kind: 'host', by: 'cli' }).map(({ day }) => day);
  expect(days).toMatchObject([
    { attempts: 3, redeemed: 2, costs: ['0.60 USD'] },
    { attempts: 1, redeemed: 1, costs: [] },
    ...[{ attempts: 0, costs: [] }, { attempts: 0 }],
  ]);
});

test('one that rested is tried by an order that was sent on, too: served, it rests no more', async () => {
  const states = () => t.core.upstreams.list({ kind: 'host', by: 'cli' }).map(({ state }) => state);
  answers({ east: NEVER_SENT, west: refused('NO_ACCOUNTS_AVAILABLE') });
  for (let count = 0; count < 3; count += 1) await redeem(makeCode());
  expect(states()).toEqual(['resting', 'resting', 'usable', 'usable']);
  delete t.upstreams['west']!.script.redeem;
  t.clock.advance(60_000);
  await redeem();
  expect(states()).toEqual(['resting', 'usable', 'usable', 'usable']);
});

test('one that its own answer has paused meanwhile stands in no place of another', async () => {
  const paused = refused('NETWORK_ERROR', { asked: false, refusedUs: true, answer: { httpStatus: 401 } });
  answers({ east: paused, west: refused('NO_ACCOUNTS_AVAILABLE') });
  expect(await redeem()).toMatchObject({ redemption: { state: 'redeemed' } });
  expect(sent()).toEqual(['east', 'west', 'north']);
});

test('with less than twelve seconds left nothing is sent on', async () => {
  t.upstreams['east']!.script.redeem = () => {
    t.clock.advance(43_000);
    return NEVER_SENT;
  };
  expect(await redeem()).toMatchObject({ redemption: { state: 'failed', errorCode: 'NETWORK_ERROR' } });
  expect(sent()).toEqual(['east']);
});

test.each(['CODE_USED', 'INVALID_CODE'] as const)(
  '%s of the second may be a word of the first, whose "not spent" was a lie: in doubt',
  async (errorCode) => {
    answers({ east: refused('LOGIN_FAILED'), west: refused(errorCode) });
    expect(await redeem()).toMatchObject({ redemption: { state: 'in_doubt', errorCode: 'UNKNOWN' } });
    expect(attempts()).toEqual([
      [1, 'east', 'not_spent', 'answer', 'LOGIN_FAILED'],
      [2, 'west', 'unknown', null, errorCode],
    ]);
    expect(t.rows()[1]).toMatchObject({ quiet_until: t.clock.now() });
    expect(sent()).toEqual(['east', 'west']);
  },
);

test('after what never left this machine it is the word of this one', async () => {
  answers({ east: NEVER_SENT, west: refused('CODE_USED') });
  expect(await redeem()).toMatchObject({ redemption: { state: 'failed', errorCode: 'CODE_USED' } });
});

test('tiers go before the order of the file; what is of tier 0, does not know the game or needs more is not chosen', async () => {
  await t.close();
  t = await openSeveral({
    zero: { tier: 0 },
    third: { tier: 3 },
    second: { tier: 2 },
    needy: { wire: { needs: ['denomination'] } },
    foreign: { knows: (gameId) => gameId !== GAME },
  });
  await redeem(makeCode());
  answers({ second: NEVER_SENT });
  await redeem(makeCode());
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  await redeem();
  expect(t.rows().map(({ upstream }) => upstream)).toEqual(['second', 'second', 'third', 'needy']);
});

test('where nobody takes it, nothing is begun: the code untouched, the account not charged', async () => {
  await t.close();
  t = await openSeveral({ east: { tier: 0 }, west: { knows: () => false } });
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  expect(await redeem()).toMatchObject({ redemption: { state: 'failed', errorCode: 'NETWORK_ERROR' } });
  expect(t.rows()).toEqual([]);
  expect(t.rows('select state from codes')).toEqual([{ state: 'available' }]);
  expect(t.rows('select * from usages')).toEqual([]);
});

test('the answer of each is kept, without its secrets, as the upstream gave it', async () => {
  answers({
    east: refused('NO_ACCOUNTS_AVAILABLE', {
      answer: { httpStatus: 409, text: '{"why":"none"}', theirId: 'a-1' },
    }),
  });
  await redeem();
  const [first] = t.rows();
  expect(first).toMatchObject({ http_status: 409, their_id: 'a-1' });
  const kept = first?.['raw_secret'] as Buffer;
  expect(t.store.secrets.open('attempt:1/1:raw', kept)).toBe('{"why":"none"}');
});

test('a process that dies between two attempts leaves the second unknown, and the first as it was', async () => {
  answers({ east: refused('LOGIN_FAILED') });
  t.upstreams['west']!.script.redeem = () => new Promise<never>(() => undefined);
  void redeem();
  await t.until(() => attempts().length === 2);
  const next = t.restart();
  await next.start();
  expect(attempts()).toEqual([
    [1, 'east', 'not_spent', 'answer', 'LOGIN_FAILED'],
    [2, 'west', 'unknown', null, 'UNKNOWN'],
  ]);
  await next.stop(0);
});

test.each([
  ['when it is sent again', undefined, 'CODE_USED'],
  ['when it is verified', `update codes set state = 'unverified'`, 'NO_CODES_AVAILABLE'],
])(
  'a code that is used although it was said not to be, as is found %s, is a case of whom it was sent to, once, and no more on sale',
  async (_, meanwhile, errorCode) => {
    await t.close();
    t = await openSeveral({ east: {} });
    await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
    const { east } = t.upstreams;
    east!.script.redeem = (order) => {
      east!.redeemNow(order);
      return refused('LOGIN_FAILED');
    };
    await redeem();
    delete east!.script.redeem;
    if (meanwhile !== undefined) t.change(meanwhile);
    const order = { gameId: GAME, playerId: '5170925571', denomination: 60 };
    expect(await t.core.redeem(t.actor, order)).toMatchObject({ redemption: { errorCode } });
    expect(t.rows("select object, after from audit_log where what = 'upstreamCase'")).toEqual([
      { object: 'east', after: JSON.stringify({ redemption: 1, why: 'wasSpent' }) },
    ]);
    expect(t.rows('select state from codes')).toEqual([{ state: 'used' }]);
    const told = listNotices(t.store).map(({ kind }) => kind);
    expect(told.filter((kind) => kind === 'upstreamCase')).toHaveLength(1);
  },
);

test('one that has spent what it was said not to have, twice within a day, is paused, and once resumed it takes two more', async () => {
  await t.close();
  t = await openSeveral({ east: {}, west: {} });
  const { east } = t.upstreams;
  const lie = async () => {
    await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
    east!.script.redeem = (order) => {
      east!.redeemNow(order);
      return refused('RISK_CONTROL');
    };
    await redeem();
    delete east!.script.redeem;
    const order = { gameId: GAME, playerId: '5170925571', denomination: 60 };
    expect(await t.core.redeem(t.actor, order)).toMatchObject({ redemption: { errorCode: 'CODE_USED' } });
  };
  const paused = () => t.rows("select object, actor from audit_log where what = 'upstreamPaused'");
  await lie();
  t.clock.advance(25 * 3_600_000);
  await lie();
  expect(paused()).toEqual([]);
  await lie();
  expect(paused()).toEqual([{ object: 'east', actor: 'service' }]);
  await t.core.upstreams.resume({ kind: 'host', by: 'cli' }, 'east');
  await lie();
  expect(paused()).toHaveLength(1);
});
