// Two services chained by the upstream adapter: a redemption through both is one redemption, also over a line that is
// cut.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { startChain, type Chain } from './harness/chain.ts';
import { runCutChain } from './harness/cut-chain.ts';
import type { Fate } from './harness/cut-line.ts';
import { makeStock, STOCKED } from './harness/random-orders.ts';

test.each([
  ['a line', 1, 15],
  ['lines to two upstreams', 2, 30],
])(
  'over %s cut at random each redemption is settled the same on all sides',
  async (_, behind, redemptions) => {
    const report = await runCutChain({ redemptions, seed: 20_260_113, behind });
    expect(report.violations).toEqual([]);
    // Without these the line would have proved nothing.
    const { connections, doubts } = report;
    expect(connections.cutRequest + connections.cutResponse).toBeGreaterThan(0);
    expect(doubts.redeemed + doubts.returned).toBeGreaterThan(0);
  },
);

describe('one redemption', () => {
  const PASS: Fate = { kind: 'pass' };
  let chain: Chain;
  /** Of the next connections; those after them pass. */
  let fates: Fate[] = [];
  let players = 0;
  let playerId: string;

  beforeAll(async () => {
    chain = await startChain({ choose: () => fates.shift() ?? PASS });
    const { gameId, denomination } = STOCKED;
    const codes = makeStock(20);
    await chain.outer.request(`/db?gameId=${gameId}`, { body: [{ denomination, codes }] });
  });
  afterAll(() => chain.stop());
  beforeEach(() => {
    fates = [];
    playerId = `7${String((players += 1)).padStart(9, '0')}`;
  });

  const redeem = () => chain.outer.request('/redeem', { body: { ...STOCKED, playerId } });
  const readOutside = async (id: number) => (await chain.outer.request(`/history/${id}`)).json;
  const countAvailable = async () => (await chain.outer.request('/db')).json[STOCKED.denomination];
  const countUsed = () => chain.outer.core.quota(chain.outer.actor).daily.used;
  const findInside = async () => {
    const { json } = await chain.inner.request('/history');
    return (json as { id: number; playerId: string }[]).filter((entry) => entry.playerId === playerId);
  };

  test('over a whole line it is one receipt on each side, of the same code', async () => {
    const { status, json } = await redeem();
    expect(status).toBe(200);
    expect(json).toMatchObject({ warning: false, amount: 60, password: expect.any(String) });
    expect(await findInside()).toMatchObject([{ error: false, code: json.code }]);
  });

  test.each([0, 40])(
    'whose answer is cut after %i bytes is unknown, then redeemed with its credentials',
    async (afterBytes) => {
      fates = [{ kind: 'cutResponse', afterBytes }];
      const { status, json } = await redeem();
      expect({ status, ...json }).toMatchObject({ status: 503, errorCode: 'UNKNOWN', codeReset: false });
      await chain.settle();
      const receipt = await readOutside(json.id);
      const [entry] = await findInside();
      const { json: inside } = await chain.inner.request(`/history/${entry?.id}`);
      expect(receipt).toMatchObject({ type: 'ActivationReceipt', code: json.code, warning: false });
      expect(receipt.password).toBe(inside.password);
      expect(receipt.email).toBe(inside.email);
      expect(receipt.uid).toBe(inside.uid);
    },
  );

  test('stays in doubt while its receipt cannot be fetched, for the sake of the credentials', async () => {
    const cut: Fate = { kind: 'cutResponse', afterBytes: 0 };
    // The order, the look at the code, the receipt; then once more the look, and half of the receipt.
    fates = [cut, PASS, cut, PASS, { kind: 'cutResponse', afterBytes: 600 }];
    const { json } = await redeem();
    for (const left of [2, 0]) {
      await chain.letMinutePass();
      expect(fates).toHaveLength(left);
      expect(chain.outer.core.health.countOpen()).toEqual({ pending: 0, inDoubt: 1 });
    }
    await chain.settle();
    const receipt = await readOutside(json.id);
    expect(receipt).toMatchObject({ type: 'ActivationReceipt', warning: false, email: expect.any(String) });
  });

  test('that arrives only after we gave up waiting is found to be redeemed', async () => {
    fates = [{ kind: 'delay', requestMs: 1_000, responseMs: 0 }];
    const { status, json } = await redeem();
    expect({ status, ...json }).toMatchObject({ status: 503, errorCode: 'UNKNOWN' });
    expect(await findInside()).toEqual([]);
    await expect.poll(findInside).toMatchObject([{ error: false, code: json.code }]);
    await chain.settle();
    expect(await readOutside(json.id)).toMatchObject({ type: 'ActivationReceipt', warning: false });
  });

  test('that never arrived whole is held until "not redeemed" is final, then code and usage go back', async () => {
    const available = await countAvailable();
    const used = countUsed();
    fates = [{ kind: 'cutRequest', afterBytes: 100 }];
    const { status, json } = await redeem();
    expect({ status, ...json }).toMatchObject({ status: 503, errorCode: 'UNKNOWN', codeReset: false });
    // Two looks, both told "not redeemed", before the other side's deadline is over: it might still begin.
    for (const ms of [11_000, 21_000]) {
      chain.clock.advance(ms);
      await chain.outer.core.settleDoubts();
      expect(chain.outer.core.health.countOpen()).toEqual({ pending: 0, inDoubt: 1 });
      expect(await countAvailable()).toBe(available - 1);
      expect(countUsed()).toBe(used + 1);
    }
    await chain.settle();
    expect(await readOutside(json.id)).toMatchObject({ errorCode: 'UNKNOWN', codeReset: true });
    expect(await countAvailable()).toBe(available);
    expect(countUsed()).toBe(used);
    expect(await findInside()).toEqual([]);
    expect((await redeem()).json).toMatchObject({ type: 'ActivationReceipt', code: json.code });
  });

  test('that finds nobody listening is over at once, code and usage back', async () => {
    const available = await countAvailable();
    const used = countUsed();
    chain.line.down();
    const { status, json } = await redeem();
    await chain.line.listen();
    expect({ status, ...json }).toMatchObject({ status: 503, errorCode: 'NETWORK_ERROR', codeReset: true });
    expect(await countAvailable()).toBe(available);
    expect(countUsed()).toBe(used);
    expect(await findInside()).toEqual([]);
  });
});
