// The end of a redemption while the disk fails: written as soon as it can be, with all that the platform told once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { RedeemOutcome } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';
import type { Core } from '../index.ts';
import { describeOpen } from './execute.ts';

const GAME = 'game_id_1';
const REQUEST = { gameId: GAME, playerId: '5170925570', denomination: 60 };

let t: TestCore;
let core: Core;
let code: string;
/** How many of the writes to come fail, each with its transaction rolled back. */
let failing: number;
let failed: number;
let logged: object[];
let onFailure: () => void;

beforeEach(async () => {
  t = await openTestCore();
  [failing, failed, logged, onFailure] = [0, 0, [], () => undefined];
  const store: Store = {
    ...t.store,
    write: (work, options) =>
      t.store.write((tables) => {
        const value = work(tables);
        if (failing <= 0) return value;
        failing -= 1;
        failed += 1;
        onFailure();
        throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
      }, options),
  };
  const note = (fields: object) => void logged.push(fields);
  core = t.restart({ store, log: { info: note, warn: note, error: note } });
  code = makeCode();
  await core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [code] }]);
});
afterEach(() => t.close());

/** Redeems with so many writes failing from the moment in which the platform answers. */
function redeemFailing(times: number, answer?: RedeemOutcome) {
  t.platform.script.redeem = (order) => {
    const outcome = answer ?? t.platform.redeemNow(order);
    failing = times;
    return outcome;
  };
  return core.redeem(t.actor, REQUEST);
}

/** Resolves at the write that fails as the `count`th. */
const failsFor = (count: number) =>
  new Promise<void>((resolve) => {
    onFailure = () => void (failed === count && resolve());
  });

const find = (id: number) => t.core.receipts.find(t.actor, id);
const newest = () => core.receipts.list(t.actor, {})[0]?.id ?? 0;
const countOpen = () => t.core.health.countOpen();

describe('a code that is said to be used by our player', () => {
  const used = {
    status: 'refused',
    errorCode: 'CODE_USED',
    message: '',
    asked: true,
    usedByPlayer: true,
  } as const;
  const lost = { status: 'unknown', errorCode: 'UNKNOWN', message: '' } as const;
  const failedOnce = { status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true } as const;

  /** Sent as a given one before, by whom and for whom, what was answered, and how long ago. */
  test.each<[had: string, mode: 'stock' | 'given', becomes: 'in_doubt' | 'failed']>([
    ['', 'stock', 'in_doubt'],
    ['', 'given', 'failed'],
    ['me, failed', 'stock', 'in_doubt'],
    ['me, failed', 'given', 'failed'],
    ['me, lost', 'given', 'in_doubt'],
    ['me, lost, a day', 'given', 'in_doubt'],
    ['me, lost, longer', 'given', 'failed'],
    ['me for another, lost', 'given', 'failed'],
    ['another, failed', 'stock', 'failed'],
    ['another, lost', 'stock', 'failed'],
    ['another, lost, longer', 'stock', 'failed'],
    ['another, lost', 'given', 'failed'],
    ['another who never sent it', 'stock', 'in_doubt'],
  ])('had by %j before, %s now: %s', async (had, mode, becomes) => {
    const given = makeCode();
    const request = { gameId: GAME, playerId: had.includes('for another') ? '5170925571' : REQUEST.playerId };
    if (had) {
      const by = had.startsWith('me') ? t.actor : await t.openAccount({ days: 9, purchased: 9 });
      t.platform.script.redeem = () => (had.includes('lost') ? lost : failedOnce);
      await core.redeem(by, { ...request, code: had.includes('never') ? 'x' : given });
      for (const ms of [2_000, 10_000, 10_000]) {
        t.clock.advance(ms);
        await core.settleDoubts();
      }
      if (had.includes('a day')) t.clock.advance(86_400_000 - 22_000);
      if (had.includes('longer')) t.clock.advance(86_400_001);
    }
    t.platform.script.redeem = () => used;
    await core.codes.extract(t.actor, { gameId: GAME, denomination: 60, amount: 1 });
    if (mode === 'stock') await core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [given] }]);
    const asked = mode === 'stock' ? REQUEST : { gameId: GAME, playerId: REQUEST.playerId, code: given };
    expect(await core.redeem(t.actor, asked)).toMatchObject({
      redemption: { state: becomes, errorCode: becomes === 'failed' ? 'CODE_USED' : 'UNKNOWN', code: given },
    });
  });
});

