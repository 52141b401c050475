// Who is promised what of the stock, and that nobody is looked for in vain.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../test/harness/core.ts';
import { promiseStock } from './promises.ts';

const GAME = 'game_id_1';
let t: TestCore;
let keys = 0;

beforeEach(async () => {
  // Nothing carries orders out: they stay as they are placed.
  t = await openTestCore();
});
afterEach(() => t.close());

const stock = (count: number) =>
  t.core.codes.add(t.actor, GAME, [
    { denomination: 60, codes: Array.from({ length: count }, () => makeCode()) },
  ]);

/** What is promised to it: how many, and of which kind. */
async function place(count: number, onShortage: 'wait' | 'refuse'): Promise<() => number[]> {
  const answer = await t.core.orders.place(t.actor, {
    ...{ gameId: GAME, playerId: '5170925570', items: [{ denomination: 60, count }] },
    ...{ onShortage, onBadCode: 'replace' },
    idempotencyKey: { scope: 'http', key: `key-${(keys += 1)}` },
  });
  if (answer.status !== 'placed') throw new Error(answer.status);
  const { id } = answer.order;
  return () =>
    t.store.read(({ orders, orderItems }) =>
      orderItems.list(orders.findByName(id)?.id ?? 0).map(({ promised }) => promised),
    );
}

test('those that wait, however many, stand in the way of nobody who may have the other half', async () => {
  const waiting = await place(9, 'wait');
  expect(waiting().filter(Boolean)).toEqual([]);
  await stock(4);
  expect(waiting().filter(Boolean)).toEqual([2, 2]);
  const atOnce = await place(2, 'refuse');
  expect(atOnce()).toEqual([1, 1]);
  await stock(2);
  expect(waiting().filter(Boolean)).toEqual([2, 2, 2]);
});

test('where there is nothing to give nobody is looked for', async () => {
  const { listWanting, listImpatient } = t.store.read(({ orderItems }) => ({
    listWanting: vi.spyOn(orderItems, 'listWanting'),
    listImpatient: vi.spyOn(orderItems, 'listImpatient'),
  }));
  await place(50, 'wait');
  await place(50, 'wait');
  await stock(1);
  listWanting.mockClear();
  await place(50, 'wait');
  const stockKey = { accountId: t.actor.accountId, gameId: GAME, denomination: 60 };
  await t.store.write((tables) => promiseStock(tables, stockKey, t.clock.now()));
  expect([listWanting.mock.calls, listImpatient.mock.calls]).toEqual([[], []]);
});
