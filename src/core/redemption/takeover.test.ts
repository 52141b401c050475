// A takeover by a backup that lacks the last seconds: an order that is repeated gets what was carried out for it,
// whoever else was served meanwhile; and a new one gets a code.
import { describe, expect, test, vi } from 'vitest';

import { ANN, BOB, STOCK_KEY, useLosingShop } from '../../../test/harness/losing-shop.ts';
import { listNotices } from '../../../test/harness/notices.ts';
import { createScriptedPlatform, type ScriptedPlatform, UNREACHED } from '../../../test/harness/platform.ts';
import { MINUTE_MS } from '../../clock.ts';
import type { CodeOutcome } from '../../platform/port.ts';
import { alone } from '../../platforms.ts';
import type { Redemption } from '../receipts/receipts.ts';

const t = useLosingShop();
const { add, extract, takeOver, order, spentFor, tell } = t;

const notices = () =>
  listNotices(t.store)
    .map(({ kind, payload }) => ({ kind, ...payload }))
    .filter(({ kind }) => kind.startsWith('recovered'));

test('an order that is repeated under its key gets its receipt, and no second code is spent', async () => {
  const [first, second, third] = await add(5);
  await takeOver(() => Promise.all([order(ANN, 'one'), order(BOB, 'two')]));
  const again = await order(BOB, 'two');
  expect(again).toMatchObject({ state: 'redeemed', playerId: BOB, warning: true, replayed: true });
  expect([spentFor(BOB), again.code]).toEqual([[again.code], again.code]);
  expect(again.credentials).toMatchObject({ email: `${again.code}@example.test` });
  // Again and again.
  expect((await order(BOB, 'two')).id).toBe(again.id);
  expect((await order(ANN, 'one')).code).toBe([first, second].find((code) => code !== again.code));
  expect(t.core.quota(t.actor).daily.used).toBe(2);
  // The regular buys once more.
  expect((await order(BOB, 'three')).code).toBe(third);
  expect(notices()).toEqual([{ kind: 'recovered', gameId: STOCK_KEY.gameId, denomination: 60, count: 2 }]);
});

/** As a platform that tells no time. */
const tellUndated = (code: string): CodeOutcome => {
  const { redeemedAt: _at, expiresAt: _ends, ...told } = tell(code) as CodeOutcome & Record<string, unknown>;
  return told;
};

test.each([
  ['', 12 * 60],
  [' over midnight', -0.05],
])('where a look-up tells no time%s an order that is repeated gets its receipt', async (_, minutes) => {
  t.clock.advance(12 * 60 * MINUTE_MS + minutes * MINUTE_MS);
  await add(40);
  t.platform.script.findCode = tellUndated;
  const players = Array.from({ length: 12 }, (_none, index) => String(5170925600 + index));
  await takeOver(async () => {
    for (const player of players) await order(player, `of ${player}`);
  });
  for (const player of players.toReversed()) {
    expect(await order(player, `of ${player}`)).toMatchObject({ state: 'redeemed', replayed: true });
    expect(spentFor(player)).toHaveLength(1);
  }
  expect(await order(ANN, 'new')).toMatchObject({ state: 'redeemed', replayed: false });
  expect(t.check()).toEqual({ drift: 0, rows: [] });
});

test('where a look-up tells no time it is found after a second takeover, and none but what was lost is taken for it', async () => {
  const [first] = await add(2);
  t.platform.script.findCode = tellUndated;
  await takeOver(() => order(ANN, 'one'));
  await takeOver(() => Promise.resolve());
  expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
  expect((await order(ANN, 'two')).state).toBe('redeemed');
  // One that was added since, refused, tried again, and has been used by another.
  const [added = ''] = await add(1);
  t.platform.script.redeem = () => ({
    ...{ status: 'refused', errorCode: 'INVALID_CODE', message: '', asked: true },
  });
  await order(BOB, 'three');
  delete t.platform.script.redeem;
  const owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 7, role: 'owner' } as const;
  await t.store.write((tables) => tables.members.insert({ ...owner, name: 'Ann', username: null, now: 0 }));
  expect(await t.core.badCodes.tryAgain(owner, STOCK_KEY)).toBe(1);
  t.platform.spent.set(added, { playerId: BOB, redeemedAt: 0, reference: 'other' });
  const listed = () => t.store.read(({ redemptions }) => redemptions.findOfCode(1, STOCK_KEY.gameId, added));
  const before = listed();
  expect(await order(BOB, 'four')).toMatchObject({ errorCode: 'NO_CODES_AVAILABLE' });
  expect(listed()).toEqual(before);
  expect(t.check()).toEqual({ drift: 0, rows: [] });
});

