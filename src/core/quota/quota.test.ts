// The arithmetic of the rolling window, as laws over every balance and every ledger.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { COST_QUARTERS, planUsage, timeUntilFree } from './usage.ts';
import { DAILY_LIMIT_QUARTERS, WINDOW_MS } from './usage.ts';

const NOW = 1_768_292_838_520;

const costs = fc.constantFrom(...Object.values(COST_QUARTERS));
/** Also over the limit: a calendar that went back can bring usages back into the window. */
const balances = fc.record({
  usedQuarters: fc.integer({ min: 0, max: DAILY_LIMIT_QUARTERS * 2 }),
  purchasedQuarters: fc.integer({ min: 0, max: 12 }),
});
const ledgers = fc
  .array(
    fc.record({
      at: fc.integer({ min: NOW - WINDOW_MS + 1, max: NOW }),
      dailyQuarters: fc.constantFrom(1, 2, 3, 4, 100, 400),
    }),
    { maxLength: 30 },
  )
  .map((usages) => usages.sort((a, b) => a.at - b.at));

describe('splitting a cost', () => {
  test('a plan pays exactly the cost, the daily quota first, and takes no more than there is', () => {
    fc.assert(
      fc.property(costs, balances, (cost, balance) => {
        const plan = planUsage(cost, balance);
        const left = Math.max(0, DAILY_LIMIT_QUARTERS - balance.usedQuarters);
        if (!plan) {
          expect(left + balance.purchasedQuarters).toBeLessThan(cost);
          return;
        }
        expect(plan.dailyQuarters + plan.purchasedQuarters).toBe(cost);
        expect(plan.dailyQuarters).toBe(Math.min(left, cost));
        expect(plan.purchasedQuarters).toBeLessThanOrEqual(balance.purchasedQuarters);
      }),
    );
  });

  test('one usage is split where the daily quota ends', () => {
    const almost = { usedQuarters: DAILY_LIMIT_QUARTERS - 1, purchasedQuarters: 3 };
    expect(planUsage(4, almost)).toEqual({ dailyQuarters: 1, purchasedQuarters: 3 });
    expect(planUsage(4, { ...almost, purchasedQuarters: 2 })).toBeUndefined();
  });

  test('an activation costs a whole one for redeeming and for the redemption time, a player a quarter', () => {
    expect(COST_QUARTERS).toEqual({ redeem: 4, redemptionTime: 4, character: 1 });
    expect(DAILY_LIMIT_QUARTERS).toBe(1200);
    expect(WINDOW_MS).toBe(86_400_000);
  });
});

describe('the time until there is room', () => {
  const usedAt = (usages: { at: number; dailyQuarters: number }[], now: number) =>
    usages
      .filter((usage) => usage.at > now - WINDOW_MS)
      .reduce((sum, { dailyQuarters }) => sum + dailyQuarters, 0);

  test('is the first millisecond at which the window holds the request, and never longer than the window', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: DAILY_LIMIT_QUARTERS }), ledgers, (needed, usages) => {
        const wait = timeUntilFree(needed, usedAt(usages, NOW), usages, NOW);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(WINDOW_MS);
        expect(DAILY_LIMIT_QUARTERS - usedAt(usages, NOW + wait)).toBeGreaterThanOrEqual(needed);
        if (wait === 0) return;
        expect(DAILY_LIMIT_QUARTERS - usedAt(usages, NOW + wait - 1)).toBeLessThan(needed);
      }),
    );
  });

  test('is none where there is just enough room', () => {
    const usages = [{ at: NOW - 1, dailyQuarters: DAILY_LIMIT_QUARTERS - 4 }];
    expect(timeUntilFree(4, DAILY_LIMIT_QUARTERS - 4, usages, NOW)).toBe(0);
    expect(timeUntilFree(5, DAILY_LIMIT_QUARTERS - 4, usages, NOW)).toBe(WINDOW_MS - 1);
    const leaving = [{ at: NOW - WINDOW_MS, dailyQuarters: 4 }];
    expect(timeUntilFree(4, DAILY_LIMIT_QUARTERS, leaving, NOW)).toBe(0);
  });

  test('is no longer than the window even for usages that a calendar left in the future', () => {
    const ahead = [{ at: NOW + 10 * WINDOW_MS, dailyQuarters: DAILY_LIMIT_QUARTERS }];
    expect(timeUntilFree(4, DAILY_LIMIT_QUARTERS, ahead, NOW)).toBe(WINDOW_MS);
  });
});
