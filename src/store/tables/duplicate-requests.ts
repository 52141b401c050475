// Direct redemptions that wait for another one of the same code: what became of that one is what becomes of them.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import { redemptions, duplicateRequests } from '../schema/index.ts';

export type DuplicateRequests = ReturnType<typeof createDuplicateRequestsTable>;

export function createDuplicateRequestsTable(orm: Orm) {
  const queries = prepareDuplicateRequests(orm);
  return {
    save: (duplicate: { redemptionId: number; firstId: number }) => void queries.save.run(duplicate),
    /** Whether it was refused for another one, settled or not. */
    isDuplicate: (redemptionId: number) => queries.find.get({ redemptionId }) !== undefined,
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

function prepareDuplicateRequests(orm: Orm) {
  return {
    save: orm
      .insert(duplicateRequests)
      .values({ redemptionId: ph('redemptionId'), firstId: ph('firstId') })
      .prepare(),
    find: orm
      .select({ settledAt: duplicateRequests.settledAt })
      .from(duplicateRequests)
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
    listEnded: orm
      .select({
        redemptionId: duplicateRequests.redemptionId,
        isSpent: sql<number>`${redemptions.state} = 'redeemed' or ${redemptions.errorCode} = 'CODE_USED'`,
      })
      .from(duplicateRequests)
      .innerJoin(
        redemptions,
        sql`${redemptions.id} = ${duplicateRequests.firstId} and ${redemptions.state} in ('redeemed', 'failed')`,
      )
      .where(sql`${duplicateRequests.settledAt} is null`)
      .limit(ph('limit'))
      .prepare(),
    end: orm
      .update(duplicateRequests)
      .set({ settledAt: bound('now') })
      .where(sql`redemption_id = ${ph('redemptionId')}+0 and settled_at is null`)
      .prepare(),
    settle: orm
      .update(redemptions)
      .set({
        errorCode: bound('errorCode'),
        errorMessage: bound('errorMessage'),
        settledAt: bound('now'),
      })
      .where(sql`id = ${ph('redemptionId')}+0 and state = 'failed'`)
      .prepare(),
  };
}
