// Looking players and codes up: what is told, what is charged, and that a code under way is never told as unspent.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const PLAYER = '5170925570';
const GAME = 'game_id_1';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore({ platformTimeoutMs: 100 });
});
afterEach(() => t.close());

const used = (actor = t.actor) => t.core.quota(actor).daily.used;
const findCharacter = (playerId = PLAYER, actor = t.actor) =>
  t.core.findCharacter(actor, { gameId: GAME, playerId });
const findTime = (code: string, actor = t.actor) => t.core.findRedemptionTime(actor, { gameId: GAME, code });

async function redeem(code: string, actor = t.actor): Promise<number> {
  const answer = await t.core.redeem(actor, { gameId: GAME, playerId: PLAYER, code });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

/** Fewer than what is a crowd on a machine that is slow just now. */
const AT_ONCE = 100;

/** Uses the daily quota up but for so much. */
async function leaveQuarters(quarters: number): Promise<void> {
  for (let left = Math.floor((1200 - quarters) / 4); left > 0; left -= AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => findTime(makeCode())));
  await Promise.all(Array.from({ length: (1200 - quarters) % 4 }, () => findCharacter()));
  expect(used()).toBe((1200 - quarters) / 4);
}

describe('a player', () => {
  test('who is found is told by openid and name, for a quarter', async () => {
    expect(await findCharacter()).toEqual({
      status: 'found',
      gameId: GAME,
      playerId: PLAYER,
      openid: `open-${PLAYER}`,
      name: `Player ${PLAYER}`,
    });
    expect(used()).toBe(0.25);
  });

  test('the same look-up under a key costs once, however often it is begun; another key is another', async () => {
    const under = (key: string) =>
      t.core.findCharacter(t.actor, { gameId: GAME, playerId: PLAYER }, { scope: 'chat', key });
    expect([(await under('one')).status, (await under('one')).status, used()]).toEqual([
      'found',
      'found',
      0.25,
    ]);
    await under('two');
    expect(used()).toBe(0.5);
    t.platform.script.findCharacter = () => ({ status: 'unreachable', message: 'down' });
    expect([(await under('three')).status, used()]).toEqual(['unreachable', 0.5]);
  });

  test('whom the platform does not know costs a quarter, too', async () => {
    t.platform.script.findCharacter = () => ({ status: 'notFound' });
    expect(await findCharacter()).toEqual({ status: 'notFound' });
    expect(used()).toBe(0.25);
  });

  test.each(['', '1234', '123456789012345678901', '12a45', ' 12345', '1234５a', '-12345'])(
    'whose ID is malformed (%j) is not found, the platform not asked, nothing charged',
    async (playerId) => {
      t.platform.script.findCharacter = () => {
        throw new Error('asked');
      };
      expect(await findCharacter(playerId)).toEqual({ status: 'notFound' });
      expect(used()).toBe(0);
    },
  );

  test.each([
    ['is unreachable', () => ({ status: 'unreachable', message: '' }) as const],
    [
      'throws',
      () => {
        throw new Error('boom');
      },
    ],
  ])('is not charged while the platform %s', async (_, script) => {
    t.platform.script.findCharacter = script;
    expect(await findCharacter()).toEqual({ status: 'unreachable' });
    expect(used()).toBe(0);
  });

  test('is not looked up without a subscription, nor for a game that does not exist', async () => {
    const broke = await t.openAccount({ days: 0 });
    await expect(findCharacter(PLAYER, broke)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXPIRED' });
    await expect(findCharacter('1', broke)).rejects.toMatchObject({ code: 'SUBSCRIPTION_EXPIRED' });
    await expect(
      t.core.findCharacter(t.actor, { gameId: 'no game', playerId: PLAYER }),
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('many at once pass the limit no further than it goes', async () => {
    await leaveQuarters(3);
    const told = await Promise.all(Array.from({ length: 10 }, () => findCharacter()));
    expect(told.filter(({ status }) => status === 'found')).toHaveLength(3);
    expect(told.filter(({ status }) => status === 'quotaExceeded')).toHaveLength(7);
    expect(used()).toBe(300);
  });
});

describe('a redemption time', () => {
  test('tells everything the platform tells, and the receipt that this account has, for one activation', async () => {
    const code = makeCode();
    const receiptId = await redeem(code);
    expect(await findTime(` ${code} `)).toEqual({
      status: 'found',
      redeemedAt: t.clock.now(),
      expiresAt: t.clock.now() + 1,
      channelName: 'test',
      openid: `open-${PLAYER}`,
      amount: 60,
      productName: '60',
      receiptId,
      receiptSuccessful: true,
    });
    expect(used()).toBe(2);
  });

  test('never tells another account’s receipt, nor credentials', async () => {
    const code = makeCode();
    await redeem(code);
    const told = await findTime(code, await t.openAccount());
    expect(told).toMatchObject({ status: 'found' });
    expect(told).not.toHaveProperty('receiptId');
    expect(JSON.stringify(told)).not.toContain('pw-');
  });

  test('names the receipt of a failed redemption as not successful', async () => {
    const code = makeCode();
    t.platform.spent.set(code, { playerId: '99999999', redeemedAt: 1 });
    const receiptId = await redeem(code);
    expect(await findTime(code)).toMatchObject({ status: 'found', receiptId, receiptSuccessful: false });
  });

  test('of a code that is not redeemed is not found, and charged', async () => {
    expect(await findTime(makeCode())).toEqual({ status: 'notFound' });
    expect(used()).toBe(1);
  });

  test('of what is no code is not found, not asked and not charged', async () => {
    t.platform.script.findCode = () => {
      throw new Error('asked');
    };
    expect(await findTime('short')).toEqual({ status: 'notFound' });
    expect(used()).toBe(0);
  });

  test.each([
    ['unreachable', () => ({ status: 'unreachable', message: '' }) as const, 'unreachable'],
    ['late', () => new Promise<never>(() => undefined), 'unreachable'],
    ['at work on it', () => ({ status: 'underWay' }) as const, 'underWay'],
  ])('is not charged while the platform is %s', async (_, script, status) => {
    t.platform.script.findCode = script;
    expect(await findTime(makeCode())).toEqual({ status });
    expect(used()).toBe(0);
  });

  test('of a code that anybody here has under way or in doubt is under way, never not found, and not charged', async () => {
    const other = await t.openAccount();
    const code = makeCode();
    let finish: (() => void) | undefined;
    t.platform.script.redeem = () =>
      new Promise(
        (resolve) => (finish = () => resolve({ status: 'unknown', errorCode: 'UNKNOWN', message: '' })),
      );
    const pending = redeem(code);
    await t.platform.arrived();
    for (const actor of [t.actor, other]) expect(await findTime(code, actor)).toEqual({ status: 'underWay' });
    finish?.();
    await pending;
    expect(t.core.health.countOpen()).toEqual({ pending: 0, inDoubt: 1 });
    for (const actor of [t.actor, other]) expect(await findTime(code, actor)).toEqual({ status: 'underWay' });
    expect(used(other)).toBe(0);
  });

  test('of a code in doubt is told when the platform says that it is redeemed', async () => {
    const code = makeCode();
    t.platform.script.redeem = (order) => {
      t.platform.redeemNow(order);
      return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
    };
    const receiptId = await redeem(code);
    expect(await findTime(code)).toMatchObject({ status: 'found', receiptId, receiptSuccessful: false });
  });

  test('is refused when less than a whole activation is left', async () => {
    await leaveQuarters(3);
    expect(await findTime(makeCode())).toMatchObject({ status: 'quotaExceeded', retryAfterSeconds: 86_400 });
  });
});

test.each(['character', 'redemption time'])(
  'what the platform did not tell of a %s costs nothing, also where the disk fails when that is written',
  async (what) => {
    t.platform.script.findCharacter = () => ({ status: 'unreachable', message: '' });
    t.platform.script.findCode = () => ({ status: 'unreachable', message: '' });
    let writes = 0;
    const core = t.restart({
      store: {
        ...t.store,
        write(work, options) {
          writes += 1;
          // The first books the usage; the disk has room again at the fourth.
          if (writes === 1 || writes > 3) return t.store.write(work, options);
          return Promise.reject(Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' }));
        },
      },
    });
    const answer =
      what === 'character'
        ? await core.findCharacter(t.actor, { gameId: 'game_id_1', playerId: PLAYER })
        : await core.findRedemptionTime(t.actor, { gameId: 'game_id_1', code: makeCode() });
    expect(answer).toEqual({ status: 'unreachable' });
    // A stop waits for it.
    await core.stop(10_000);
    expect(t.core.quota(t.actor).daily.used).toBe(0);
  },
);
