import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount } from '../../../test/harness/accounts.ts';
import { DAY_MS, makeCode, openTestCore, TEST_GAMES, type TestCore } from '../../../test/harness/core.ts';
import type { RedeemAnswer, RedeemRequest } from './request.ts';
import type { Redemption } from '../receipts/receipts.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const PLAYER = '5170925570';
const GAME = 'game_id_1';
const fromDatabase = { gameId: GAME, playerId: PLAYER, denomination: 60 };

async function redeem(request: Partial<RedeemRequest> = {}, actor = t.actor): Promise<Redemption> {
  return recordOf(await t.core.redeem(actor, { ...fromDatabase, ...request }));
}
const direct = (code: string, actor = t.actor) =>
  t.core.redeem(actor, { gameId: GAME, playerId: PLAYER, code }).then(recordOf);

function recordOf(answer: RedeemAnswer): Redemption {
  if (answer.status !== 'answered') throw new Error(`no redemption began: ${answer.status}`);
  return answer.redemption;
}
const add = (codes: string[], actor = t.actor) =>
  t.core.codes.add(actor, GAME, [{ denomination: 60, codes }]);
const available = (actor = t.actor) => t.core.codes.countAvailable(actor, GAME).get(60);
const used = (actor = t.actor) => t.core.quota(actor).daily.used;

describe('what is no request for a redemption at all', () => {
  const breaks = (rule: string) => `The request breaks a rule: ${rule}.`;
  const games = TEST_GAMES.all.map(({ id }) => id).join(', ');
  test.each<[request: RedeemRequest, code: string, message: string]>([
    [{ ...fromDatabase, gameId: 'game_id_9' }, 'INVALID_INPUT', breaks(`gameId must be one of: ${games}`)],
    [
      { ...fromDatabase, code: makeCode() },
      'INVALID_INPUT',
      breaks('denomination and codeOverride exclude each other: send exactly one of them'),
    ],
    [
      { ...fromDatabase, denomination: 61 },
      'INVALID_INPUT',
      breaks(`denomination must be one that ${GAME} has: 60, 325`),
    ],
    [
      { ...fromDatabase, gameId: 'game_id_2' },
      'CODE_OVERRIDE_REQUIRED',
      breaks('codeOverride is required for game_id_2, which has no code database: send the code to redeem'),
    ],
  ])('%j is refused before anything is begun, recorded or charged', async (request, code, message) => {
    await expect(t.core.redeem(t.actor, request)).rejects.toMatchObject({ code, message });
    await expect(t.core.beginRedemption(t.actor, request)).rejects.toMatchObject({ code, message });
    expect([t.core.receipts.list(t.actor, {}), used(), t.platform.orders]).toEqual([[], 0, []]);
  });
});

