// How far a sweep goes: until so many codes in a row are unspent, and no code less.
import { expect, test } from 'vitest';

import { ANN, BOB, STOCK_KEY, useLosingShop } from '../../../test/harness/losing-shop.ts';

const t = useLosingShop();

/** Thirty in a row end it; what is behind them is asked about when it is taken. */
test.each([
  { unspent: 29, isFound: true },
  { unspent: 30, isFound: false },
])('what was spent behind $unspent unspent codes is found: $isFound', async ({ unspent, isFound }) => {
  const codes = await t.add(unspent + 40);
  await t.takeOver(() => {
    t.platform.spent.set(codes[unspent]!, { playerId: ANN, redeemedAt: t.clock.now(), reference: 'lost' });
    return Promise.resolve();
  });
  expect((await t.order(BOB, 'new')).code).toBe(codes[0]);
  const { accountId } = t.actor;
  const found = t.store.read(({ lost }) => lost.count({ accountId, ...STOCK_KEY }));
  expect(found).toBe(isFound ? 1 : 0);
});
