// An order that a restore has stopped: its rest is begun when somebody says so, and what the lost time has carried out
// for its player is its own.
import { afterEach, beforeEach, expect, test } from 'vitest';

import type { Nature } from '../../../test/model/orders/model.ts';
import { GAME, makeOf, openOrderWorld, reader, type OrderWorld } from '../../../test/model/orders/world.ts';

const HOUR_MS = 3_600_000;
const PLAYER = '5170925570';

let world: OrderWorld;
beforeEach(async () => {
  world = await openOrderWorld();
});
afterEach(() => world.close());

test.each([
  ['a short', HOUR_MS / 12, { namesNobody: false }],
  ['a long', 5 * HOUR_MS, { namesNobody: false }],
  ['a long, of which the platform names no player,', 5 * HOUR_MS, { namesNobody: true }],
])(
  'of %s lost time: resumed hours later it takes what was carried out, and no code more',
  async (_, ms, how) => {
    Object.assign(world.platform, how);
    const orders = () => world.core().orders;
    const add = (count: number) => {
      const codes = Array.from({ length: count }, () => makeOf('GOOD'));
      return world.core().codes.add(reader(world), GAME, [{ denomination: 60, codes }]);
    };
    await add(6);
    await world.core().redeem(reader(world), { gameId: GAME, playerId: '5170925571', denomination: 60 });
    const answer = await orders().place(reader(world), {
      ...{ gameId: GAME, playerId: PLAYER, onShortage: 'wait', onBadCode: 'replace' },
      items: [{ denomination: 60, count: 2 }],
      idempotencyKey: { scope: 'http', key: 'INV-1' },
      deadline: world.clock.now() + 100 * HOUR_MS,
    });
    if (answer.status !== 'placed') throw new Error(answer.status);
    const { id } = answer.order;
    // Nothing of it has begun.
    await world.backUp();
    await world.rest();
    expect(orders().find(reader(world), id)?.state).toBe('done');
    world.clock.advance(ms);

    await world.goBack();
    expect(orders().find(reader(world), id)).toMatchObject({ state: 'stopped', reason: 'RESTORED' });
    world.clock.advance(3 * HOUR_MS);
    await world.look();
    await orders().resume(reader(world), id, { idempotencyKey: { scope: 'http', key: 'again' } });
    await world.rest();
    expect(orders().find(reader(world), id)).toMatchObject({ state: 'done', redeemed: { codes: 2 } });
    const spent = [...world.platform.spent.values()].filter(({ playerId }) => playerId === PLAYER);
    expect(spent).toHaveLength(2);
  },
);

test('lost with the order: placed again it gets what the place of a bad code had got by its next, and no code more', async () => {
  const { codes, orders } = world.core();
  await codes.add(reader(world), GAME, [
    { denomination: 60, codes: (['USED', 'GOOD', 'GOOD', 'GOOD'] satisfies Nature[]).map(makeOf) },
  ]);
  const place = async () => {
    const answer = await world.core().orders.place(reader(world), {
      ...{ gameId: GAME, playerId: PLAYER, onShortage: 'wait', onBadCode: 'replace' },
      items: [{ denomination: 60, count: 1 }],
      idempotencyKey: { scope: 'http', key: 'INV-2' },
      deadline: world.clock.now() + 100 * HOUR_MS,
    });
    if (answer.status !== 'placed') throw new Error(answer.status);
    return answer.order.id;
  };
  await world.backUp();
  const lost = await place();
  await world.rest();
  expect(orders.find(reader(world), lost)?.state).toBe('done');
  world.clock.advance(HOUR_MS / 60);

  await world.goBack();
  expect(world.core().orders.find(reader(world), lost)).toBeUndefined();
  expect(world.core().orders.lostRecently(reader(world))).toBe('givenOut');
  const again = await place();
  await world.look();
  await world.rest();
  expect(world.core().orders.find(reader(world), again)).toMatchObject({
    state: 'done',
    redeemed: { codes: 1 },
  });
  const spent = [...world.platform.spent.values()].filter(({ playerId }) => playerId === PLAYER);
  expect(spent).toHaveLength(1);
  // Nothing is given any more: whatever begins anew since, nobody is told to repeat.
  world.clock.advance(2 * HOUR_MS);
  expect(world.core().orders.lostRecently(reader(world))).toBe('past');
  await world.goOn();
  expect(world.core().orders.lostRecently(reader(world))).toBe('past');
});
