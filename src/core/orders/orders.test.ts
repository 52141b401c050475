// Orders over the real core: what is accepted, what each outcome does, and that every code is begun once, whatever ends the process.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DAY_MS, makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import { HOUR_MS } from '../../clock.ts';
import { UNREACHED } from '../../../test/harness/platform.ts';
import type { OrderRequest } from '../index.ts';
import type { RefusalCode } from '../../platform/port.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
  await t.core.start();
});
afterEach(() => t.close());

const GAME = 'game_id_1';
const HOST = { kind: 'host', by: 'cli' } as const;
const PLAYER = '5170925570';
let keys = 0;

const stock = (denomination: number, count: number) => {
  const codes = Array.from({ length: count }, () => makeCode(`${denomination}S`));
  return t.core.codes.add(t.actor, GAME, [{ denomination, codes }]).then(() => codes);
};

const sixty = (count: number): Partial<OrderRequest> => ({ items: [{ denomination: 60, count }] });

function place(asked: Partial<OrderRequest>, actor = t.actor) {
  const key = { scope: 'http', key: `order-${(keys += 1)}` } as const;
  const terms = { onShortage: 'refuse', onBadCode: 'replace' } as const;
  return t.core.orders.place(actor, {
    gameId: GAME,
    playerId: PLAYER,
    ...terms,
    idempotencyKey: key,
    ...asked,
  });
}

async function placed(asked: Partial<OrderRequest>): Promise<string> {
  const answer = await place(asked);
  if (answer.status !== 'placed') throw new Error(`It was not placed: ${answer.status}.`);
  return answer.order.id;
}

const find = (id: string) => {
  const order = t.core.orders.find(t.actor, id);
  if (!order) throw new Error('The order is not there.');
  return order;
};
const comesTo = (id: string, state: string) => expect.poll(() => find(id).state).toBe(state);
const waitsFor = (id: string, what: string) => expect.poll(() => find(id).waitsFor).toBe(what);
const available = (denomination = 60) => t.core.codes.countAvailable(t.actor, GAME).get(denomination);

/** "Not redeemed" is final a while after it is first asked about. */
const settleDoubts = async () => {
  for (const _ of [1, 2]) {
    t.clock.advance(10_000);
    await t.core.settleDoubts();
  }
};

/** The platform refuses these codes. */
const refuse = (errorCode: RefusalCode, ...codes: (string | undefined)[]) => {
  t.platform.script.redeem = (order) =>
    codes.includes(order.code)
      ? { status: 'refused', errorCode, message: 'refused', asked: true }
      : t.platform.redeemNow(order);
};