test('of two orders of one player each gets its own', async () => {
  await add(5);
  let before: Redemption[] = [];
  await takeOver(async () => (before = [await order(ANN, 'one'), await order(ANN, 'two')]));
  const [one, two] = before.map(({ code }) => code);
  expect([(await order(ANN, 'two')).code, (await order(ANN, 'one')).code]).toEqual([two, one]);
  expect(spentFor(ANN)).toHaveLength(2);
});

test('where no reference is kept nothing is proven: a repeated order is a new one, and the owner is told of both', async () => {
  Object.assign(t.platform, { hasNoReferences: true });
  await t.restart();
  await add(5);
  await takeOver(() => order(ANN, 'one'));
  const again = await order(ANN, 'one');
  expect(again).toMatchObject({ state: 'redeemed', replayed: false });
  expect(spentFor(ANN)).toHaveLength(2);
  await order(ANN, 'new');
  expect(notices()).toMatchObject([
    { kind: 'recovered', count: 1 },
    { kind: 'recoveredTwice', redemptionIds: [expect.any(Number), again.id] },
  ]);
});

test('a key that was freed before the loss and used in it', async () => {
  const refuse = () => ({ status: 'refused', errorCode: 'LOGIN_FAILED', message: '', asked: true }) as const;
  await add(5);
  t.platform.script.redeem = refuse;
  await order(ANN, 'one');
  delete t.platform.script.redeem;
  await takeOver(() => order(ANN, 'one'));
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', replayed: true });
  expect(spentFor(ANN)).toHaveLength(1);
});

test('a key that was repeated through an outage in the lost time', async () => {
  await add(2);
  await takeOver(async () => {
    t.platform.script.redeem = () => UNREACHED;
    for (let count = 0; count < 9; count += 1) await order(ANN, 'one');
    delete t.platform.script.redeem;
    expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed' });
  });
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', replayed: true });
  expect(spentFor(ANN)).toHaveLength(1);
  // With all that the order had.
  expect(t.platform.orders.at(-1)).toMatchObject({ ...STOCK_KEY, playerId: ANN });
});

test('a key that is freed keeps its reference for a code until something was sent, and has another after', async () => {
  await add(1);
  const told = [UNREACHED, { ...UNREACHED, neverSent: undefined }, UNREACHED];
  t.platform.script.redeem = () => told.shift() as typeof UNREACHED;
  for (let count = 0; count < 3; count += 1) await order(ANN, 'one');
  delete t.platform.script.redeem;
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed' });
  const [first, ...others] = t.platform.orders.map(({ reference }) => reference);
  expect(others.map((each) => each === first)).toEqual([true, false, false]);
  expect(new Set(others.slice(1)).size).toBe(1);
  expect(t.check()).toEqual({ drift: 0, rows: [] });
});

test('a key that is used again a month later has another reference', async () => {
  await add(3);
  await order(ANN, 'one');
  t.clock.advance(31 * 24 * 60 * MINUTE_MS);
  await order(ANN, 'one');
  expect(new Set(t.platform.orders.map(({ reference }) => reference)).size).toBe(2);
});

test('while the platform does not tell, no order begins, and it finds its receipt later', async () => {
  await add(3);
  await takeOver(() => order(ANN, 'one'));
  t.platform.script.findCode = () => ({ status: 'unreachable', message: '' });
  await expect(order(ANN, 'one')).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect(t.core.quota(t.actor).daily.used).toBe(0);
  delete t.platform.script.findCode;
  t.clock.advance(MINUTE_MS);
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  await expect(order(ANN, 'one')).rejects.toMatchObject({ code: 'OVERLOADED' });
  // What is nobody's yet is not charged.
  expect(t.core.quota(t.actor).daily.used).toBe(0);
  delete t.platform.script.redeem;
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', replayed: true });
  expect(spentFor(ANN)).toHaveLength(1);
});

