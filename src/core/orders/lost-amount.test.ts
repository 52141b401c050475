// An order of an amount that a takeover has lost, and that is repeated.
import { expect, test } from 'vitest';

import { ANN, useLosingShop } from '../../../test/harness/losing-shop.ts';

const t = useLosingShop();
const { takeOver, spentFor } = t;

/** An order of an amount, until it has ended. */
async function orderAmount(amount: number, key: string) {
  const request = {
    ...({ gameId: 'game_id_4', playerId: ANN, amount, onShortage: 'refuse', onBadCode: 'replace' } as const),
    idempotencyKey: { scope: 'http' as const, key },
  };
  const placed = await t.core.orders.place(t.actor, request);
  if (placed.status !== 'placed') return placed;
  await t.core.start();
  let { order } = placed;
  while (order.endedAt === undefined)
    order = (await t.core.orders.waitForChange(t.actor, order.id, 10_000)) ?? order;
  return order;
}

test.each([
  ['though the stock would make it of others', 5],
  ['though nothing is left in the stock', 0],
])('an amount that is repeated is composed of what was carried out for it, %s', async (_, others) => {
  const of = (denomination: number, count: number) => ({
    denomination,
    codes: Array.from({ length: count }, (_none, n) => `${denomination}G${String(n).padStart(13, '0')}`),
  });
  await t.core.codes.add(t.actor, 'game_id_4', [of(100, 3), of(60, others)]);
  await takeOver(() => orderAmount(300, 'one'));
  expect(spentFor(ANN)).toHaveLength(3);
  await expect(orderAmount(300, 'one')).rejects.toMatchObject({ code: 'OVERLOADED' });
  for (const denomination of [100, 60]) await t.goThrough({ gameId: 'game_id_4', denomination });
  expect(await orderAmount(300, 'one')).toMatchObject({ state: 'done', redeemed: { codes: 3 } });
  expect(spentFor(ANN)).toHaveLength(3);
  // Once: the next one is a new order.
  expect(await orderAmount(300, 'two')).toMatchObject(
    others > 0 ? { state: 'done', redeemed: { codes: 5 } } : { status: 'noComposition' },
  );
  expect(t.check()).toEqual({ drift: 0, rows: [] });
});
