// What a person redeemed last, to be offered again: their own, and nobody else's.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AccountActor } from '../context.ts';

let t: TestCore;
let shop: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  shop = await openTestAccount(t.store);
  await t.core.accounts.grant({ kind: 'host', by: 'cli' }, { accountId: shop.accountId, days: 30 });
  const codes = [makeCode(), makeCode()];
  await t.core.codes.add(shop.members.owner, 'game_id_1', [{ denomination: 60, codes }]);
});
afterEach(() => t.close());

async function redeem(
  actor: AccountActor,
  playerId: string,
  what: { denomination: number } | { code: string },
  gameId = 'game_id_1',
): Promise<void> {
  t.clock.advance(1);
  await t.core.redeem(actor, { gameId, playerId, ...what });
}
const last = (actor: AccountActor) => [t.core.lastGame(actor), t.core.lastOrder(actor)];

test('nothing, where nothing was redeemed', () => {
  expect(last(shop.members.owner)).toEqual([undefined, undefined]);
});

test('is of the person, whoever else redeemed since', async () => {
  const { owner, operator, admin } = shop.members;
  await redeem(owner, '11111', { denomination: 60 });
  await redeem(operator, '22222', { code: makeCode() }, 'game_id_2');
  const player = { playerId: '11111', name: 'Player 11111' };
  expect(last(owner)).toEqual(['game_id_1', { gameId: 'game_id_1', player, denomination: 60 }]);
  expect(last(operator)).toEqual(['game_id_2', undefined]);
  expect(last(admin)).toEqual([undefined, undefined]);
});

test('is what came last: after a code of their own, no order', async () => {
  const { owner } = shop.members;
  await redeem(owner, '11111', { denomination: 60 });
  await redeem(owner, '22222', { code: makeCode() });
  expect(last(owner)).toEqual(['game_id_1', undefined]);
  await redeem(owner, '33333', { denomination: 60 });
  expect(t.core.lastOrder(owner)?.player.playerId).toBe('33333');
});