describe('an order', () => {
  test('is accepted at once and ends with every code redeemed, one after another', async () => {
    await stock(60, 3);
    const id = await placed({ ...sixty(3), reference: 'INV-1001' });
    await comesTo(id, 'done');
    const { redeemed, wanted, items, endedAt, reference, playerName } = find(id);
    expect({ redeemed, wanted, reference }).toEqual({
      redeemed: { codes: 3, amount: 180 },
      wanted: { codes: 3, amount: 180 },
      reference: 'INV-1001',
    });
    expect([items.length, endedAt !== undefined, playerName]).toEqual([3, true, `Player ${PLAYER}`]);
    expect(t.platform.spent.size).toBe(3);
    expect(new Set(items.map(({ redemptionId }) => redemptionId)).size).toBe(3);
  });

  test('that gives back its promise arms the threshold of its stock again', async () => {
    await stock(60, 6);
    const stockKey = { accountId: t.actor.accountId, gameId: GAME, denomination: 60 };
    await t.store.write((tables) => tables.stock.setAlert({ ...stockKey, threshold: 5 }));
    t.platform.script.redeem = () => UNREACHED;
    const id = await placed(sixty(3));
    await waitsFor(id, 'platform');
    const notified = () => t.store.read(({ stock: levels }) => levels.readLevel(stockKey).notified);
    expect([available(), notified()]).toEqual([3, 1]);
    await t.core.orders.cancel(t.actor, id);
    expect([available(), notified()]).toEqual([6, 0]);
  });

  test('is told to whoever repeats its request after the deadline, and none is begun so late', async () => {
    const asked = {
      ...sixty(1),
      onShortage: 'wait',
      deadline: t.clock.now() + 60_000,
      idempotencyKey: { scope: 'http', key: 'payment-0' },
    } as const;
    const id = await placed(asked);
    await waitsFor(id, 'stock');
    t.clock.advance(120_000);
    expect(await place(asked)).toMatchObject({ status: 'placed', replayed: true, order: { id } });
    const late = place({ ...asked, idempotencyKey: { scope: 'http', key: 'late' } });
    await expect(late).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('under the same key is one order, however often it is sent, and another body is refused', async () => {
    await stock(60, 2);
    const idempotencyKey = { scope: 'http', key: 'payment-1' } as const;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => place({ ...sixty(1), idempotencyKey })),
    );
    const ids = new Set(answers.map((each) => each.status === 'placed' && each.order.id));
    expect([ids.size, answers.filter((each) => each.status === 'placed' && !each.replayed).length]).toEqual([
      1, 1,
    ]);
    await expect(place({ ...sixty(2), idempotencyKey })).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    const [id] = ids;
    await comesTo(String(id), 'done');
    expect(t.platform.spent.size).toBe(1);
  });

  test('of an amount is composed of the fewest codes; with no such sum the nearest are told', async () => {
    await stock(60, 3);
    await stock(325, 1);
    const found = await place({ amount: 445 });
    expect(found.status === 'placed' && found.order.items.map(({ denomination }) => denomination)).toEqual([
      325, 60, 60,
    ]);
    expect(await place({ amount: 100 })).toEqual({ status: 'noComposition', below: 60 });
    const waits = await place({ amount: 385, onShortage: 'wait' });
    expect(waits.status === 'placed' && waits.order.wanted).toEqual({ codes: 2, amount: 385 });
  });

  test('is refused where stock or quota for all of it is not there, and nothing is begun', async () => {
    t.allowDrift();
    await stock(60, 2);
    expect(await place(sixty(3))).toEqual({
      status: 'notEnoughStock',
      missing: [{ denomination: 60, count: 1 }],
    });
    await t.store.write((tables) => {
      tables.quota.roll(t.actor.accountId, t.clock.monotonicNow() - DAY_MS);
      for (let n = 0; n < 299; n += 1)
        tables.quota.book({
          ...{
            accountId: t.actor.accountId,
            at: t.clock.monotonicNow(),
            start: t.clock.monotonicNow() - DAY_MS,
          },
          ...{ daily: 4, purchased: 0, kind: 'redeem' },
        });
    });
    expect(await place(sixty(2))).toMatchObject({ status: 'quotaExceeded' });
    expect((await place(sixty(1))).status).toBe('placed');
  });

  test('what is promised to it nobody else takes, sees or hands out', async () => {
    await stock(60, 3);
    t.platform.script.redeem = () => new Promise(() => undefined);
    await placed(sixty(3));
    expect(available()).toBe(0);
    const other = await t.core.redeem(t.actor, { gameId: GAME, playerId: '5170925571', denomination: 60 });
    expect(other).toMatchObject({ redemption: { errorCode: 'NO_CODES_AVAILABLE' } });
    expect(await place(sixty(1))).toMatchObject({ status: 'notEnoughStock' });
    const taken = await t.core.codes.extract(t.actor, { gameId: GAME, denomination: 60, amount: 5 });
    expect(taken.codes).toEqual([]);
  });

  test('and nobody is told that none is left while it is taken and there is one', async () => {
    await stock(60, 3);
    await comesTo(await placed(sixty(2)), 'done');
    const waiting = { queue: 'notices', task: 'announce', priority: 0 };
    expect(t.store.read(({ tasks }) => tasks.listLike(waiting, 9))).toEqual([]);
    expect(available()).toBe(1);
  });

  test('200 orders of three at once over a stock of 300: 100 are accepted, and all of these are done', async () => {
    const rich = await t.openAccount({ purchased: 1_000 });
    const codes = Array.from({ length: 300 }, () => makeCode());
    await t.core.codes.add(rich, GAME, [{ denomination: 60, codes }]);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        place({ ...sixty(3), playerId: String(5_170_925_570 + n) }, rich),
      ),
    );
    const ids = answers.flatMap((each) => (each.status === 'placed' ? [each.order.id] : []));
    expect(ids).toHaveLength(100);
    const isDone = (id: string) => t.core.orders.find(rich, id)?.state === 'done';
    await expect.poll(() => ids.every(isDone)).toBe(true);
    expect(t.platform.spent.size).toBe(300);
  });
});

