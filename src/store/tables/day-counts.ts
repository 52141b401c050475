// Day counts: how many redemptions there were a day, by their outcome. Triggers of the migration keep the counts; here
// they are read.
import { DAY_MS } from '../../clock.ts';
import { asc, ph, sql, type Orm } from '../engine/drizzle.ts';
import { dayCounts, redemptions, type CountedOutcome } from '../schema/index.ts';
import { afterCursor, type HistoryCursor } from './history.ts';

/** Redemptions of an account that began on one day, alike in all of this. */
export interface DayCount {
  gameId: string;
  outcome: CountedOutcome | 'pending';
  /** What was redeemed; 0 where it is not known, or nothing was. */
  amount: number;
  /** What was asked for; 0 where the code came with the request. */
  denomination: number;
  /** The denomination of the code of the database that it spent; 0 where it spent none. */
  spent: number;
  count: number;
}

const AMOUNT = "case when state = 'redeemed' then coalesce(amount, 0) else 0 end";
const DENOMINATION = 'coalesce(denomination, 0)';
const SPENT = `case when state <> 'redeemed' or code_id is null then 0 when mode = 'database' then ${DENOMINATION}
  else coalesce((select c.denomination from codes c where c.id = code_id), 0) end`;
/** What the triggers write of a redemption: the columns of `day_counts` in their order, but for the count. */
export const COUNTED_COLUMNS = `created_at / ${DAY_MS}, account_id, game_id, state, ${AMOUNT}, ${DENOMINATION}, ${SPENT}`;

/** A single redemption, counted: `count` is 1. */
export type CountedOne = DayCount & HistoryCursor;

export function createDayCountsTable(orm: Orm) {
  const { listSettled, listPending, listEach } = prepareReading(orm);

  return {
    /** Of the UTC day with this number (whole days since 1970). The same kind may come more than once. */
    list(accountId: number, day: number): DayCount[] {
      const range = { accountId, from: day * DAY_MS, until: (day + 1) * DAY_MS };
      return [
        ...listSettled.all({ accountId, day }),
        ...listPending
          .all(range)
          .map((row) => ({ ...row, outcome: 'pending' as const, amount: 0, spent: 0 })),
      ];
    },
    /** One by one, oldest first, strictly after the cursor and before `until`: for a day that is none of UTC. */
    listEach: (
      accountId: number,
      { createdAt, id }: HistoryCursor,
      until: number,
      limit: number,
    ): CountedOne[] => listEach.all({ accountId, createdAt, id, until, limit }),
  };
}

function prepareReading(orm: Orm) {
  const ofAccount = sql`account_id = ${ph('accountId')}+0`;
  const inRange = sql`created_at >= ${ph('from')}+0 and created_at < ${ph('until')}+0`;
  return {
    listSettled: orm
      .select({
        gameId: dayCounts.gameId,
        outcome: dayCounts.outcome,
        amount: dayCounts.amount,
        denomination: dayCounts.denomination,
        spent: dayCounts.spent,
        count: dayCounts.count,
      })
      .from(dayCounts)
      .where(sql`day = ${ph('day')}+0 and ${ofAccount} and count > 0`)
      .prepare(),
    // Over the small index of what is pending, whoever's it is.
    listPending: orm
      .select({
        gameId: redemptions.gameId,
        denomination: sql<number>`coalesce(denomination, 0)`,
        count: sql<number>`1`,
      })
      .from(redemptions)
      .where(sql`state = 'pending' and ${inRange} and +${ofAccount}`)
      .prepare(),
    listEach: orm
      .select({
        id: redemptions.id,
        createdAt: redemptions.createdAt,
        gameId: redemptions.gameId,
        outcome: sql<DayCount['outcome']>`state`,
        amount: sql<number>`${sql.raw(AMOUNT)}`,
        denomination: sql<number>`${sql.raw(DENOMINATION)}`,
        spent: sql<number>`${sql.raw(SPENT)}`,
        count: sql<number>`1`,
      })
      .from(redemptions)
      .where(sql`${afterCursor} and created_at < ${ph('until')}+0`)
      .orderBy(asc(redemptions.createdAt), asc(redemptions.id))
      .limit(ph('limit'))
      .prepare(),
  };
}
