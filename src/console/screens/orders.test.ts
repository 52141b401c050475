// Orders on their screens: who is led to them, and what may be done about what is missing of one.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestConsole, type TestConsole } from '../../../test/harness/console.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';

let t: TestCore;
let shop: TestAccount;
let testConsole: TestConsole;
let keys = 0;
beforeAll(async () => {
  t = await openTestCore();
  await t.core.start();
  shop = await openTestAccount(t.store);
  const { accountId } = shop;
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId, days: 30, purchased: 99 });
  testConsole = openTestConsole(t);
});
afterAll(() => t.close());

/** An order of so many 60, whose stock is there, as it ended. */
async function order(count: number) {
  const { admin } = shop.members;
  const codes = Array.from({ length: count }, () => makeCode());
  await t.core.codes.add(admin, GAME, [{ denomination: 60, codes }]);
  const placed = await t.core.orders.place(admin, {
    ...{ gameId: GAME, playerId: PLAYER, onShortage: 'refuse', onBadCode: 'stop' },
    items: [{ denomination: 60, count }],
    idempotencyKey: { scope: 'http', key: `order-${(keys += 1)}` },
  });
  const id = 'order' in placed ? placed.order.id : '';
  await expect.poll(() => t.core.orders.find(admin, id)?.endedAt).toBeDefined();
  return t.core.orders.find(admin, id)!;
}

test('a receipt leads to its order where orders may be seen, and names it to support', async () => {
  const { id, items } = await order(1);
  const pages = await Promise.all(
    [shop.members.admin, shop.members.support].map(async (actor) => {
      const browser = await testConsole.enter(actor);
      return (await browser.get(`/receipts/${items[0]?.redemptionId}`)).html;
    }),
  );
  expect(pages.map((html) => [html.includes(id), html.includes(`href="/console/orders/${id}"`)])).toEqual([
    [true, true],
    [true, false],
  ]);
});
