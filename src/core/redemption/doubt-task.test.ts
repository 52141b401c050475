// Settling doubts: each line of what the platform can say about a code, against what becomes of receipt, code and usage.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listNotices } from '../../../test/harness/notices.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { CharacterOutcome, CodeOutcome, PlatformOrder, RedeemOutcome } from '../../platform/port.ts';
import type { Redemption } from '../receipts/receipts.ts';
import type { RedeemRequest } from './request.ts';
import { UNREACHED } from '../../../test/harness/platform.ts';

const PLAYER = '5170925570';
const GAME = 'game_id_1';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const UNKNOWN: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: 'late' };

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

async function redeem(request: Partial<RedeemRequest> = {}): Promise<Redemption> {
  const answer = await t.core.redeem(t.actor, { gameId: GAME, playerId: PLAYER, ...request });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

/** Leaves a redemption in doubt; `hidden` is what the platform really did. */
async function doubt(
  hidden: 'redeemed' | 'nothing' | ((order: PlatformOrder) => void),
  request: Partial<RedeemRequest> = {},
): Promise<Redemption> {
  t.platform.script.redeem = (order) => {
    if (hidden === 'redeemed') t.platform.redeemNow(order);
    else if (hidden !== 'nothing') hidden(order);
    return UNKNOWN;
  };
  const inDatabase = request.code === undefined;
  if (inDatabase) await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
  const left = await redeem({ ...(inDatabase && { denomination: 60 }), ...request });
  expect(left.state).toBe('in_doubt');
  delete t.platform.script.redeem;
  return left;
}

async function settleAfter(ms: number): Promise<void> {
  t.clock.advance(ms);
  await t.core.settleDoubts();
}
const settleEarly = () => settleAfter(1_000);
/** Past the settling period: looked at once, and again when that look is old enough. */
async function settleFinally(): Promise<void> {
  await settleEarly();
  await settleAfter(4_000);
}

/** A doubt that ended: it was not redeemed, so far. */
async function leaveUnspent() {
  const code = makeCode();
  const first = await doubt('nothing', { code });
  await settleFinally();
  expect(find(first)?.state).toBe('failed');
  return { code, first };
}

const find = ({ id }: Redemption) => t.core.receipts.find(t.actor, id);
const available = () => t.core.codes.countAvailable(t.actor, GAME).get(60);
const used = () => t.core.quota(t.actor).daily.used;
const notices = () =>
  listNotices(t.store)
    .filter(({ kind }) => kind !== 'stockLow')
    .map(({ kind, payload }) => [kind, (payload as { outcome?: string }).outcome]);
const codeState = (code: string) =>
  t.store.read((tables) => tables.codes.findOwner(GAME, tables.redemptions.hashOf(GAME, code))?.state);

function redeemedFor(
  playerId: string,
  redeemedAt = t.clock.now(),
): Extract<CodeOutcome, { status: 'redeemed' }> {
  const told = {
    redeemedAt,
    toldAt: t.clock.now(),
    expiresAt: redeemedAt + 1,
    channelName: 'shop',
    amount: 325,
  };
  return { status: 'redeemed', ...told, openid: `open-${playerId}`, productName: '325 UC' };
}

describe('redeemed for this player since begin', () => {
  test('is a receipt with a warning and without credentials; the usage stays, the account is told once', async () => {
    const left = await doubt('redeemed');
    await settleEarly();
    const receipt = find(left);
    expect(receipt).toMatchObject({ state: 'redeemed', warning: true, code: left.code, amount: 60 });
    expect(receipt).toMatchObject({ openid: `open-${PLAYER}`, playerName: `Player ${PLAYER}` });
    expect(receipt).toHaveProperty('credentials', null);
    expect(receipt).toHaveProperty('errorCode', null);
    expect(codeState(left.code ?? '')).toBe('redeemed');
    expect(used()).toBe(1);
    await settleAfter(HOUR_MS);
    expect(notices()).toEqual([['doubtSettled', 'redeemed']]);
  });

  test('has no warning in the session family', async () => {
    const left = await doubt('redeemed', { gameId: 'game_id_3', code: makeCode() });
    await settleEarly();
    expect(find(left)).toMatchObject({ state: 'redeemed', warning: false });
  });

  test.each([true, false])('takes the receipt that the platform keeps (full: %s)', async (fullReceipt) => {
    const left = await doubt('redeemed');
    const credentials = { uid: '7', email: 'player@example.test', password: 'kept' };
    const receipt = { openid: `open-${PLAYER}`, name: 'As kept', amount: 325, ...credentials, fullReceipt };
    t.platform.script.findCode = () => ({ ...redeemedFor(PLAYER), receipt });
    await settleEarly();
    expect(find(left)).toMatchObject({
      state: 'redeemed',
      warning: !fullReceipt,
      playerName: 'As kept',
      amount: 325,
      credentials,
    });
  });

  test('an amount that the platform does not tell stays unknown', async () => {
    const left = await doubt('redeemed');
    t.platform.script.findCode = () => ({ ...redeemedFor(PLAYER), amount: 0 });
    await settleEarly();
    expect(find(left)).toMatchObject({ state: 'redeemed' });
    expect(find(left)).toHaveProperty('amount', null);
  });

  test.each([
    ['a code of the stock', 26 * HOUR_MS, {}, 'redeemed'],
    [
      'a code that came with the order, up to five minutes before',
      5 * MINUTE_MS,
      { code: makeCode() },
      'redeemed',
    ],
    ['a code that came with the order, longer before', 5 * MINUTE_MS + 1, { code: makeCode() }, 'in_doubt'],
  ])('%s: what the platform tells as redeemed %i ms before is %o', async (_, beforeMs, request, state) => {
    const left = await doubt('redeemed', request);
    t.platform.script.findCode = () => redeemedFor(PLAYER, left.createdAt - beforeMs);
    await settleEarly();
    expect(find(left)?.state).toBe(state);
  });

  test.each([-26 * HOUR_MS, -6 * MINUTE_MS, 26 * HOUR_MS])(
    'is ours however far the platform’s clock is from ours (%i ms), also where ours jumps and the process is another',
    async (aheadMs) => {
      const left = await doubt('redeemed', { code: makeCode() });
      const redeemedAt = t.clock.now() + aheadMs;
      t.clock.advance(HOUR_MS);
      t.platform.script.findCode = () => ({
        ...redeemedFor(PLAYER, redeemedAt),
        toldAt: redeemedAt + HOUR_MS,
      });
      t.clock.set(t.clock.now() - 25 * HOUR_MS);
      await t.core.settleDoubts();
      expect(find(left)?.state).toBe('redeemed');
    },
  );

  test('waits for a person where it may have been before: the host is told once, and asked again it is decided by what is told then', async () => {
    const left = await doubt('redeemed', { code: makeCode() });
    t.platform.script.findCode = () => redeemedFor(PLAYER, left.createdAt - HOUR_MS);
    const host = { kind: 'host', by: 'cli' } as const;
    const held = ['doubtHeld', undefined];
    for (let round = 0; round < 2; round += 1) {
      await settleAfter(25 * HOUR_MS);
      expect(find(left)).toMatchObject({ state: 'in_doubt', errorCode: 'UNKNOWN' });
      expect(notices()).toEqual([held]);
      expect(t.core.doubts.summary(host)).toMatchObject({ count: 1, held: 1 });
      expect(t.core.doubts.listOf(host, t.actor.accountId).doubts).toMatchObject([{ isHeld: true }]);
      await t.core.doubts.askNow(host);
      await t.core.settleDoubts();
    }
    t.platform.script.findCode = () => redeemedFor('99999999');
    t.clock.advance(HOUR_MS);
    await t.core.doubts.askNow(host);
    await settleEarly();
    expect(find(left)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
  });
});

describe('redeemed by somebody else, or before', () => {
  test('is CODE_USED: the code is kept aside, the usage stays, a receipt never appears', async () => {
    const left = await doubt('nothing');
    t.platform.script.findCode = () => redeemedFor('99999999');
    await settleEarly();
    expect(find(left)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED', codeReset: false });
    expect(codeState(left.code ?? '')).toBe('used');
    expect(available()).toBe(0);
    expect(used()).toBe(1);
    expect(notices()).toEqual([['doubtSettled', 'spentElsewhere']]);
  });

  test('the player that the platform names is believed: nobody is looked up', async () => {
    const [ours, theirs] = [await doubt('redeemed'), await doubt('redeemed')];
    let lookedUp = 0;
    t.platform.script.findCharacter = () => {
      lookedUp += 1;
      return { status: 'notFound' };
    };
    t.platform.script.findCode = (code) => ({
      ...redeemedFor(PLAYER),
      playerId: code === ours.code ? PLAYER : '99999999',
      playerName: 'As told',
    });
    await settleEarly();
    expect(find(ours)).toMatchObject({ state: 'redeemed', playerName: 'As told', warning: true });
    expect(find(theirs)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
    expect(lookedUp).toBe(0);
  });

  test.each<CharacterOutcome>([{ status: 'unreachable', message: '' }, { status: 'notFound' }])(
    'is not decided while the look-up of the player says $status',
    async (said) => {
      const left = await doubt('redeemed');
      t.platform.script.findCharacter = () => said;
      await settleFinally();
      expect(find(left)?.state).toBe('in_doubt');
      delete t.platform.script.findCharacter;
      await settleAfter(HOUR_MS);
      expect(find(left)?.state).toBe('redeemed');
    },
  );
});

describe('not redeemed', () => {
  test.each(['UNKNOWN', 'INVALID_ACTIVATION_RESPONSE'] as const)(
    'gives the code back and returns the usage once the settling period is over (%s)',
    async (errorCode) => {
      await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode()] }]);
      t.platform.script.redeem = () => ({ status: 'unknown', errorCode, message: '' });
      const left = await redeem({ denomination: 60 });
      await settleEarly();
      expect(find(left)).toMatchObject({ state: 'in_doubt', codeReset: false });
      expect([available(), used()]).toEqual([0, 1]);
      await settleAfter(999);
      expect(find(left)?.state).toBe('in_doubt');
      await settleAfter(1_000);
      expect(find(left)).toMatchObject({ state: 'failed', errorCode, codeReset: true });
      expect([available(), used()]).toEqual([1, 0]);
      expect(notices()).toEqual([['doubtSettled', 'returned']]);
    },
  );

  test('a direct code goes back to nobody, so codeReset is false; the usage is returned', async () => {
    const left = await doubt('nothing', { code: makeCode() });
    await settleFinally();
    expect(find(left)).toMatchObject({ state: 'failed', errorCode: 'UNKNOWN', codeReset: false });
    expect(used()).toBe(0);
  });

  test('a calendar that jumps forward does not shorten the settling period', async () => {
    const left = await doubt('nothing');
    await settleEarly();
    t.clock.set(t.clock.now() + 10 * HOUR_MS);
    await t.core.settleDoubts();
    expect(find(left)?.state).toBe('in_doubt');
    await settleAfter(HOUR_MS);
    expect(find(left)?.state).toBe('failed');
  });

  test('a restart does not shorten it either', async () => {
    const left = await doubt('nothing');
    await settleEarly();
    t.clock.advance(HOUR_MS);
    await t.restart().settleDoubts();
    expect(find(left)?.state).toBe('in_doubt');
  });

  test('an attempt that ends late, inside the settling period, is found', async () => {
    const left = await doubt('nothing');
    await settleEarly();
    t.platform.redeemNow({ reference: '', gameId: GAME, code: left.code ?? '', playerId: PLAYER });
    await settleAfter(4_000);
    expect(find(left)?.state).toBe('redeemed');
    expect(available()).toBe(0);
  });
});

