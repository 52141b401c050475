// Counts of the last days: per day, and per amount. For people who look at their business; one day for programs is day-statistics.ts.
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { DayCount, Store } from '../../store/index.ts';
import type { AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import { requirePermission } from '../permissions.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
export const MOST_DAYS = 90;

interface Counts {
  redeemed: number;
  failed: number;
  /** Under way, or in doubt. */
  open: number;
}

export interface RangeStatistics {
  /** Oldest first, every day of the range; YYYY-MM-DD in UTC. */
  days: ({ date: string } & Counts)[];
  /** What was redeemed or tried, by game and amount ascending; amount 0 where it is not known. */
  amounts: ({ gameId: string; amount: number } & Counts)[];
  total: Counts;
}

export type ReadRangeStatistics = (actor: AccountActor, days: number) => Promise<RangeStatistics>;

/** Today and the days before it, in UTC. Read a day at a time. Throws CoreError FORBIDDEN, INVALID_INPUT. */
export function createRangeStatistics({ store, clock }: { store: Store; clock: Clock }): ReadRangeStatistics {
  return async (actor, days) => {
    requirePermission(actor, 'seeStatistics');
    const first = startOfRange(clock.now(), days, MOST_DAYS);
    const statistics: RangeStatistics = { days: [], amounts: [], total: none() };
    const amounts = new Map<string, RangeStatistics['amounts'][number]>();
    for (let index = 0; index < days; index += 1) {
      const from = first + index * DAY_MS;
      const counts = store.read((tables) => tables.dayCounts.list(actor.accountId, from / DAY_MS));
      const day = { date: new Date(from).toISOString().slice(0, 10), ...none() };
      for (const row of counts) {
        const units = row.amount || row.denomination;
        const key = JSON.stringify([row.gameId, units]);
        const amount = amounts.get(key) ?? { gameId: row.gameId, amount: units, ...none() };
        amounts.set(key, amount);
        for (const counted of [day, amount, statistics.total]) add(counted, row);
      }
      statistics.days.push(day);
      await nextTurn();
    }
    const byGame = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    statistics.amounts = [...amounts.values()].sort(
      (a, b) => byGame(a.gameId, b.gameId) || a.amount - b.amount,
    );
    return statistics;
  };
}

/** When a range of so many UTC days begins that ends today. Throws CoreError INVALID_INPUT. */
export function startOfRange(now: number, days: number, most: number): number {
  if (!Number.isInteger(days) || days < 1 || days > most) {
    throw new CoreError('INVALID_INPUT', `The number of days must be a whole number from 1 to ${most}.`);
  }
  return Math.floor(now / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
}

function none(): Counts {
  return { redeemed: 0, failed: 0, open: 0 };
}

function add(counts: Counts, { outcome, count }: DayCount): void {
  counts[outcome === 'redeemed' || outcome === 'failed' ? outcome : 'open'] += count;
}