test('a role that was lost since the order was taken up spends nothing, and what it began is still told', async () => {
  const { members } = await openTestAccount(t.store);
  const { owner, operator } = members;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: owner.accountId, days: 3 });
  const order = (key: string) => ({
    gameId: 'game_id_2',
    playerId: PLAYER,
    code: makeCode(),
    idempotencyKey: { scope: 'chat' as const, key },
  });
  const first = order('first');
  const begun = await t.core.beginRedemption(operator, first);
  await t.core.members.changeRole(owner, operator.telegramId, 'support');
  await expect(t.core.beginRedemption(operator, order('second'))).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await t.core.beginRedemption(operator, first)).toEqual({ ...begun, replayed: true });
  const denied = await Promise.allSettled([
    t.core.findCharacter(operator, { gameId: 'game_id_2', playerId: PLAYER }),
    t.core.findRedemptionTime(operator, { gameId: 'game_id_2', code: first.code }),
  ]);
  const forbidden = { status: 'rejected', reason: { code: 'FORBIDDEN' } };
  expect(denied).toMatchObject([forbidden, forbidden]);
  await t.core.members.remove(owner, operator.telegramId);
  await expect(t.core.beginRedemption(operator, order('third'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(t.core.receipts.list(owner, {})).toHaveLength(1);
  expect(t.core.quota(owner).daily.used).toBe(1);
});

describe('from the database', () => {
  test('the oldest code is redeemed, and the receipt tells all of it', async () => {
    const codes = [makeCode(), makeCode()];
    await add(codes);
    const receipt = await redeem();
    expect(receipt).toMatchObject({
      state: 'redeemed',
      code: codes[0],
      playerName: `Player ${PLAYER}`,
      warning: false,
      amount: 60,
      credentials: { email: `${codes[0]}@example.test`, password: `pw-${codes[0]}` },
    });
    expect(available()).toBe(1);
    expect(used()).toBe(1);
    expect(t.core.receipts.find(t.actor, receipt.id)).toMatchObject(receipt);
  });

  test('what waits to tell what it has come to is let go in that transaction: in doubt, then at its end', async () => {
    await add([makeCode('LOST')]);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
    const tell = ({ id }: { id: number }) =>
      t.store.write(({ tasks }) =>
        tasks.add({ task: 'told', queue: 'q', payload: '', waitsFor: `redemption:${id}`, now: 0 }),
      );
    const next = () => t.store.read(({ tasks }) => tasks.findFirst('q'));
    let states: unknown;
    const doubt = await redeem({
      inTransaction: ({ tasks, redemptions }, { redemptionId }) => {
        tasks.add({ task: 'told', queue: 'q', payload: '', waitsFor: `redemption:${redemptionId}`, now: 0 });
        states = [redemptions.get(redemptionId).state, tasks.findFirst('q')];
      },
    });
    const told = next()?.id ?? 0;
    expect([states, doubt.state, told > 0]).toEqual([['pending', undefined], 'in_doubt', true]);
    await t.store.write(({ tasks }) => [
      tasks.lock(told, 0),
      tasks.continue(told, '', `redemption:${doubt.id}`),
    ]);
    expect(next()).toBeUndefined();
    for (const ms of [1_000, 4_000]) {
      t.clock.advance(ms);
      await t.core.settleDoubts();
    }
    expect(next()?.id).toBe(told);
    await t.store.write(({ tasks }) => tasks.finish(told, 0));
    await tell(doubt);
    expect(next()).toBeUndefined();
  });

  test('the last code goes to exactly one of fifty, and the others are not charged', async () => {
    await add([makeCode()]);
    const records = await Promise.all(Array.from({ length: 50 }, () => redeem()));
    expect(records.filter((record) => record.state === 'redeemed')).toHaveLength(1);
    expect(records.filter((record) => record.errorCode === 'NO_CODES_AVAILABLE')).toHaveLength(49);
    expect(t.platform.orders).toHaveLength(1);
    expect(used()).toBe(1);
  });

  test('without a full receipt there is a warning, and never in the session family', async () => {
    t.platform.script.findOrder = () => ({ status: 'notFound' });
    await add([makeCode()]);
    expect((await redeem()).warning).toBe(true);
    const session = await t.core.redeem(t.actor, { gameId: 'game_id_3', playerId: PLAYER, code: makeCode() });
    expect(recordOf(session).warning).toBe(false);
  });
});

describe('what a refusal means for code and usage', () => {
  const badRequestLimit = [
    { errorCode: 'CHARACTER_NOT_FOUND', asked: true, back: true, charged: 1 },
    { errorCode: 'CHARACTER_NOT_FOUND', asked: false, back: true, charged: 0 },
    { errorCode: 'INVALID_CODE', asked: true, back: false, charged: 1 },
    { errorCode: 'CODE_USED', asked: true, back: false, charged: 1 },
    { errorCode: 'NO_ACCOUNTS_AVAILABLE', asked: true, back: true, charged: 0 },
    { errorCode: 'LOGIN_FAILED', asked: true, back: true, charged: 0 },
    { errorCode: 'RISK_CONTROL', asked: true, back: true, charged: 1 },
    { errorCode: 'NETWORK_ERROR', asked: false, back: true, charged: 0 },
  ] as const;

  test.each(badRequestLimit)('$errorCode (asked: $asked)', async ({ errorCode, asked, back, charged }) => {
    t.platform.script.redeem = () => ({ status: 'refused', errorCode, message: 'no', asked });
    await add([makeCode()]);
    const record = await redeem();
    expect(record).toMatchObject({ state: 'failed', errorCode, codeReset: back });
    expect(available()).toBe(back ? 1 : 0);
    expect(used()).toBe(charged);
    expect((await direct(makeCode())).codeReset).toBe(false);
  });

  test('a malformed player or code is refused without asking, and not charged', async () => {
    await add([makeCode()]);
    expect((await redeem({ playerId: '12ab' })).errorCode).toBe('CHARACTER_NOT_FOUND');
    expect((await direct('too short')).errorCode).toBe('INVALID_CODE');
    expect(t.platform.orders).toHaveLength(0);
    expect(used()).toBe(0);
    expect(available()).toBe(1);
  });

  test('of something malformed 64 characters are kept', async () => {
    const request = { gameId: GAME, playerId: '1'.repeat(999), code: 'a-'.repeat(999) };
    expect(recordOf(await t.core.redeem(t.actor, request))).toMatchObject({
      playerId: '1'.repeat(64),
      code: 'a-'.repeat(32),
    });
  });
});

describe('a code that comes back refused for no fault of its own', () => {
  const refuse = (errorCode: 'LOGIN_FAILED' | 'RISK_CONTROL' | 'NETWORK_ERROR') => {
    t.platform.script.redeem = () => ({ status: 'refused', errorCode, message: '', asked: true });
  };

  test.each(['LOGIN_FAILED', 'RISK_CONTROL'] as const)(
    'after %s steps back: each redemption takes another one, and the oldest again when all were refused as often',
    async (errorCode) => {
      const codes = [makeCode(), makeCode(), makeCode()];
      await add(codes);
      refuse(errorCode);
      for (let turn = 0; turn < 7; turn += 1) await redeem();
      const sent = t.platform.orders.map(({ code }) => code);
      expect(sent).toEqual([...codes, ...codes, codes[0]]);
      delete t.platform.script.redeem;
      expect((await redeem()).code).toBe(codes[1]);
    },
  );

  test('after what has nothing to do with it stays where it was', async () => {
    const codes = [makeCode(), makeCode()];
    await add(codes);
    refuse('NETWORK_ERROR');
    expect([(await redeem()).code, (await redeem()).code]).toEqual([codes[0], codes[0]]);
  });

  test('and is claimed by a direct redemption steps back in the stock of its owner', async () => {
    const codes = [makeCode(), makeCode()];
    await add(codes);
    refuse('RISK_CONTROL');
    await direct(codes[0] ?? '', await t.openAccount());
    expect((await redeem()).code).toBe(codes[1]);
  });
});

describe('a code has one live attempt', () => {
  test('a direct code that was redeemed is CODE_USED, one under way UNKNOWN; neither is sent or charged', async () => {
    const code = makeCode();
    let finish: (() => void) | undefined;
    t.platform.script.redeem = (order) =>
      new Promise((resolve) => (finish = () => resolve(t.platform.redeemNow(order))));
    const first = direct(code);
    const other = await t.openAccount();
    await t.platform.arrived();
    expect((await direct(code, other)).errorCode).toBe('UNKNOWN');
    finish?.();
    expect((await first).state).toBe('redeemed');
    expect((await direct(code, other)).errorCode).toBe('CODE_USED');
    expect(t.platform.orders).toHaveLength(1);
    expect(used(other)).toBe(0);
  });

  test('a direct code that lies in a database is claimed there, whoever owns it', async () => {
    const [code] = [makeCode()];
    const other = await t.openAccount();
    await add([code], other);
    expect((await direct(code)).state).toBe('redeemed');
    expect(available(other)).toBe(0);
    expect((await redeem({}, other)).errorCode).toBe('NO_CODES_AVAILABLE');
  });

  test('a claimed code returns to its owner when the direct redemption fails', async () => {
    const code = makeCode();
    const other = await t.openAccount();
    await add([code], other);
    t.platform.script.redeem = () => ({
      status: 'refused',
      errorCode: 'RISK_CONTROL',
      message: '',
      asked: true,
    });
    expect(await direct(code)).toMatchObject({ state: 'failed', codeReset: false });
    expect(available(other)).toBe(1);
  });
});

describe('unknown', () => {
  // Given up soon, where nothing else is measured by it: a busy machine may take longer to answer at all.
  beforeEach(async () => {
    await t.close();
    t = await openTestCore({ platformTimeoutMs: 200 });
  });

  test.each([
    ['no answer in time', () => new Promise<never>(() => undefined), 'UNKNOWN'],
    ['a throw', () => Promise.reject(new Error('boom')), 'UNKNOWN'],
    [
      'an unreadable answer',
      () => ({ status: 'unknown', errorCode: 'INVALID_ACTIVATION_RESPONSE', message: '?' }) as const,
      'INVALID_ACTIVATION_RESPONSE',
    ],
  ])('%s leaves the code held and the usage charged', async (_, script, errorCode) => {
    t.platform.script.redeem = script;
    await add([makeCode()]);
    expect(await redeem()).toMatchObject({ state: 'in_doubt', errorCode, codeReset: false });
    expect(available()).toBe(0);
    expect(used()).toBe(1);
  });

  test('the code of a doubt is never given to another request', async () => {
    t.platform.script.redeem = () => new Promise<never>(() => undefined);
    await add([makeCode()]);
    await redeem();
    expect((await redeem()).errorCode).toBe('NO_CODES_AVAILABLE');
  });
});

describe('idempotency keys', () => {
  const key = { scope: 'http', key: 'order-1' } as const;

  test('the same key with the same request is one redemption, however many ask at once', async () => {
    await add([makeCode(), makeCode()]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => t.core.redeem(t.actor, { ...fromDatabase, idempotencyKey: key })),
    );
    const ids = new Set(answers.map((answer) => recordOf(answer).id));
    expect(ids.size).toBe(1);
    expect(answers.filter((answer) => answer.status === 'answered' && !answer.replayed)).toHaveLength(1);
    expect(used()).toBe(1);
    expect(t.platform.orders).toHaveLength(1);
  });

  test.each([
    // What is left until the answer passes in truth: a second, and not a millisecond.
    ['in time frees the key', 54_000, false],
    ['after the last moment for an answer does not: somebody was told that it is in doubt', 55_000, true],
  ])('a refusal without a usage %s', async (_name, tookMs, isReplayed) => {
    t.platform.script.redeem = () => {
      t.clock.advance(tookMs);
      return { status: 'refused', errorCode: 'NO_ACCOUNTS_AVAILABLE', message: '', asked: true };
    };
    await add([makeCode()]);
    const first = await redeem({ idempotencyKey: key });
    // On a machine that is busy it is told as in doubt first, as it may be.
    await t.until(() => t.core.receipts.find(t.actor, first.id)?.tookMs === tookMs);
    expect((await redeem({ idempotencyKey: key })).id === first.id).toBe(isReplayed);
  });

  test('the replay tells what is true now: in doubt, then settled', async () => {
    t.platform.script.redeem = (order) => {
      t.platform.redeemNow(order);
      return { status: 'unknown', errorCode: 'UNKNOWN', message: 'late' };
    };
    await add([makeCode()]);
    expect((await redeem({ idempotencyKey: key })).state).toBe('in_doubt');
    t.clock.advance(1_000);
    await t.core.settleDoubts();
    expect((await redeem({ idempotencyKey: key })).state).toBe('redeemed');
    expect(used()).toBe(1);
  });

  test('a key is the account’s own, and an answer that began nothing leaves it unused', async () => {
    const broke = await t.openAccount({ days: 0 });
    await expect(redeem({ idempotencyKey: key }, broke)).rejects.toMatchObject({
      code: 'SUBSCRIPTION_EXPIRED',
    });
    await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: broke.accountId, days: 1 });
    await add([makeCode()], broke);
    expect((await redeem({ idempotencyKey: key }, broke)).state).toBe('redeemed');
    expect((await redeem({ idempotencyKey: key })).errorCode).toBe('NO_CODES_AVAILABLE');
  });
});

describe('quota', () => {
  test('after 300 the next is refused with the seconds until there is room; purchased ones are used then', async () => {
    const rich = await t.openAccount({ purchased: 1 });
    await add(
      Array.from({ length: 303 }, () => makeCode()),
      rich,
    );
    const tries = () => t.core.redeem(rich, fromDatabase);
    // A few at a time: where all wait at once, a slow machine rightly refuses some of them.
    for (let begun = 0; begun < 300; begun += 30) await Promise.all(Array.from({ length: 30 }, tries));
    expect(t.core.quota(rich)).toMatchObject({ daily: { used: 300, remaining: 0 }, purchased: 1 });
    expect((await tries()).status).toBe('answered');
    expect(t.core.quota(rich).purchased).toBe(0);
    expect(await tries()).toEqual({ status: 'quotaExceeded', retryAfterSeconds: 86_400 });
    t.clock.advance(DAY_MS - 1);
    expect(await tries()).toEqual({ status: 'quotaExceeded', retryAfterSeconds: 1 });
    t.clock.advance(1);
    expect((await tries()).status).toBe('answered');
    expect(available(rich)).toBe(1);
  });
});