describe('no answer', () => {
  test.each<[string, () => CodeOutcome | Promise<CodeOutcome>]>([
    ['under way', () => ({ status: 'underWay' })],
    ['unreachable', () => ({ status: 'unreachable', message: '' })],
    ['a throw', () => Promise.reject(new Error('boom'))],
  ])('%s leaves everything held, for ever; a person is asked, once', async (_, answer) => {
    const left = await doubt('nothing');
    t.platform.script.findCode = answer;
    t.platform.script.redeem = () => UNREACHED;
    for (let hour = 0; hour < 50; hour += 1) await settleAfter(HOUR_MS);
    expect(find(left)?.state).toBe('in_doubt');
    expect([available(), used()]).toEqual([0, 0]);
    expect(codeState(left.code ?? '')).toBe('in_doubt');
    expect(notices()).toEqual([['doubtHeld', undefined]]);
  });

  test('is asked again after pauses that double up to an hour', async () => {
    await doubt('nothing');
    const asked: number[] = [];
    t.platform.script.findCode = () => {
      asked.push(t.clock.elapsed());
      return { status: 'underWay' };
    };
    const begin = t.clock.elapsed();
    for (let second = 0; second < 4 * 3600; second += 1) {
      t.clock.advance(1_000);
      const runAt = t.store.read(({ tasks }) => tasks.findFirst('doubt:1')?.runAt);
      if (runAt !== undefined && runAt <= t.clock.now()) await t.core.settleDoubts();
    }
    const pauses = asked.map((at, index) => (at - (asked[index - 1] ?? begin)) / 1_000);
    expect(pauses.slice(0, 13)).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
    expect(pauses.slice(13)).toEqual([3600, 3600]);
  });

  test('a calendar that goes back a day does not stall it', async () => {
    const left = await doubt('redeemed');
    t.clock.set(t.clock.now() - 24 * HOUR_MS);
    await t.core.settleDoubts();
    expect(find(left)?.state).toBe('redeemed');
  });
});