test('a code that was given with its key is the same order in every past', async () => {
  const code = '60SGIVEN00000001';
  const redeem = async (key: string) => {
    const request = { gameId: STOCK_KEY.gameId, playerId: ANN, code };
    const answer = await t.core.redeem(t.actor, { ...request, idempotencyKey: { scope: 'http', key } });
    return answer.status === 'answered' ? answer.redemption : answer;
  };
  await takeOver(() => redeem('one'));
  expect(await redeem('other')).toMatchObject({ errorCode: 'CODE_USED' });
  await takeOver(() => Promise.resolve());
  expect(await redeem('one')).toMatchObject({ state: 'redeemed', code });
  expect(spentFor(ANN)).toEqual([code]);
});

test('one code alone of which the platform does not tell stops nobody', async () => {
  const [first, second] = await add(3);
  await takeOver(() => Promise.resolve());
  t.platform.script.findCode = (code) =>
    code === first ? { status: 'unreachable', message: '' } : { status: 'notRedeemed' };
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', code: second });
});

test('however often it is not clear, the order is recognised in the end', async () => {
  await add(3);
  await takeOver(() => order(ANN, 'one'));
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  for (let tries = 0; tries < 9; tries += 1)
    await expect(order(ANN, 'one')).rejects.toMatchObject({ code: 'OVERLOADED' });
  delete t.platform.script.redeem;
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', replayed: true });
  expect(spentFor(ANN)).toHaveLength(1);
});

test('one that the platform does not tell of at once is asked about again', async () => {
  const [first] = await add(30);
  await takeOver(() => order(ANN, 'one'));
  let asked = 0;
  t.platform.script.findCode = (code) =>
    code === first && (asked += 1) <= 2 ? { status: 'underWay' } : tell(code);
  expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
  expect(spentFor(ANN)).toEqual([first]);
});

test('what was redeemed of codes that may have been handed out is found there', async () => {
  const [first] = await add(3);
  await extract(1);
  await takeOver(() => order(ANN, 'one'));
  expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
  expect(notices()).toMatchObject([{ kind: 'recovered', count: 1 }]);
});

test('codes that an earlier takeover put in question end no sweep', async () => {
  await add(40);
  await extract(20);
  await takeOver(() => Promise.resolve());
  const [first] = await add(30);
  await takeOver(() => order(ANN, 'one'));
  expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
});

test.each([
  ['and its stock was swept between', 3],
  ['and nobody ordered between', 0],
])('an order is repeated after a second takeover, %s', async (_what, between) => {
  const added = await add(4);
  await takeOver(() => order(ANN, 'one'));
  for (let index = 0; index < between; index += 1) await order(BOB, `between ${index}`);
  await takeOver(() => Promise.resolve());
  expect(await order(ANN, 'one')).toMatchObject({ code: added[0], replayed: true });
  expect(spentFor(ANN)).toHaveLength(1);
});

/** A second upstream over the same truth, of a wire that calls players by other names. */
async function addWest(witness: string): Promise<ScriptedPlatform> {
  const west = createScriptedPlatform(() => t.clock.now(), t.platform.spent);
  const openid = (playerId = '') => `west-${playerId}`;
  west.script.findCharacter = (playerId) => ({ status: 'found', openid: openid(playerId), name: 'N' });
  west.script.findCode = (code) => {
    const { playerId, ...told } = { ...tell(code), toldAt: t.clock.now() } as CodeOutcome & {
      playerId?: string;
    };
    return told.status === 'redeemed' ? { ...told, openid: openid(playerId) } : told;
  };
  const both = [...alone(t.platform, 'east'), ...alone(west, 'west')];
  t.upstreams = both.map((each) => ({ ...each, witness: each.name === witness }));
  await t.restart();
  return west;
}

test.each(['west', 'east'])('what another wire had carried out is found, as %s tells it', async (witness) => {
  const west = await addWest(witness);
  await add(6);
  // What shows that a witness hears of the other.
  if (witness === 'west') await order(BOB);
  t.platform.script.redeem = () => UNREACHED;
  if (witness === 'east') await order(BOB);
  await takeOver(() => order(ANN, 'one'));
  delete t.platform.script.redeem;
  const code = west.orders.at(-1)?.code;
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', replayed: true, code });
  expect(spentFor(ANN)).toEqual([code]);
  expect(await order(ANN, 'new')).toMatchObject({ state: 'redeemed', replayed: false });
  expect(spentFor(ANN)).toHaveLength(2);
});

