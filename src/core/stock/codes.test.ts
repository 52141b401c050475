// The code database: what becomes of every code that is given, handing out, and codes of a restored backup.
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { RedeemOutcome } from '../../platform/port.ts';
import type { AddedCodes } from './add-codes.ts';
import type { AccountActor } from '../context.ts';
import type { Redemption } from '../receipts/receipts.ts';

const PLAYER = '5170925570';
const GAME = 'game_id_1';
const UNKNOWN: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: 'late' };

let t: TestCore;
let other: AccountActor;
beforeEach(async () => {
  t = await openTestCore({ platformTimeoutMs: 200 });
  other = await t.openAccount();
});
afterEach(() => t.close());

const makeCodes = (count: number) => Array.from({ length: count }, () => makeCode());
const add = (codes: string[], actor: AccountActor = t.actor, denomination = 60) =>
  t.core.codes.add(actor, GAME, [{ denomination, codes }]);
const extract = (amount: number, key?: string, actor: AccountActor = t.actor) =>
  t.core.codes.extract(actor, {
    gameId: GAME,
    denomination: 60,
    amount,
    ...(key !== undefined && { idempotencyKey: { scope: 'http', key } }),
  });
const available = (actor: AccountActor = t.actor) => t.core.codes.countAvailable(actor, GAME).get(60);
const stock = () => t.core.codes.countStock(t.actor, GAME)[0];