describe('CODE_USED right after an unknown attempt of our own', () => {
  async function spendTwiceUnknowing(playerId = PLAYER) {
    const { code, first } = await leaveUnspent();
    t.platform.redeemNow({ reference: '', gameId: GAME, code, playerId: PLAYER });
    return { first, second: await redeem({ code, playerId }) };
  }

  test('means "ask": the first attempt turns out to have been ours, and the second carries its receipt', async () => {
    const { second } = await spendTwiceUnknowing();
    expect(second).toMatchObject({ state: 'in_doubt', errorCode: 'UNKNOWN' });
    await settleEarly();
    expect(find(second)?.state).toBe('redeemed');
  });

  test('an attempt that was not spent makes the next no older: what the player used in between waits for a person', async () => {
    const { code } = await leaveUnspent();
    t.platform.redeemNow({ reference: '', gameId: GAME, code, playerId: PLAYER });
    t.clock.advance(5 * MINUTE_MS + 1);
    const second = await doubt('nothing', { code });
    await settleEarly();
    expect(find(second)?.state).toBe('in_doubt');
    expect(t.core.doubts.summary({ kind: 'host', by: 'cli' })).toMatchObject({ count: 1, held: 1 });
  });

  test('for another player it is simply used', async () => {
    const { second } = await spendTwiceUnknowing('99999999');
    expect(second).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
  });

  test.each([
    ['a day later', 0, 'in_doubt'],
    ['longer after', 1, 'failed'],
  ])('%s: the attempt before is %i ms older than a day', async (_, olderMs, state) => {
    const { code, first } = await leaveUnspent();
    t.clock.advance(first.createdAt + 24 * HOUR_MS + olderMs - t.clock.now());
    const refusal = { status: 'refused', errorCode: 'CODE_USED', message: '', asked: true } as const;
    t.platform.script.redeem = () => refusal;
    expect((await redeem({ code })).state).toBe(state);
  });
});