test('where no player is named a repeated order has its own asked for once', async () => {
  await add(5);
  await takeOver(() => order(ANN, 'one'));
  let asked = 0;
  t.platform.script.findCharacter = (playerId) => {
    asked += 1;
    return { status: 'found', openid: `open-${playerId}`, name: 'N' };
  };
  const place = { orderId: 1, n: 1 };
  const two = await t.redeem({ ...STOCK_KEY, playerId: BOB, order: place }, 'two');
  expect(two).toMatchObject({ state: 'redeemed', replayed: false });
  expect(asked).toBe(1);
});

/** The same, of what our token has spent. */
const tellAsOurs = (code: string): CodeOutcome => {
  const told = tell(code);
  return told.status === 'redeemed' ? { ...told, receiptAwaited: true } : told;
};

test.each([
  ['the repeated order', () => Promise.resolve()],
  ['its doubt', () => t.core.settleDoubts()],
])(
  'a code that was in doubt went back in the lost time, and was taken for another order: %s finds it',
  async (_by, find) => {
    const [first] = await add(5);
    let refuse: () => void = () => undefined;
    t.platform.script.redeem = () =>
      new Promise((resolve) => {
        refuse = () =>
          resolve({ status: 'refused', errorCode: 'CHARACTER_NOT_FOUND', message: '', asked: true });
      });
    const refused = order(BOB, 'refused');
    await t.platform.arrived();
    await takeOver(async () => {
      delete t.platform.script.redeem;
      refuse();
      expect(await refused).toMatchObject({ errorCode: 'CHARACTER_NOT_FOUND' });
      expect(await order(ANN, 'one')).toMatchObject({ code: first });
    });
    t.platform.script.findCode = tellAsOurs;
    await t.core.start();
    await find();
    expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
    expect(await order(BOB, 'refused')).toMatchObject({ state: 'failed', errorCode: 'UNKNOWN' });
    expect(t.core.quota(t.actor).daily.used).toBe(1);
    expect(t.check()).toMatchObject({ drift: 0 });
  },
);

test.each([
  ['where nothing was lost', () => Promise.resolve()],
  ['after the lost time', () => takeOver(() => Promise.resolve())],
])('a code in doubt that our token spends for another is used %s', async (_when, lose) => {
  const [first] = await add(5);
  await lose();
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: '' });
  const doubt = await order(BOB, 'unanswered');
  expect(doubt.code).toBe(first);
  t.clock.advance(5 * MINUTE_MS);
  t.platform.spent.set(first!, { playerId: ANN, redeemedAt: t.clock.now(), reference: 'of the other' });
  t.platform.script.findCode = tellAsOurs;
  await t.core.settleDoubts();
  expect(t.core.receipts.find(t.actor, doubt.id)).toMatchObject({ state: 'failed', errorCode: 'CODE_USED' });
});

test('an order without a key is a new one, and the owner is told of both', async () => {
  await add(5);
  await takeOver(() => order(ANN, 'one'));
  const second = await order(ANN);
  expect(second).toMatchObject({ state: 'redeemed', replayed: false });
  const first = await order(ANN, 'one');
  expect(first.replayed).toBe(true);
  expect(notices()).toMatchObject([{}, { kind: 'recoveredTwice', redemptionIds: [first.id, second.id] }]);
  expect(spentFor(ANN)).toHaveLength(2);
  expect(t.check()).toEqual({ drift: 0, rows: [] });
});

test.each([
  ['a day after the sweep', 10_000, 24 * 60 * MINUTE_MS],
  ['after a loss of five hours', 300 * MINUTE_MS, 0],
])(
  '%s an order that is repeated gets its receipt, also after another takeover',
  async (_when, lostMs, afterMs) => {
    await add(5);
    await takeOver(() => order(ANN, 'one'), lostMs);
    await order(BOB, 'other');
    expect(t.core.receipts.list(t.actor, {}).map((each) => each.playerId)).toContain(`open-${ANN}`);
    await takeOver(() => Promise.resolve());
    t.clock.advance(afterMs);
    expect((await order(ANN, 'one')).replayed).toBe(true);
    expect(spentFor(ANN)).toHaveLength(1);
  },
);

