// Scorecard row 16, doubts: ours and the platform's clock differ by up to a day and change, processes come and go. No
// receipt of our own redemption is lost to a clock, and none that is another account's is handed over.
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { makeCode, openTestCore, type TestCore } from '../../../test/harness/core.ts';
import type { AccountActor } from '../context.ts';

const GAME = 'game_id_1';
const PLAYER = '5170925570';
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const LOOKS = 4;
const RUNS = Number(process.env.TORTURE_RUNS ?? 60);
const SEED = process.env.TORTURE_SEED;
const PARAMETERS = { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) };

const upToADay = fc.integer({ min: -DAY_MS, max: DAY_MS });
const life = fc.record({
  platformAheadMs: upToADay,
  from: fc.constantFrom('stock', 'request'),
  redeemedBy: fc.constantFrom('us', 'the giver before'),
  beforeMs: fc.integer({ min: 10 * 60_000, max: DAY_MS }),
  /** What happens before each look. */
  steps: fc.array(
    fc.record({
      advanceMs: fc.integer({ min: 10_000, max: 2 * HOUR_MS }),
      jumpMs: fc.oneof(fc.constant(0), upToADay),
      restarts: fc.boolean(),
      /** The platform's calendar is changed by so much. */
      platformJumpMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: upToADay }),
    }),
    { minLength: LOOKS, maxLength: LOOKS },
  ),
});

/** The platform's truth, told by a calendar of its own. */
function play(t: TestCore, aheadMs: number) {
  let calendar = t.clock.now() + aheadMs;
  let redeemedAt = calendar;
  const begun = t.clock.elapsed();
  const now = () => calendar + t.clock.elapsed() - begun;
  t.platform.script.findCode = () => ({
    status: 'redeemed',
    redeemedAt,
    toldAt: now(),
    expiresAt: redeemedAt + DAY_MS,
    channelName: 'shop',
    openid: `open-${PLAYER}`,
    playerId: PLAYER,
    amount: 60,
    productName: '60',
  });
  return {
    redeemed: (agoMs: number) => void (redeemedAt = now() - agoMs),
    jump: (ms: number) => void (calendar += ms),
  };
}

async function begin(t: TestCore, actor: AccountActor, from: 'stock' | 'request'): Promise<number> {
  const code = makeCode();
  t.platform.script.redeem = () => ({ status: 'unknown', errorCode: 'UNKNOWN', message: 'late' });
  if (from === 'stock') await t.core.codes.add(actor, GAME, [{ denomination: 60, codes: [code] }]);
  const request = from === 'stock' ? { denomination: 60 } : { code };
  const answer = await t.core.redeem(actor, { gameId: GAME, playerId: PLAYER, ...request });
  if (answer.status !== 'answered') throw new Error(answer.status);
  return answer.redemption.id;
}

test(
  'no receipt is lost to a clock; what its giver used before waits for a person',
  async () => {
    await fc.assert(
      fc.asyncProperty(life, async ({ platformAheadMs, from, redeemedBy, beforeMs, steps }) => {
        const t = await openTestCore();
        try {
          const platform = play(t, platformAheadMs);
          const id = await begin(t, t.actor, from);
          platform.redeemed(redeemedBy === 'us' ? 0 : beforeMs);
          let { core } = t;
          const restarted = steps.some(({ restarts }) => restarts);
          const changed = steps.some(({ platformJumpMs }) => platformJumpMs !== 0);
          for (const { advanceMs, jumpMs, restarts, platformJumpMs } of steps) {
            t.clock.advance(advanceMs);
            t.clock.set(t.clock.now() + jumpMs);
            platform.jump(platformJumpMs);
            if (restarts) core = t.restart();
            await core.settleDoubts();
          }
          const found = core.receipts.find(t.actor, id);
          // Whatever the calendars say, it is never held against the player for whom it was redeemed.
          expect(found?.state).not.toBe('failed');
          if (from === 'stock') expect(found?.state).toBe('redeemed');
          if (from === 'request' && redeemedBy === 'us' && !restarted && !changed)
            expect(found?.state).toBe('redeemed');
          if (from === 'request' && redeemedBy !== 'us' && !restarted && !changed)
            expect(found?.state).toBe('in_doubt');
        } finally {
          await t.close();
        }
      }),
      PARAMETERS,
    );
  },
  RUNS * 2_000,
);