describe('an order that waits', () => {
  test('for stock goes on when codes are added, the oldest first', async () => {
    const first = await placed({ ...sixty(2), onShortage: 'wait' });
    const second = await placed({ ...sixty(1), onShortage: 'wait', playerId: '5170925571' });
    await waitsFor(first, 'stock');
    await waitsFor(second, 'stock');
    await stock(60, 2);
    await comesTo(first, 'done');
    expect(find(second).state).toBe('waiting');
    await stock(60, 1);
    await comesTo(second, 'done');
  });

  test('is over at its deadline, with what is missing', async () => {
    const id = await placed({ ...sixty(2), onShortage: 'wait', deadline: t.clock.now() + 60_000 });
    await waitsFor(id, 'stock');
    t.clock.advance(61_000);
    await comesTo(id, 'stopped');
    expect(find(id)).toMatchObject({ reason: 'NOT_ENOUGH_STOCK', missing: [{ denomination: 60, count: 2 }] });
  });

  test('for the platform is tried again with growing pauses, for an hour', async () => {
    await stock(60, 1);
    t.platform.script.redeem = () => ({
      status: 'refused',
      errorCode: 'NETWORK_ERROR',
      message: 'down',
      asked: false,
    });
    const id = await placed(sixty(1));
    // An upstream that rests is not asked, and that is the same trouble.
    const countTried = () => t.core.receipts.list(t.actor, {}).length;
    for (const [index, pause] of [5_000, 15_000, 60_000, 300_000].entries()) {
      await expect.poll(countTried).toBe(index + 1);
      await waitsFor(id, 'platform');
      t.clock.advance(pause);
    }
    await expect.poll(countTried).toBe(5);
    await waitsFor(id, 'platform');
    delete t.platform.script.redeem;
    t.clock.advance(600_000);
    await comesTo(id, 'done');
  });

  test('that nobody takes is tried again like one that fails', async () => {
    await stock(60, 1);
    const [{ name } = { name: '' }] = t.core.upstreams.list(HOST);
    await t.core.upstreams.pause(HOST, name, 'No balance.');
    const id = await placed(sixty(1));
    await waitsFor(id, 'platform');
    await t.core.upstreams.resume(HOST, name);
    t.clock.advance(5_000);
    await comesTo(id, 'done');
  });

  test('for the platform for longer than an hour is stopped', async () => {
    await stock(60, 1);
    t.platform.script.redeem = () => ({
      status: 'refused',
      errorCode: 'NETWORK_ERROR',
      message: 'down',
      asked: false,
    });
    const id = await placed(sixty(1));
    await waitsFor(id, 'platform');
    t.clock.advance(61 * 60_000);
    await comesTo(id, 'stopped');
    expect([find(id).reason, available()]).toEqual(['NETWORK_ERROR', 1]);
  });
});

