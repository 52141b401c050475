// The arithmetic of the rolling window, pure: amounts are whole quarters of an activation, times milliseconds UTC.

import { DAILY_LIMIT_QUARTERS, WINDOW_MS } from '../window.ts';

/** Quarters of an activation that each charged deed costs. */
export const COST_QUARTERS = { redeem: 4, redemptionTime: 4, character: 1 } as const;
export type ChargeKind = keyof typeof COST_QUARTERS;

/** A charge, split: the daily quota is used first, then purchased activations. */
export interface ChargePlan {
  dailyQuarters: number;
  purchasedQuarters: number;
}

/** What an account may still use at one moment, in quarters. `usedQuarters` counts the window only. */
export interface Balance {
  usedQuarters: number;
  purchasedQuarters: number;
}

/** Splits a cost between the daily quota and purchased activations; undefined when both together do not hold it. */
export function planCharge(costQuarters: number, balance: Balance): ChargePlan | undefined {
  const left = Math.max(0, DAILY_LIMIT_QUARTERS - balance.usedQuarters);
  const dailyQuarters = Math.min(left, costQuarters);
  const purchasedQuarters = costQuarters - dailyQuarters;
  if (purchasedQuarters > balance.purchasedQuarters) return undefined;
  return { dailyQuarters, purchasedQuarters };
}

/** A charge that counts in the window. */
export interface CountedCharge {
  at: number;
  dailyQuarters: number;
}

/**
 * Milliseconds from `now` until `neededQuarters` more of the daily quota are free; 0 when they are now.
 * `oldestFirst` are the charges of the window; never more than the window.
 */
export function timeUntilFree(
  neededQuarters: number,
  usedQuarters: number,
  oldestFirst: Iterable<CountedCharge>,
  now: number,
): number {
  let free = DAILY_LIMIT_QUARTERS - usedQuarters;
  if (free >= neededQuarters) return 0;
  for (const charge of oldestFirst) {
    free += charge.dailyQuarters;
    if (free >= neededQuarters) return Math.min(WINDOW_MS, Math.max(0, charge.at + WINDOW_MS - now));
  }
  return WINDOW_MS;
}

/** The quota as people read it: amounts in activations, quarters as decimals (299.75). */
export interface QuotaStatus {
  daily: { limit: number; used: number; remaining: number };
  purchased: number;
  /** Activations bought or given, ever, without what was refunded. */
  boughtInAll: number;
  subscriptionExpiresAt: number | undefined;
  /** Whole activations of the daily quota that are left, and whole seconds until one more is free (0 when none is used). */
  wholeLeft: number;
  secondsUntilNext: number;
}