describe('a code of the stock that somebody has, too', () => {
  const give = (playerId: string, code = '') =>
    t.redeem({ gameId: STOCK_KEY.gameId, playerId, code }, 'given');

  test('is no code of theirs where an order of the stock had spent it', async () => {
    const [first] = await add(3);
    await takeOver(() => order(ANN, 'one'));
    expect(await give(ANN, first)).toMatchObject({ errorCode: 'UNKNOWN' });
    expect(await order(ANN, 'one')).toMatchObject({ code: first, replayed: true });
    expect(await give(ANN, first)).toMatchObject({ errorCode: 'CODE_USED' });
    expect([spentFor(ANN), t.core.quota(t.actor).daily.used]).toEqual([[first], 1]);
    expect(t.check()).toEqual({ drift: 0, rows: [] });
  });

  test('is theirs where they had spent it', async () => {
    const [first] = await add(3);
    await takeOver(() => give(ANN, first));
    expect(await give(ANN, first)).toMatchObject({ state: 'redeemed', replayed: true });
    expect([spentFor(ANN), t.core.quota(t.actor).daily.used]).toEqual([[first], 1]);
  });

  test('is taken where nobody had spent it', async () => {
    const [first] = await add(3);
    await takeOver(() => Promise.resolve());
    expect(await give(ANN, first)).toMatchObject({ state: 'redeemed', code: first });
  });
});

test('what somebody else spent is given to nobody', async () => {
  const [first, second] = await add(3);
  t.platform.spent.set(first!, {
    playerId: BOB,
    redeemedAt: t.clock.now() - 60 * MINUTE_MS,
    reference: 'other',
  });
  await takeOver(() => Promise.resolve());
  expect((await order(BOB, 'one')).code).toBe(second);
  expect(notices()).toMatchObject([{ kind: 'recovered', count: 1 }]);
  expect(t.core.quota(t.actor).daily.used).toBe(1);
});

test('a chat is told to come again while it is asked, and then the person is warned', async () => {
  // It does not wait as long as pauses are.
  vi.restoreAllMocks();
  await add(5);
  await takeOver(() => order(ANN, 'one'));
  const press = () =>
    t.core.beginRedemption(t.actor, {
      ...{ ...STOCK_KEY, playerId: ANN, idempotencyKey: { scope: 'chat', key: 'confirmation' } },
      unlessDuplicate: { warnedOf: 0 },
    });
  t.platform.script.findCode = () => ({ status: 'unreachable', message: '' });
  await expect(press()).rejects.toMatchObject({ code: 'OVERLOADED' });
  delete t.platform.script.findCode;
  t.platform.script.findCode = tell;
  t.clock.advance(30 * MINUTE_MS);
  expect(await t.sweep()).toBe(true);
  expect(await press()).toMatchObject({
    status: 'recentDuplicate',
    duplicate: { state: 'redeemed', actorLabel: { kind: 'lost' } },
  });
});
test('what verification meets later is kept, and an order that may be its own has to be asked for again', async () => {
  const [first, second] = await add(2);
  await takeOver(() => order(ANN, 'one'));
  let asked = 0;
  t.platform.script.findCode = (code) => {
    asked += 1;
    return asked <= 6 ? { status: 'underWay' } : tell(code);
  };
  expect(await order(ANN, 'one')).toMatchObject({ state: 'failed', errorCode: 'NETWORK_ERROR' });
  t.clock.advance(MINUTE_MS);
  expect(await order(ANN, 'one')).toMatchObject({ state: 'failed', errorCode: 'NETWORK_ERROR' });
  expect(await order(ANN, 'one')).toMatchObject({ state: 'redeemed', code: first, replayed: true });
  expect([spentFor(ANN), t.core.quota(t.actor).daily.used]).toEqual([[first], 1]);
  expect((await order(BOB, 'three')).code).toBe(second);
});

test('hand-outs of the lost time are at the tail, and as many wait there in question', async () => {
  const added = await add(10);
  t.clock.advance(MINUTE_MS);
  await extract(2);
  let lost: string[] = [];
  await takeOver(async () => (lost = await extract(2)));
  expect(lost).toEqual(added.slice(6, 8));
  expect(await extract(20)).toEqual(added.slice(0, 6));
  // As many as on the busiest day.
  const owner = { kind: 'member', accountId: t.actor.accountId, telegramId: 7, role: 'owner' } as const;
  await t.store.write((tables) => tables.members.insert({ ...owner, name: 'Ann', username: null, now: 0 }));
  const waiting = t.core.badCodes.list(owner);
  expect(waiting).toMatchObject([{ denomination: 60, inQuestion: 2, used: 0 }]);
  expect(await t.core.badCodes.putBack(owner, STOCK_KEY)).toBe(2);
  expect(await extract(20)).toEqual(added.slice(6, 8));
  expect(t.core.badCodes.list(owner)).toEqual([]);
});
