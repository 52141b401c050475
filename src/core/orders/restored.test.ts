// An order that a restore has stopped: its rest is begun when somebody says so, and what the lost time has carried out
// for its player is its own.
import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  ask,
  GAME,
  makeOf,
  openShop,
  pass,
  passTheSweep,
  reader,
  replaceBy,
  rest,
  type Shop,
} from '../../../test/world/core/orders/life.ts';
import type { Nature } from '../../../test/world/core/orders/model.ts';
import { createWorld } from '../../../test/world/core/world.ts';
import { bindThreads, giveThreadsBack } from '../../../test/world/machine/threads.ts';

const HOUR_MS = 3_600_000;
const PLAYER = '5170925570';

let shop: Shop;
beforeEach(async () => {
  bindThreads();
  const world = createWorld({ seed: 20_260_113 });
  await world.service.start();
  shop = await openShop(world);
});
afterEach(async () => {
  await shop.service.close();
  shop.time.end();
  giveThreadsBack();
});

const find = (id: string) => shop.service.core().orders.find(reader(shop), id);
const place = async (key: string, count: number): Promise<string> => {
  const answer = await ask(shop, ({ orders }) =>
    orders.place(reader(shop), {
      ...{ gameId: GAME, playerId: PLAYER, onShortage: 'wait', onBadCode: 'replace' },
      items: [{ denomination: 60, count }],
      idempotencyKey: { scope: 'http', key },
      deadline: shop.time.clock.now() + 100 * HOUR_MS,
    }),
  );
  if (answer.status !== 'placed') throw new Error(answer.status);
  return answer.order.id;
};
const add = (natures: readonly Nature[]) => {
  const codes = natures.map((nature) => makeOf(shop, nature));
  return ask(shop, (core) => core.codes.add(reader(shop), GAME, [{ denomination: 60, codes }]));
};
const spent = () => [...shop.platform.spent.values()].filter(({ playerId }) => playerId === PLAYER);
const backUp = async () => (await shop.service.within(shop.service.backUp())).number;

test.each([
  ['a short', HOUR_MS / 12],
  ['a long', 5 * HOUR_MS],
])('of %s lost time: resumed hours later it takes what was carried out, and no code more', async (_, ms) => {
  await add(['GOOD', 'GOOD', 'GOOD', 'GOOD', 'GOOD', 'GOOD']);
  const other = { gameId: GAME, playerId: '5170925571', denomination: 60 };
  await ask(shop, (core) => core.redeem(reader(shop), other));
  // Where it is placed, and nothing of it has begun.
  const backedUp = new Promise<number>((resolve) => {
    shop.service.onCommit = () => {
      shop.service.onCommit = () => undefined;
      resolve(shop.service.backUp().then(({ number }) => number));
    };
  });
  const id = await place('INV-1', 2);
  const backup = await shop.service.within(backedUp);
  await rest(shop);
  expect(find(id)?.state).toBe('done');
  await pass(shop, ms);

  await replaceBy(shop, backup);
  expect(find(id)).toMatchObject({ state: 'stopped', reason: 'RESTORED' });
  await pass(shop, 3 * HOUR_MS);
  await ask(shop, ({ orders }) =>
    orders.resume(reader(shop), id, { idempotencyKey: { scope: 'http', key: 'again' } }),
  );
  await passTheSweep(shop, 0);
  expect(find(id)).toMatchObject({ state: 'done', redeemed: { codes: 2 } });
  expect(spent()).toHaveLength(2);
});

test('lost with the order: placed again it gets what the place of a bad code had got by its next, and no code more', async () => {
  await add(['USED', 'GOOD', 'GOOD', 'GOOD']);
  const backup = await backUp();
  const lost = await place('INV-2', 1);
  await rest(shop);
  expect(find(lost)).toMatchObject({ state: 'done', redeemed: { codes: 1 } });
  await pass(shop, HOUR_MS / 60);

  await replaceBy(shop, backup);
  const lostRecently = () => shop.service.core().orders.lostRecently();
  expect(find(lost)).toBeUndefined();
  expect(lostRecently()).toBe(true);
  const again = await place('INV-2', 1);
  await passTheSweep(shop, 0);
  await pass(shop, HOUR_MS / 60);
  expect(find(again)).toMatchObject({ state: 'done', redeemed: { codes: 1 } });
  expect(spent()).toHaveLength(1);

  await pass(shop, 31 * 24 * HOUR_MS);
  expect(lostRecently()).toBe(false);
});