async function redeem(code?: string, actor: AccountActor = t.actor): Promise<Redemption> {
  const which = code === undefined ? { denomination: 60 } : { code };
  const answer = await t.core.redeem(actor, { gameId: GAME, playerId: PLAYER, ...which });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

/** What was told of one code. */
function tell(added: AddedCodes): string {
  const told = [
    ...[...added.accepted].flatMap(([, count]) => (count > 0 ? ['accepted'] : [])),
    ...added.used.map(() => 'used'),
    ...added.disowned.map(() => 'disowned'),
    ...added.invalid.map(() => 'invalid'),
  ];
  return told.join(', ');
}

async function leaveInDoubt(code: string | undefined, actor: AccountActor): Promise<void> {
  t.platform.script.redeem = () => UNKNOWN;
  await redeem(code, actor);
  delete t.platform.script.redeem;
}

async function refuse(
  code: string | undefined,
  errorCode: 'CODE_USED' | 'INVALID_CODE',
  actor: AccountActor,
) {
  t.platform.script.redeem = () => ({ status: 'refused', errorCode, message: '', asked: true });
  await redeem(code, actor);
  delete t.platform.script.redeem;
}

describe('adding a code that', () => {
  /** Brings a code about; who adds it next is the first account, its keeper the first or another. */
  type Past = (code: string, keeper: AccountActor) => Promise<unknown>;
  const taken = async (code: string, keeper: AccountActor) => {
    await add([code], keeper);
    return redeem(undefined, keeper);
  };
  const PASTS: [what: string, past: Past, ours: string, others: string][] = [
    ['nobody has', () => Promise.resolve(), 'accepted', 'accepted'],
    ['lies in stock', (code, keeper) => add([code], keeper), 'used', 'disowned'],
    ['was redeemed from the database', taken, 'used', 'used'],
    ['was redeemed directly', (code, keeper) => redeem(code, keeper), 'used', 'used'],
    [
      'is in doubt from the database',
      async (code, keeper) => {
        await add([code], keeper);
        await leaveInDoubt(undefined, keeper);
      },
      'used',
      'disowned',
    ],
    ['is in doubt directly', (code, keeper) => leaveInDoubt(code, keeper), 'used', 'disowned'],
    [
      'the platform called used',
      async (code, keeper) => {
        await add([code], keeper);
        await refuse(undefined, 'CODE_USED', keeper);
      },
      'used',
      'disowned',
    ],
    [
      'the platform called invalid',
      async (code, keeper) => {
        await add([code], keeper);
        await refuse(undefined, 'INVALID_CODE', keeper);
      },
      'used',
      'disowned',
    ],
    ['was refused directly', (code, keeper) => refuse(code, 'INVALID_CODE', keeper), 'accepted', 'accepted'],
    [
      'was extracted',
      async (code, keeper) => {
        await add([code], keeper);
        await extract(1, undefined, keeper);
      },
      'accepted',
      'accepted',
    ],
    [
      'was undone',
      async (code, keeper) => {
        const { batchId } = await add([code], keeper);
        await t.store.write((tables) => tables.batches.takeBack(batchId, Buffer.alloc(0), 10, t.clock.now()));
      },
      'accepted',
      'accepted',
    ],
    [
      'was extracted and then redeemed directly',
      async (code, keeper) => {
        await add([code], keeper);
        await extract(1, undefined, keeper);
        await redeem(code, keeper);
      },
      'used',
      'used',
    ],
  ];

  test.each(PASTS)('%s', async (_, past, ours, others) => {
    const [own, foreign] = [makeCode(), makeCode()];
    await past(own, t.actor);
    await past(foreign, other);
    const before = available() ?? 0;
    expect(tell(await add([own]))).toBe(ours);
    expect(tell(await add([foreign]))).toBe(others);
    expect((available() ?? 0) - before).toBe([ours, others].filter((told) => told === 'accepted').length);
  });

  test('is under way directly is used for whoever redeems it, and disowned for others', async () => {
    const code = makeCode();
    let finish: (() => void) | undefined;
    t.platform.script.redeem = (order) =>
      new Promise((resolve) => (finish = () => resolve(t.platform.redeemNow(order))));
    const underWay = redeem(code);
    await t.platform.arrived(t.platform.orders.length + 1);
    expect(tell(await add([code]))).toBe('used');
    expect(tell(await add([code], other))).toBe('disowned');
    finish?.();
    await underWay;
    expect(tell(await add([code], other))).toBe('used');
    expect([available(), available(other)]).toEqual([0, 0]);
  });

  test('breaks the pattern is told as it was given; blanks around a code do not count', async () => {
    const code = makeCode();
    const added = await add([` ${code}\t`, code, 'short', 'with space 12345', `${code}!`]);
    expect(added).toMatchObject({
      used: [],
      disowned: [],
      invalid: ['short', 'with space 12345', `${code}!`],
    });
    expect(added.accepted).toEqual(new Map([[60, 1]]));
  });
});

describe('adding', () => {
  test('a code repeated in one call counts once, under the first denomination', async () => {
    const code = makeCode();
    const added = await t.core.codes.add(t.actor, GAME, [
      { denomination: 60, codes: [code, code] },
      { denomination: 325, codes: [code] },
    ]);
    expect(added.accepted).toEqual(
      new Map([
        [60, 1],
        [325, 0],
      ]),
    );
    expect(added.used).toEqual([]);
    expect(t.core.codes.countAvailable(t.actor, GAME)).toEqual(
      new Map([
        [60, 1],
        [325, 0],
      ]),
    );
  });

  test('codes are case-sensitive', async () => {
    expect(tell(await add(['abcdefABCDEF']))).toBe('accepted');
    expect(tell(await add(['ABCDEFabcdef']))).toBe('accepted');
  });

  test('repeated under a key changes nothing and tells the same; under another key everything is used', async () => {
    const stockKeys = [
      { denomination: 60, codes: [...makeCodes(700), 'short'] },
      { denomination: 325, codes: makeCodes(20) },
    ];
    const add = (key: string) =>
      t.core.codes.add(t.actor, GAME, stockKeys, { idempotencyKey: { scope: 'http', key } });
    const first = await add('a');
    expect(first).toMatchObject({ invalid: ['short'], used: [], replayed: false });
    expect(await add('a')).toEqual({ ...first, replayed: true });
    expect(available()).toBe(700);
    expect(t.store.read((tables) => tables.batches.find(first.batchId))?.added).toBe(720);
    expect((await add('b')).used).toHaveLength(720);
    await expect(
      t.core.codes.add(t.actor, GAME, stockKeys.slice(1), { idempotencyKey: { scope: 'http', key: 'a' } }),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('of one code by fifty at once is accepted once', async () => {
    const code = makeCode();
    const told = await Promise.all(
      Array.from({ length: 50 }, (_, index) => add([code], index % 2 ? t.actor : other)),
    );
    expect(told.filter((added) => tell(added) === 'accepted')).toHaveLength(1);
  });

  test('a game without a database and an unknown denomination are refused before anything is added', async () => {
    const stockKeys = [
      { denomination: 60, codes: makeCodes(1) },
      { denomination: 61, codes: makeCodes(1) },
    ];
    for (const gameId of [GAME, 'game_id_2', 'no game'])
      await expect(t.core.codes.add(t.actor, gameId, stockKeys)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    expect(available()).toBe(0);
  });

  test('20,000 codes let other work run in between', async () => {
    let running = true;
    const adding = add(makeCodes(20_000)).finally(() => (running = false));
    let others = 0;
    for (; running; others += 1) await t.store.write((tables) => tables.accounts.find(1));
    expect((await adding).accepted).toEqual(new Map([[60, 20_000]]));
    expect(others).toBeGreaterThan(50);
    expect(available()).toBe(20_000);
  });
});

describe('extraction', () => {
  test('hands out the newest, in the order of adding, at most what there is, and they leave the database', async () => {
    const codes = makeCodes(5);
    await add(codes);
    expect((await extract(2)).codes).toEqual(codes.slice(3));
    expect(available()).toBe(3);
    expect((await extract(10)).codes).toEqual(codes.slice(0, 3));
    expect((await extract(1)).codes).toEqual([]);
    expect((await redeem()).errorCode).toBe('NO_CODES_AVAILABLE');
  });

  test('never touches another account’s codes nor another denomination', async () => {
    await add(makeCodes(1), other);
    await add(makeCodes(1), t.actor, 325);
    expect((await extract(10)).codes).toEqual([]);
  });

  test('under a key a lost answer loses no code: the same codes again, and none besides', async () => {
    await add(makeCodes(5));
    const first = await extract(2, 'key');
    expect(await extract(2, 'key')).toEqual({ ...first, replayed: true });
    expect(available()).toBe(3);
    await expect(extract(3, 'key')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await extract(1, 'key', other)).codes).toEqual([]);
  });

  test('by many at once hands each code out once', async () => {
    const codes = makeCodes(30);
    await add(codes);
    const told = await Promise.all(Array.from({ length: 12 }, () => extract(4)));
    expect(told.flatMap((extraction) => extraction.codes).sort()).toEqual([...codes].sort());
  });

  test('what is reserved or in doubt is not handed out', async () => {
    await add(makeCodes(1));
    await leaveInDoubt(undefined, t.actor);
    expect((await extract(1)).codes).toEqual([]);
    expect(stock()).toMatchObject({ available: 0, promised: 0, reserved: 0, inDoubt: 1, wasStocked: true });
  });

  test.each([0, -1, 1.5, Number.NaN])('of %s codes is refused', async (amount) => {
    await expect(extract(amount)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('after a restored backup', () => {
  function markUnverified(): void {
    const connection = new Database(t.store.path);
    connection.exec("update codes set state = 'unverified' where state = 'available'");
    connection.close();
  }
  const spend = (code: string) =>
    t.platform.spent.set(code, { playerId: '99999999', redeemedAt: t.clock.now() });
  const stateOf = (code: string) =>
    t.store.read((tables) => tables.codes.findOwner(GAME, t.store.seals.hash(GAME, code))?.state);

  test('an unverified code counts as stock and is asked about before it is sent', async () => {
    const [code = ''] = makeCodes(1);
    await add([code]);
    markUnverified();
    expect(available()).toBe(1);
    const asked: [string, number][] = [];
    t.platform.script.findCode = (each) => {
      asked.push([each, t.platform.orders.length]);
      return { status: 'notRedeemed' };
    };
    expect(await redeem()).toMatchObject({ state: 'redeemed', code });
    expect(asked).toEqual([[code, 0]]);
  });

  test('spent ones are put aside and the next is taken, for one activation', async () => {
    const codes = makeCodes(4);
    await add(codes);
    markUnverified();
    codes.slice(0, 2).forEach(spend);
    expect(await redeem()).toMatchObject({ state: 'redeemed', code: codes[2] });
    expect(codes.map(stateOf)).toEqual(['used', 'used', 'redeemed', 'unverified']);
    expect(t.platform.orders.map((order) => order.code)).toEqual([codes[2]]);
    expect(t.core.quota(t.actor).daily.used).toBe(1);
  });

  test('when none is unspent there are none, nothing is sent and nothing charged', async () => {
    const codes = makeCodes(3);
    await add(codes);
    markUnverified();
    codes.forEach(spend);
    const failed = await redeem();
    expect(failed).toMatchObject({ state: 'failed', errorCode: 'NO_CODES_AVAILABLE', codeReset: false });
    expect(failed.code).toBeNull();
    expect(codes.map(stateOf)).toEqual(['used', 'used', 'used']);
    expect(t.platform.orders).toEqual([]);
    expect(t.core.quota(t.actor).daily.used).toBe(0);
  });

  test.each(['unreachable', 'underWay'] as const)(
    'while the platform cannot tell (%s) the code goes back unverified: NETWORK_ERROR, not charged',
    async (status) => {
      const [code = ''] = makeCodes(1);
      await add([code]);
      markUnverified();
      t.platform.script.findCode = () => (status === 'underWay' ? { status } : { status, message: '' });
      expect(await redeem()).toMatchObject({ state: 'failed', errorCode: 'NETWORK_ERROR', codeReset: true });
      expect(stateOf(code)).toBe('unverified');
      expect(t.core.quota(t.actor).daily.used).toBe(0);
      expect(t.platform.orders).toEqual([]);
    },
  );

  test('a code that was found unspent returns as available, and is not asked about again', async () => {
    const [code = ''] = makeCodes(1);
    await add([code]);
    markUnverified();
    t.platform.script.redeem = () => ({
      status: 'refused',
      errorCode: 'LOGIN_FAILED',
      message: '',
      asked: true,
    });
    await redeem();
    expect(stateOf(code)).toBe('available');
  });

  test('extraction hands out only what the platform calls unspent, and puts the spent aside', async () => {
    const codes = makeCodes(20);
    await add(codes);
    markUnverified();
    codes.slice(17).forEach(spend);
    expect((await extract(12)).codes).toEqual(codes.slice(5, 17));
    expect(codes.slice(17).map(stateOf)).toEqual(['used', 'used', 'used']);
    expect(available()).toBe(5);
  });

  test('extraction hands out as many as were asked for, also where a redemption takes one before it does', async () => {
    const codes = makeCodes(6);
    await add(codes);
    const connection = new Database(t.store.path);
    connection.exec("update codes set state = 'unverified' where id <= 3");
    connection.close();
    let taken = false;
    const core = t.restart({
      store: {
        ...t.store,
        async write(work, options) {
          // Between what was looked at and what is handed out.
          if (options?.bulk && !taken) taken = (await redeem(codes[5])).state === 'redeemed';
          return t.store.write(work, options);
        },
      },
    });
    const stockKey = { gameId: GAME, denomination: 60 };
    expect((await core.codes.extract(t.actor, { ...stockKey, amount: 3 })).codes).toEqual(codes.slice(2, 5));
    expect((await core.codes.extract(t.actor, { ...stockKey, amount: 3 })).codes).toEqual(codes.slice(0, 2));
  });

  test('extraction hands out the next where a redemption takes the one that the platform is asked about', async () => {
    const codes = makeCodes(3);
    await add(codes);
    markUnverified();
    let taken = false;
    t.platform.script.findCode = async () => {
      if (!taken) {
        taken = true;
        expect(await redeem(codes[2])).toMatchObject({ state: 'redeemed', code: codes[2] });
      }
      return { status: 'notRedeemed' };
    };
    expect((await extract(1)).codes).toEqual([codes[1]]);
  });

  test('a replayed extraction, and one whose key stands for another, ask the platform about nothing', async () => {
    const codes = makeCodes(3);
    await add(codes);
    const first = await extract(1, 'key');
    markUnverified();
    let asked = 0;
    t.platform.script.findCode = () => {
      asked += 1;
      return { status: 'underWay' };
    };
    expect(await extract(1, 'key')).toEqual({ ...first, replayed: true });
    await expect(extract(2, 'key')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(asked).toBe(0);
    expect(codes.slice(0, 2).map(stateOf)).toEqual(['unverified', 'unverified']);
  });

  test('extraction asks about eight codes at once, and about no more where nothing is learned', async () => {
    await add(makeCodes(20));
    markUnverified();
    let asked = 0;
    t.platform.script.findCode = () => {
      asked += 1;
      return { status: 'underWay' };
    };
    expect((await extract(12)).codes).toEqual([]);
    expect(asked).toBe(8);
  });

  test('extraction leaves what the platform cannot tell of where it is', async () => {
    const codes = makeCodes(3);
    await add(codes);
    markUnverified();
    t.platform.script.findCode = () => ({ status: 'unreachable', message: '' });
    expect((await extract(3)).codes).toEqual([]);
    expect(codes.map(stateOf)).toEqual(['unverified', 'unverified', 'unverified']);
    delete t.platform.script.findCode;
    t.clock.advance(60_000);
    expect((await extract(3)).codes).toEqual(codes);
  });
});

test('a list without a fresh code leaves nothing, and frees its key', async () => {
  const code = makeCode();
  const idempotencyKey = { scope: 'http', key: 'list' } as const;
  const add = (codes: string[]) =>
    t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes }], { idempotencyKey });
  await t.core.codes.add(t.actor, GAME, [{ denomination: 60, codes: [code] }]);
  expect(await add([code, '?'])).toEqual({
    batchId: 0,
    accepted: new Map([[60, 0]]),
    used: [code],
    disowned: [],
    invalid: ['?'],
    replayed: false,
  });
  const other = makeCode();
  expect(await add([other, code])).toMatchObject({ batchId: 2, accepted: new Map([[60, 1]]), used: [code] });
  expect(await add([other, code])).toMatchObject({ batchId: 2, used: [code], replayed: true });
});