test.each([
  ['the same player is the receipt', PLAYER, 'redeemed'],
  ['another player makes it used', '99999999', 'failed'],
])(
  'CODE_USED while another machine serves is asked about: what that did for %s',
  async (_, playerId, state) => {
    const code = makeCode();
    t.platform.redeemNow({ reference: '', gameId: GAME, code, playerId });
    t.core.noteContest(true);
    const left = await redeem({ code, playerId: PLAYER });
    expect(left).toMatchObject({ state: 'in_doubt', errorCode: 'UNKNOWN' });
    await settleEarly();
    expect(find(left)?.state).toBe(state);
  },
);

describe('the doubt of another account', () => {
  async function asAnother(request: Partial<RedeemRequest>): Promise<Redemption> {
    const other = await t.openAccount();
    const answer = await t.core.redeem(other, { gameId: GAME, playerId: PLAYER, ...request });
    if (answer.status !== 'answered') throw new Error(answer.status);
    return { ...answer.redemption, accountId: other.accountId };
  }
  const findAs = ({ id, accountId }: Redemption) =>
    t.core.receipts.find({ kind: 'apiKey', accountId, apiKeyId: 1 }, id);

  test('makes nothing of "used": it is used, whoever the player is', async () => {
    const { code } = await leaveUnspent();
    t.platform.redeemNow({ reference: '', gameId: GAME, code, playerId: PLAYER });
    expect(await asAnother({ code })).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
  });

  test.each([
    ['a minute before', MINUTE_MS, 'in_doubt'],
    ['in the same moment', 0, 'redeemed'],
  ])('may have been the one: what was redeemed %s is not handed over', async (_, earlierMs, state) => {
    const { code } = await leaveUnspent();
    t.clock.advance(2 * MINUTE_MS);
    t.platform.script.redeem = () => UNKNOWN;
    const left = await asAnother({ code });
    const receipt = { openid: `open-${PLAYER}`, name: 'x', password: 'of the other', fullReceipt: true };
    t.platform.script.findCode = () => ({ ...redeemedFor(PLAYER, left.createdAt - earlierMs), receipt });
    await settleEarly();
    expect(findAs(left)?.state).toBe(state);
  });
});

