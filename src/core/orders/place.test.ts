// What is accepted, and what a key stands for: nothing carries orders out here, they stay as they are placed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { DAY_MS, HOUR_MS } from '../../clock.ts';
import type { AccountActor, OrderRequest } from '../index.ts';
import { DAILY_LIMIT_QUARTERS } from '../quota/usage.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

const GAME = 'game_id_1';
let keys = 0;
const key = (name = `key-${(keys += 1)}`) => ({ scope: 'http', key: name }) as const;
const sixty = (count: number) => ({ denomination: 60, count });
const stock = (denomination: number, count: number, gameId = GAME, actor = t.actor) =>
  t.core.codes.add(actor, gameId, [{ denomination, codes: Array.from({ length: count }, () => makeCode()) }]);

const place = (asked: Partial<OrderRequest>, actor: AccountActor = t.actor) =>
  t.core.orders.place(actor, {
    ...{ gameId: GAME, playerId: '5170925570', onShortage: 'refuse', onBadCode: 'replace' },
    ...(asked.amount === undefined && { items: [sixty(1)] }),
    ...{ idempotencyKey: key(), ...asked },
  });
const placed = async (...asked: Parameters<typeof place>) => {
  const answer = await place(...asked);
  if (answer.status !== 'placed') throw new Error(answer.status);
  return answer;
};
const refusedFor = (asked: Partial<OrderRequest>) =>
  place(asked).then(
    ({ status }) => status,
    (error: { code: string }) => error.code,
  );

describe('under one key', () => {
  const CODES = [makeCode(), makeCode()] as const;
  const soon = () => t.clock.now() + HOUR_MS;
  const ASKED: Partial<OrderRequest> = { items: [sixty(2)], onShortage: 'wait', reference: 'INV-1' };
  const GIVEN: Partial<OrderRequest> = {
    ...ASKED,
    gameId: 'game_id_2',
    items: [{ code: CODES[0] }, { code: CODES[1] }],
  };

  test.each<[string, Partial<OrderRequest>, () => Partial<OrderRequest>]>([
    ['another game', ASKED, () => ({ gameId: 'game_id_4' })],
    ['another player', ASKED, () => ({ playerId: '5170925571' })],
    ['another denomination', ASKED, () => ({ items: [{ denomination: 325, count: 2 }] })],
    ['another count', ASKED, () => ({ items: [sixty(3)] })],
    ['one more denomination', ASKED, () => ({ items: [sixty(2), { denomination: 325, count: 1 }] })],
    ['an amount', ASKED, () => ({ items: undefined, amount: 120 })],
    ['another amount', { ...ASKED, items: undefined, amount: 120 }, () => ({ amount: 180 })],
    ['other terms of shortage', ASKED, () => ({ onShortage: 'refuse' })],
    ['other terms of bad codes', ASKED, () => ({ onBadCode: 'stop' })],
    ['a deadline', ASKED, () => ({ deadline: soon() })],
    ['another reference', ASKED, () => ({ reference: 'INV-2' })],
    ['no reference', ASKED, () => ({ reference: undefined })],
    ['another code', GIVEN, () => ({ items: [{ code: CODES[0] }, { code: makeCode() }] })],
    ['a code less', GIVEN, () => ({ items: [{ code: CODES[0] }] })],
    ['its codes the other way round', GIVEN, () => ({ items: [{ code: CODES[1] }, { code: CODES[0] }] })],
  ])('%s is another request', async (_, asked, other) => {
    await stock(60, 2);
    const idempotencyKey = key();
    const { order } = await placed({ ...asked, idempotencyKey });
    expect(await refusedFor({ ...asked, ...other(), idempotencyKey })).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await place({ ...asked, idempotencyKey })).toMatchObject({
      replayed: true,
      order: { id: order.id },
    });
    expect(t.core.orders.list(t.actor, {})).toHaveLength(1);
  });

  test('the same, sent fifty times at once or otherwise written, is one order; in another account another', async () => {
    const idempotencyKey = key();
    const answers = await Promise.all(Array.from({ length: 50 }, () => place({ ...GIVEN, idempotencyKey })));
    expect(answers.filter((each) => each.status === 'placed' && !each.replayed)).toHaveLength(1);
    const [first] = answers;
    const id = first?.status === 'placed' && first.order.id;
    const written = { playerId: '５１７０９２５５７０', playerName: 'Nick', idempotencyKey };
    const grouped = [{ code: CODES[0].replace(/(.{4})(?=.)/g, '$1-') }, { code: CODES[1] }];
    expect(await place({ ...GIVEN, ...written, items: grouped })).toMatchObject({
      replayed: true,
      order: { id },
    });
    const { order } = await placed({ ...ASKED, idempotencyKey }, await t.openAccount());
    expect(order.id).not.toBe(id);
  });

  test('it is told after its deadline, and none is begun so late', async () => {
    const asked = { ...ASKED, deadline: soon(), idempotencyKey: key() };
    const { order } = await placed(asked);
    t.clock.advance(HOUR_MS);
    expect(await place(asked)).toMatchObject({ replayed: true, order: { id: order.id } });
    expect(await refusedFor({ ...asked, idempotencyKey: key() })).toBe('INVALID_INPUT');
  });

  test('it is kept for 30 days after its end', async () => {
    const idempotencyKey = key();
    const { order } = await placed({ ...ASKED, idempotencyKey });
    t.clock.advance(40 * DAY_MS);
    await t.store.write(({ accounts }) =>
      accounts.extendSubscription(t.actor.accountId, 90 * DAY_MS, t.clock.now()),
    );
    expect(await place({ ...ASKED, idempotencyKey })).toMatchObject({ replayed: true });
    await t.core.orders.cancel(t.actor, order.id);
    t.clock.advance(30 * DAY_MS - 1);
    expect(await place({ ...ASKED, idempotencyKey })).toMatchObject({
      replayed: true,
      order: { state: 'cancelled' },
    });
    t.clock.advance(1);
    expect(await place({ ...ASKED, idempotencyKey })).toMatchObject({ replayed: false });
  });
});

