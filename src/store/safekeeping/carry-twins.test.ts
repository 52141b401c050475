// A redemption that waited for another one of its code, over a restore: what became of it is not told a second time.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openPasts, type Pasts } from '../../../test/harness/pasts.ts';
import { GAME, openTrader, type Trader } from '../../../test/harness/traded-store.ts';
import { settleTwins } from '../../core/redemption/twins.ts';
import type { CoreClock } from '../../core/steady.ts';

const CODE = 'TWIN00000001';

let pasts: Pasts;
let trader: Trader;
beforeEach(async () => {
  pasts = openPasts();
  trader = await openTrader(pasts.store, pasts.now);
});
afterEach(() => pasts.close());

const find = (id: number) => pasts.store().read((tables) => tables.redemptions.get(id));
const owed = () => pasts.query("select count(*) from webhook_messages where type = 'redemption.settled'");
const settle = () => settleTwins({ store: pasts.store(), clock: { now: pasts.now } as CoreClock });

/** One in doubt, and one that was refused for it. */
async function beginTwins() {
  const first = await trader.begin({ code: CODE });
  await trader.doubt(first);
  const { accountId } = first;
  const second = await pasts.write((tables) => {
    const row = {
      reference: 'second',
      accountId,
      actor: 'apiKey:1',
      gameId: GAME.id,
      playerId: '5170925570',
    };
    const rest = { mode: 'direct', denomination: null, codeId: null, code: null, chargeId: null } as const;
    const kept = { ...row, ...rest, now: pasts.now() };
    const redemptionId = tables.redemptions.insertFailed(kept, 'UNKNOWN', 'Under way.');
    tables.twins.keep({ redemptionId, firstId: first.id });
    const told = { reference: 'hook', accountId, url: 'https://shop.example/', secret: 'whsec_' };
    tables.webhooks.insert({ ...told, events: ['redemption.settled'], createdBy: 'host', now: pasts.now() });
    return redemptionId;
  });
  return { first, second };
}

test.each(['redeemed', 'returned'] as const)(
  'what was settled since the backup, the first being %s, is as it was told',
  async (end) => {
    const { first, second } = await beginTwins();
    const backup = await pasts.backUp();
    pasts.wait();
    await (end === 'redeemed' ? trader.redeem(first) : trader.giveBack(first));
    pasts.wait();
    await settle();
    const told = find(second);
    expect(told).toMatchObject({
      errorCode: end === 'redeemed' ? 'CODE_USED' : 'NETWORK_ERROR',
      settledAt: pasts.now(),
    });
    await pasts.goBack(backup);
    expect(find(second)).toEqual(told);
    const before = owed();
    await settle();
    expect(find(second)).toEqual(told);
    expect(owed()).toEqual(before);
  },
);

test('what waits still is settled after it, once', async () => {
  const { first, second } = await beginTwins();
  await pasts.goBack(await pasts.backUp());
  expect(find(second)).toMatchObject({ errorCode: 'UNKNOWN', settledAt: null });
  await trader.giveBack(first);
  await settle();
  expect(find(second)).toMatchObject({ errorCode: 'NETWORK_ERROR', settledAt: pasts.now() });
});
