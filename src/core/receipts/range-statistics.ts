// Counts of the last days: per day, and per amount. For people who look at their business; one day for programs is
// day-statistics.ts.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { readTimeZone, addDays, formatIsoDay, rangeOfDays, startOfDay, type Day } from '../zones.ts';
import { countState, eachOutcome, firstOfDays, noCounts, type StateCounts } from './counted-days.ts';

export const MOST_DAYS = 90;

export interface RangeStatistics {
  /** Oldest first, every day of the range; YYYY-MM-DD in the time zone of the account. */
  days: ({ date: string } & StateCounts)[];
  /** What was redeemed or tried, by game and amount ascending; amount 0 where it is not known. */
  amounts: ({ gameId: string; amount: number } & StateCounts)[];
  total: StateCounts;
  /** In which its days are. */
  timeZone: string;
}

export type ReadRangeStatistics = (actor: AccountActor, days: number, last?: Day) => Promise<RangeStatistics>;

/**
 * So many days that end with `last`, with today where it is left out, in the time zone of the account. Read a day at a
 * time. Throws CoreError FORBIDDEN, INVALID_INPUT.
 */
export function createRangeStatistics({ store, clock }: { store: Store; clock: Clock }): ReadRangeStatistics {
  return async (actor, days, last) => {
    requirePermission(actor, 'seeStatistics');
    const timeZone = readTimeZone(store, actor.accountId);
    const end = last ? startOfDay(timeZone, last) : clock.now();
    const first = firstOfDays(timeZone, end, days, MOST_DAYS);
    const statistics: RangeStatistics = { days: [], amounts: [], total: noCounts(), timeZone };
    const amounts = new Map<string, RangeStatistics['amounts'][number]>();
    for (let index = 0; index < days; index += 1) {
      const date = addDays(first, index);
      const day = { date: formatIsoDay(date), ...noCounts() };
      await eachOutcome(store, actor.accountId, rangeOfDays({ from: date, to: date }, timeZone), (row) => {
        const units = row.amount || row.denomination;
        const key = JSON.stringify([row.gameId, units]);
        const amount = amounts.get(key) ?? { gameId: row.gameId, amount: units, ...noCounts() };
        amounts.set(key, amount);
        for (const counted of [day, amount, statistics.total]) countState(counted, row);
      });
      statistics.days.push(day);
    }
    const byGame = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    statistics.amounts = [...amounts.values()].sort(
      (a, b) => byGame(a.gameId, b.gameId) || a.amount - b.amount,
    );
    return statistics;
  };
}