describe('an amount', () => {
  test.each<[string, Partial<OrderRequest>, Record<number, number>, object]>([
    ['of the fewest codes', { amount: 300 }, { 60: 5, 100: 3 }, { wanted: { codes: 3, amount: 300 } }],
    ['of what is there', { amount: 300 }, { 60: 5 }, { wanted: { codes: 5, amount: 300 } }],
    [
      'of what is there, though it waits',
      { amount: 300, onShortage: 'wait' },
      { 60: 5 },
      { wanted: { codes: 5 } },
    ],
    [
      'of all there are, where it waits',
      { amount: 300, onShortage: 'wait' },
      { 60: 4 },
      { wanted: { codes: 3 } },
    ],
    [
      'with the nearest beside it',
      { amount: 150 },
      { 60: 3, 100: 1 },
      { status: 'noComposition', below: 120, above: 160 },
    ],
    ['of nothing at all', { amount: 60 }, {}, { status: 'noComposition' }],
  ])('is composed %s', async (_, asked, counts, told) => {
    for (const [denomination, count] of Object.entries(counts))
      await stock(Number(denomination), count, 'game_id_4');
    const answer = await place({ gameId: 'game_id_4', ...asked });
    expect(answer.status === 'placed' ? answer.order : answer).toMatchObject(told);
  });

  test('is composed of nothing that is paused or promised', async () => {
    await stock(100, 3, 'game_id_4');
    await stock(60, 10, 'game_id_4');
    const stockKey = { accountId: t.actor.accountId, gameId: 'game_id_4', denomination: 100 };
    await t.store.write(({ stockPauses }) => (stockPauses.refuse(stockKey), stockPauses.pause(stockKey, 1)));
    const order = () => placed({ gameId: 'game_id_4', amount: 300 });
    expect([(await order()).order.wanted.codes, (await order()).order.wanted.codes]).toEqual([5, 5]);
    expect(await place({ gameId: 'game_id_4', amount: 300 })).toEqual({ status: 'noComposition' });
  });
});

