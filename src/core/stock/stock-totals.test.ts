// The stock of everybody: right, whoever has it, and however many stock keys there are.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

test('the codes of all accounts are added up by game, denomination and state', async () => {
  const other = await t.openAccount();
  const make = (count: number) => Array.from({ length: count }, () => makeCode());
  await t.core.codes.add(t.actor, 'game_id_1', [
    { denomination: 60, codes: make(3) },
    { denomination: 325, codes: make(1) },
  ]);
  await t.core.codes.add(other, 'game_id_1', [{ denomination: 60, codes: make(2) }]);
  await t.core.redeem(other, { gameId: 'game_id_1', playerId: '5170925570', denomination: 60 });

  const totals = (await t.core.health.sumStock()).filter(({ count }) => count > 0);
  expect(totals.map(({ denomination, state, count }) => `${denomination} ${state} ${count}`).sort()).toEqual([
    '325 available 1',
    '60 available 4',
    '60 redeemed 1',
  ]);
});

test('more accounts than one turn adds up are all there', async () => {
  t.allowDrift();
  const accounts = 301;
  await t.store.write((tables) => {
    for (let accountId = 1; accountId <= accounts; accountId += 1)
      tables.batches.grow(0, { accountId, gameId: 'game_id_1', denomination: 60 }, 2);
  });
  expect(await t.core.health.sumStock()).toEqual([
    { gameId: 'game_id_1', denomination: 60, state: 'available', count: 2 * accounts },
  ]);
});