describe('what an outcome does', () => {
  test('a bad code of the stock is followed by the next one, where another player has it', async () => {
    const [bad] = await stock(60, 3);
    t.platform.spent.set(String(bad), { playerId: '5999999999', redeemedAt: 0 });
    const id = await placed(sixty(2));
    await comesTo(id, 'done');
    expect(find(id).redeemed.codes).toBe(2);
  });

  test('a used code that nobody is known to have smells of a doubt: the order stops', async () => {
    const [bad] = await stock(60, 3);
    refuse('CODE_USED', bad);
    t.platform.script.findCode = () => ({ status: 'unreachable', message: 'down' });
    const id = await placed(sixty(2));
    await comesTo(id, 'stopped');
    expect(find(id)).toMatchObject({ reason: 'DOUBT', missing: [{ denomination: 60, count: 2 }] });
    expect(available()).toBe(2);
  });

  test('more than three bad codes in one place stop it, and so does the first where none is replaced', async () => {
    const codes = await stock(60, 6);
    refuse('INVALID_CODE', ...codes.slice(0, 4));
    const id = await placed(sixty(1));
    await comesTo(id, 'stopped');
    expect([find(id).reason, t.platform.orders.length]).toEqual(['INVALID_CODE', 4]);
    refuse('INVALID_CODE', codes[4]);
    const other = await placed({ ...sixty(1), onBadCode: 'stop' });
    await comesTo(other, 'stopped');
    expect(t.platform.orders.length).toBe(5);
  });

  test('a player who is not there stops it, and the rest is free again', async () => {
    const [first] = await stock(60, 3);
    refuse('CHARACTER_NOT_FOUND', first);
    const id = await placed(sixty(3));
    await comesTo(id, 'stopped');
    expect([find(id).reason, available()]).toEqual(['CHARACTER_NOT_FOUND', 3]);
  });

  test('of codes that were given the bad ones fail, and the others go on', async () => {
    const codes = [makeCode(), makeCode(), makeCode()];
    refuse('INVALID_CODE', codes[1]);
    const id = await placed({ gameId: 'game_id_2', items: codes.map((code) => ({ code })) });
    await comesTo(id, 'stopped');
    const { reason, redeemed, failed, missing } = find(id);
    expect({ reason, codes: redeemed.codes, failed, missing }).toEqual({
      reason: 'ITEMS_FAILED',
      codes: 2,
      failed: 1,
      missing: [{ n: 2 }],
    });
  });

  test('a doubt is waited for; not redeemed is begun once more, redeemed is a receipt', async () => {
    await stock(60, 2);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'no answer' });
    const id = await placed(sixty(1));
    await waitsFor(id, 'doubt');
    expect(find(id)).toMatchObject({ open: 1, items: [{ state: 'inDoubt' }] });
    delete t.platform.script.redeem;
    await settleDoubts();
    await comesTo(id, 'done');
    expect([t.platform.spent.size, t.platform.orders.length]).toEqual([1, 2]);
  });

  test('a code whose every answer is lost lets those behind it pass, and is not tried beyond the hour', async () => {
    const [lost] = await stock(60, 2);
    t.platform.script.redeem = (order) =>
      order.code === lost
        ? { status: 'unknown', errorCode: 'UNKNOWN', message: 'no answer' }
        : t.platform.redeemNow(order);
    const id = await placed(sixty(1));
    for (const begun of [1, 2]) {
      await expect.poll(() => t.platform.orders.length).toBe(begun);
      await waitsFor(id, 'doubt');
      await settleDoubts();
    }
    await comesTo(id, 'done');
    expect([t.platform.orders.length, available()]).toEqual([3, 1]);

    const late = await placed(sixty(1));
    await waitsFor(late, 'doubt');
    t.clock.advance(HOUR_MS);
    await settleDoubts();
    await comesTo(late, 'stopped');
    expect(find(late)).toMatchObject({ reason: 'DOUBT', missing: [{ denomination: 60, count: 1 }] });
  });

  test('a doubt that ends as used stops it, as a doubt', async () => {
    const [code] = await stock(60, 2);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'no answer' });
    const id = await placed(sixty(2));
    await waitsFor(id, 'doubt');
    t.platform.spent.set(String(code), { playerId: '5999999999', redeemedAt: 0 });
    t.clock.advance(10_000);
    await t.core.settleDoubts();
    await comesTo(id, 'stopped');
    expect(find(id)).toMatchObject({ reason: 'DOUBT', redeemed: { codes: 0 } });
  });
});

describe('cancel and resume', () => {
  test('a cancelled one begins nothing more, and ends when nothing of it is open', async () => {
    await stock(60, 3);
    t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'no answer' });
    const id = await placed(sixty(3));
    await waitsFor(id, 'doubt');
    expect(await t.core.orders.cancel(t.actor, id)).toMatchObject({ state: 'waiting' });
    expect(available()).toBe(2);
    await settleDoubts();
    await comesTo(id, 'cancelled');
    expect([find(id).missing, available()]).toEqual([[{ denomination: 60, count: 3 }], 3]);
    expect(await t.core.orders.cancel(t.actor, id)).toMatchObject({ state: 'cancelled' });
  });

  test('what is missing of a stopped one is begun once more, by whoever resumes it', async () => {
    const [first] = await stock(60, 3);
    refuse('RISK_CONTROL', first);
    const id = await placed(sixty(2));
    await comesTo(id, 'stopped');
    delete t.platform.script.redeem;
    const request = { idempotencyKey: { scope: 'http', key: 'resume-1' } } as const;
    expect(await t.core.orders.resume(t.actor, id, request)).toMatchObject({
      status: 'resumed',
      order: { run: 2 },
    });
    expect(await t.core.orders.resume(t.actor, id, request)).toMatchObject({ replayed: true });
    await comesTo(id, 'done');
    expect(
      await t.core.orders.resume(t.actor, id, { idempotencyKey: { scope: 'http', key: 'resume-2' } }),
    ).toEqual({
      status: 'notStopped',
    });
  });
});

test('whatever it waits for, a restart goes on with it', async () => {
  const id = await placed({ ...sixty(2), onShortage: 'wait' });
  await waitsFor(id, 'stock');
  await t.core.stop(0);
  const next = t.restart();
  await next.start();
  await next.codes.add(t.actor, GAME, [{ denomination: 60, codes: [makeCode(), makeCode()] }]);
  await expect.poll(() => next.orders.find(t.actor, id)?.state).toBe('done');
});

test('readers are answered as soon as something changes', async () => {
  const id = await placed({ ...sixty(1), onShortage: 'wait' });
  await waitsFor(id, 'stock');
  const reader = t.core.orders.waitForChange(t.actor, id, 50_000);
  await stock(60, 1);
  expect(await reader).toBeDefined();
});