describe('nothing is begun', () => {
  const spend = (left: number) =>
    t.store.write(({ quota }) => {
      const at = t.clock.monotonicNow();
      const [start, daily] = [at - DAY_MS, DAILY_LIMIT_QUARTERS - 4 * left];
      quota.roll(t.actor.accountId, start);
      quota.book({ accountId: t.actor.accountId, at, start, daily, purchased: 0, kind: 'redeem' });
    });

  test('where some of it is not there, of each denomination, whatever another account or game has', async () => {
    await stock(60, 2);
    await stock(60, 9, 'game_id_4');
    await stock(60, 9, GAME, await t.openAccount());
    expect(await place({ items: [sixty(2), { denomination: 325, count: 3 }, sixty(1)] })).toEqual({
      status: 'notEnoughStock',
      missing: [
        { denomination: 60, count: 1 },
        { denomination: 325, count: 3 },
      ],
    });
    await placed({ items: [sixty(1)] });
    expect(await place({ items: [sixty(2)] })).toMatchObject({ missing: [{ denomination: 60, count: 1 }] });
    await t.store.write(({ stockPauses }) => {
      const stockKey = { accountId: t.actor.accountId, gameId: GAME, denomination: 60 };
      return (stockPauses.refuse(stockKey), stockPauses.pause(stockKey, 1));
    });
    expect(await place({ items: [sixty(1)] })).toMatchObject({ missing: [{ denomination: 60, count: 1 }] });
    expect(t.core.orders.list(t.actor, {})).toHaveLength(1);
  });

  test('of 200 orders of three at once over a stock of 300 beyond the hundredth', async () => {
    const rich = await t.openAccount({ purchased: 1_000 });
    await stock(60, 300, GAME, rich);
    const each = Array.from({ length: 200 }, (_, n) =>
      place({ items: [sixty(3)], playerId: `${51_000 + n}` }, rich),
    );
    const answers = await Promise.all(each);
    expect(answers.filter(({ status }) => status === 'placed')).toHaveLength(100);
    expect(t.core.codes.countAvailable(rich, GAME).get(60)).toBe(0);
  });

  test('where there is no quota for all of it, unless it waits', async () => {
    t.allowDrift();
    await stock(60, 3);
    await spend(2);
    expect(await place({ items: [sixty(3)] })).toMatchObject({ status: 'quotaExceeded' });
    expect(await place({ items: [sixty(2)] })).toMatchObject({ status: 'placed' });
    expect(await place({ items: [sixty(3)], onShortage: 'wait' })).toMatchObject({ status: 'placed' });
  });

  test.each<[string, Partial<OrderRequest>]>([
    [
      'the same code twice',
      { gameId: 'game_id_2', items: [{ code: '60SABCDEFGHIJK' }, { code: '60SABCDEFGHIJK' }] },
    ],
    [
      'the same twice, in groups',
      { gameId: 'game_id_2', items: [{ code: '60SABCDEFGHIJK' }, { code: '60SA-BCDE-FGHI-JK' }] },
    ],
    ['a malformed code', { gameId: 'game_id_2', items: [{ code: 'x' }] }],
    ['more than 50 codes', { items: [sixty(50), sixty(1)] }],
    ['no codes', { items: [] }],
    ['items and an amount', { items: [sixty(1)], amount: 60 }],
    ['an amount without a database', { gameId: 'game_id_2', amount: 60 }],
    ['a game that is not there', { gameId: 'game_id_9' }],
    ['a malformed player', { playerId: '1234' }],
    ['a deadline that is now', { deadline: 0 }],
    ['a deadline in more than 7 days', { deadline: Number.MAX_SAFE_INTEGER }],
  ])('of %s', async (_, asked) => {
    expect(await refusedFor({ onShortage: 'wait', ...asked })).toBe('INVALID_INPUT');
  });

  test('without a subscription', async () => {
    const actor = await t.openAccount({ days: 0 });
    await expect(place({ onShortage: 'wait' }, actor)).rejects.toMatchObject({
      code: 'SUBSCRIPTION_EXPIRED',
    });
  });

  test('beyond a thousand of an account that have not ended', async () => {
    await t.store.write(({ orders }) => {
      for (let n = 1; n < 1_000; n += 1) {
        const name = `ord_${n}`;
        const id = orders.insert({
          ...{ name, accountId: t.actor.accountId, actor: 'apiKey:1', gameId: GAME, playerId: '5170925570' },
          ...{ playerName: null, reference: null, onShortage: 'wait', onBadCode: 'stop', deadline: null },
          ...{ key: name, now: 0 },
        });
        if (n % 2) orders.wait({ id, name }, { waitsFor: 'stock', since: 0, failures: 0 });
      }
    });
    const { order } = await placed({ onShortage: 'wait' });
    expect(await place({ onShortage: 'wait' })).toEqual({ status: 'tooManyOrders' });
    await placed({ onShortage: 'wait' }, await t.openAccount());
    await t.core.orders.cancel(t.actor, order.id);
    await placed({ onShortage: 'wait' });
  });
});