test('an end that somebody else wrote meanwhile is neither told nor counted again', async () => {
  const left = await doubt('redeemed');
  const other = t.restart();
  let isFirst = true;
  t.platform.script.findCode = async () => {
    if (isFirst) {
      isFirst = false;
      await t.core.settleDoubts();
    }
    return redeemedFor(PLAYER);
  };
  t.clock.advance(1_000);
  await other.settleDoubts();
  expect(find(left)?.state).toBe('redeemed');
  expect(t.core.health.listSettled()).toEqual([{ outcome: 'redeemed', count: 1 }]);
  expect(other.health.listSettled()).toEqual([]);
});

describe('a store that cannot write', () => {
  test('does not make the platform be asked in a loop; a minute later it is asked again', async () => {
    const left = await doubt('redeemed');
    let [looks, failing] = [0, 0];
    t.platform.script.findCode = () => {
      looks += 1;
      failing = looks === 1 ? 1 : 0;
      return redeemedFor(PLAYER);
    };
    const store: typeof t.store = {
      ...t.store,
      write: (work) => ((failing -= 1) === 0 ? Promise.reject(new Error('disk full')) : t.store.write(work)),
    };
    const other = t.restart({ store });
    t.clock.advance(1_000);
    await other.settleDoubts();
    await other.settleDoubts();
    expect(looks).toBe(1);
    t.clock.advance(MINUTE_MS);
    await other.settleDoubts();
    expect([looks, find(left)?.state]).toEqual([2, 'redeemed']);
  });
});

test('of many doubts fifty are looked at at once, and the others after them', async () => {
  await t.core.codes.add(t.actor, GAME, [
    { denomination: 60, codes: Array.from({ length: 60 }, () => makeCode()) },
  ]);
  t.platform.script.redeem = () => UNKNOWN;
  for (let left = 0; left < 60; left += 1) await redeem({ denomination: 60 });
  let [asked, atOnce, most] = [0, 0, 0];
  // None is answered before fifty are asked about, however slow the machine, and those wait whether there come more.
  const full = Promise.withResolvers<void>();
  t.platform.script.findCode = async () => {
    asked += 1;
    atOnce += 1;
    most = Math.max(most, atOnce);
    if (atOnce === 50) setTimeout(full.resolve, 50);
    await full.promise;
    atOnce -= 1;
    return { status: 'unreachable', message: '' };
  };
  await settleEarly();
  expect([asked, most]).toEqual([60, 50]);
});
