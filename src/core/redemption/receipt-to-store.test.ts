// An amount that is none must not keep a redemption from being written down.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';

const PLAYER = '5170925570';

let t: TestCore;
beforeEach(async () => {
  t = await openTestCore();
});
afterEach(() => t.close());

async function redeem() {
  const answer = await t.core.redeem(t.actor, { gameId: 'game_id_2', playerId: PLAYER, code: makeCode() });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption;
}

const AMOUNTS = [60.5, 1e300, 2 ** 53, -60, Number.NaN];

test.each(AMOUNTS)('a receipt with the amount %s is kept without it', async (amount) => {
  t.platform.script.redeem = () => ({
    status: 'redeemed',
    receipt: { openid: 'open', name: 'Player', amount },
    fullReceipt: true,
  });
  const receipt = await redeem();
  expect(receipt).toMatchObject({ state: 'redeemed', openid: 'open' });
  const kept = t.core.receipts.find(t.actor, receipt.id);
  expect(kept).toMatchObject({ state: 'redeemed', openid: 'open' });
  expect(kept).toHaveProperty('amount', null);
});

test.each(AMOUNTS)('a doubt is settled where the look-up tells the amount %s', async (amount) => {
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  const { id } = await redeem();
  const told = {
    redeemedAt: t.clock.now(),
    toldAt: t.clock.now(),
    expiresAt: t.clock.now(),
    channelName: '',
    productName: '',
  };
  t.platform.script.findCode = () => ({ status: 'redeemed', ...told, openid: `open-${PLAYER}`, amount });
  t.clock.advance(60_000);
  await t.core.settleDoubts();
  expect(t.core.receipts.find(t.actor, id)).toMatchObject({ state: 'redeemed', openid: `open-${PLAYER}` });
});

test('what a receipt tells of region, product and amount is kept as it is', async () => {
  const told = { region: 'EU', productName: '60 UC', amount: 60 };
  t.platform.script.redeem = () => ({
    status: 'redeemed',
    receipt: { openid: 'open', name: 'Player', ...told },
    fullReceipt: true,
  });
  const { id } = await redeem();
  expect(t.core.receipts.find(t.actor, id)).toMatchObject({ ...told, openid: 'open', playerName: 'Player' });
});