describe('a settlement that fails', () => {
  test('is tried again, told of once and when it is written: the receipt has the credentials that the platform tells once', async () => {
    const answer = await redeemFailing(3);
    expect(failed).toBe(3);
    expect(answer).toMatchObject({
      redemption: { state: 'redeemed', warning: false, credentials: { password: `pw-${code}` } },
    });
    expect(core.quota(t.actor).daily.used).toBe(1);
    const about = { redemptionId: newest() };
    const err = expect.objectContaining({ code: 'SQLITE_BUSY' }) as unknown;
    const told = logged.filter((fields) => 'err' in fields || 'failures' in fields);
    expect(told).toEqual([
      { err, ...about },
      { failures: 3, ...about },
    ]);
  });

  test.each<[string, RedeemOutcome, object]>([
    [
      'a refusal',
      { status: 'refused', errorCode: 'RISK_CONTROL', message: '', asked: true },
      { state: 'failed', errorCode: 'RISK_CONTROL', codeReset: true },
    ],
    [
      'an unknown outcome',
      { status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE', message: '' },
      { state: 'in_doubt', errorCode: 'INVALID_ACTIVATION_RESPONSE' },
    ],
  ])('is tried again for %s, too', async (_, outcome, record) => {
    expect(await redeemFailing(2, outcome)).toMatchObject({ redemption: record });
    expect(failed).toBe(2);
  });

  test('leaves the redemption to who carries it out: nobody puts it in doubt or looks at it meanwhile', async () => {
    let looks = 0;
    t.platform.script.findCode = () => {
      looks += 1;
      return { status: 'notRedeemed' };
    };
    const answer = redeemFailing(Infinity);
    // The pause after the fifth is 800 ms: time for others to write.
    await failsFor(5);
    failing = 0;
    await core.start();
    await core.settleDoubts();
    expect(countOpen()).toEqual({ pending: 1, inDoubt: 0 });
    expect(await answer).toMatchObject({ redemption: { state: 'redeemed' } });
    expect(looks).toBe(0);
  });

  test('whoever asks again meanwhile waits for it, and after his 55 s is told that it is unknown', async () => {
    const key = { scope: 'http', key: 'order-1' } as const;
    t.platform.script.redeem = (order) => {
      failing = Infinity;
      t.clock.advance(54_990);
      return t.platform.redeemNow(order);
    };
    const answer = core.redeem(t.actor, { ...REQUEST, idempotencyKey: key });
    expect(await answer).toMatchObject({ redemption: { state: 'pending' } });
    failing = 0;
    await t.until(() => countOpen().pending === 0);
    const again = await core.redeem(t.actor, { ...REQUEST, idempotencyKey: key });
    expect(again).toMatchObject({ replayed: true, redemption: { state: 'redeemed' } });
  });

  test('that comes after the answer frees no key, also where the beginning had waited', async () => {
    const order = { ...REQUEST, idempotencyKey: { scope: 'http', key: 'order-1' } as const };
    const queued: Store = {
      ...t.store,
      write: (work, options) => {
        if (t.platform.orders.length === 0) t.clock.advance(20_000);
        return t.store.write((tables) => {
          const value = work(tables);
          if (failing > 0) throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
          return value;
        }, options);
      },
    };
    core = t.restart({ store: queued });
    t.platform.script.redeem = () => {
      failing = Infinity;
      t.clock.advance(34_990);
      return { status: 'refused', errorCode: 'NO_ACCOUNTS_AVAILABLE', message: '', asked: true };
    };
    expect(await core.redeem(t.actor, order)).toMatchObject({ redemption: { state: 'pending' } });
    t.clock.advance(5_000);
    failing = 0;
    await t.until(() => countOpen().pending === 0);
    expect(await core.redeem(t.actor, order)).toMatchObject({
      replayed: true,
      redemption: { state: 'failed', errorCode: 'NO_ACCOUNTS_AVAILABLE', codeReset: true },
    });
    expect(t.platform.orders).toHaveLength(1);
    expect(core.quota(t.actor).daily.used).toBe(0);
  });

  test('is tried one last time when the process gives up', async () => {
    const answer = redeemFailing(Infinity);
    await failsFor(3);
    failing = 0;
    await core.stop(0);
    expect(await answer).toMatchObject({ redemption: { state: 'redeemed' } });
  });

  test('that fails even then leaves it pending, for the next start to ask about', async () => {
    const answer = redeemFailing(Infinity);
    await failsFor(3);
    await core.stop(0);
    expect(await answer).toMatchObject({ redemption: { state: 'pending', errorCode: 'UNKNOWN' } });
    failing = 0;
    const next = t.restart();
    await next.start();
    await next.settleDoubts();
    expect(find(newest())).toMatchObject({ state: 'redeemed', warning: true });
  });
});

describe('a redemption whose time is over', () => {
  test.each([
    ['with a second left', 53_500, 'redeemed', 1],
    ['with less', 53_501, 'failed', 0],
  ])('is sent %s (%i ms in the queue): %s', async (_, waitedMs, state, sent) => {
    const slow: Store = {
      ...t.store,
      write: async (work, options) => {
        const written = await t.store.write(work, options);
        if (t.platform.orders.length === 0) t.clock.advance(waitedMs);
        return written;
      },
    };
    const answer = await t.restart({ store: slow }).beginRedemption(t.actor, REQUEST);
    if (answer.status !== 'begun') throw new Error(answer.status);
    await t.until(() => find(answer.redemptionId)?.state === state);
    expect(t.platform.orders).toHaveLength(sent);
    const errorCode = state === 'failed' ? 'NETWORK_ERROR' : null;
    expect(find(answer.redemptionId)).toMatchObject({ errorCode });
    expect(t.core.codes.countAvailable(t.actor, GAME).get(60)).toBe(1 - sent);
    expect(t.core.quota(t.actor).daily.used).toBe(sent);
  });
});

test('what is still open has taken no less than nothing, also where the clock went back', () => {
  const began = { createdAt: 1_000, denomination: null } as Parameters<typeof describeOpen>[0];
  const taken = [990, 1_000, 1_001, 1_250].map((now) => describeOpen(began, now).tookMs);
  expect(taken).toEqual([0, 0, 1, 250]);
});
