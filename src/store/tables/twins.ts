// Direct redemptions that wait for another one of the same code: what became of that one is what becomes of them.
import { sql, type Orm } from '../engine/drizzle.ts';
import { redemptions, twins } from '../schema/index.ts';

const ph = sql.placeholder;

export type Twins = ReturnType<typeof createTwinsTable>;

export function createTwinsTable(orm: Orm) {
  const queries = prepareTwins(orm);
  return {
    keep: (twin: { redemptionId: number; firstId: number }) => void queries.keep.run(twin),
    /** Whether it was refused for another one, settled or not. */
    isTwin: (redemptionId: number) => queries.find.get({ redemptionId }) !== undefined,
    /** Whether what became of it is not known yet. */
    isWaiting: (redemptionId: number) => queries.find.get({ redemptionId })?.settledAt === null,
    /** Those whose first has ended; `isSpent`: their code was redeemed, by it or by somebody else. */
    listEnded: (limit: number) =>
      queries.listEnded
        .all({ limit })
        .map(({ redemptionId, isSpent }) => ({ redemptionId, isSpent: isSpent === 1 })),
    /** Settles one that waits; false when it was settled already. */
    settle(redemptionId: number, failure: { errorCode: string; errorMessage: string }, now: number): boolean {
      if (queries.end.run({ redemptionId, now }).changes !== 1) return false;
      queries.settle.run({ redemptionId, ...failure, now });
      return true;
    },
  };
}

function prepareTwins(orm: Orm) {
  return {
    keep: orm
      .insert(twins)
      .values({ redemptionId: ph('redemptionId'), firstId: ph('firstId') })
      .prepare(),
    find: orm
      .select({ settledAt: twins.settledAt })
      .from(twins)
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
    listEnded: orm
      .select({
        redemptionId: twins.redemptionId,
        isSpent: sql<number>`${redemptions.state} = 'redeemed' or ${redemptions.errorCode} = 'CODE_USED'`,
      })
      .from(twins)
      .innerJoin(
        redemptions,
        sql`${redemptions.id} = ${twins.firstId} and ${redemptions.state} in ('redeemed', 'failed')`,
      )
      .where(sql`${twins.settledAt} is null`)
      .limit(ph('limit'))
      .prepare(),
    end: orm
      .update(twins)
      .set({ settledAt: sql`${ph('now')}` })
      .where(sql`redemption_id = ${ph('redemptionId')}+0 and settled_at is null`)
      .prepare(),
    settle: orm
      .update(redemptions)
      .set({
        errorCode: sql`${ph('errorCode')}`,
        errorMessage: sql`${ph('errorMessage')}`,
        settledAt: sql`${ph('now')}`,
      })
      .where(sql`id = ${ph('redemptionId')}+0 and state = 'failed'`)
      .prepare(),
  };
}
