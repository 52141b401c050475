// Denominations of an account whose codes the platform refuses: how many in a row, and since when none is taken.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import { stockPauses, type StockKey } from '../schema/index.ts';

export function createStockPausesTable(orm: Orm) {
  const { isPaused, refuse, forgive, pause, goOn, list } = prepareQueries(orm);

  return {
    isPaused: ({ accountId, gameId, denomination }: StockKey) =>
      isPaused.get({ accountId, gameId, denomination }) !== undefined,
    /** One more was refused; how many in a row by now. */
    refuse: (stockKey: StockKey): number => refuse.get(stockKey)?.refused ?? 0,
    /** One was redeemed: the row is broken. What is paused stays so. */
    forgive: ({ accountId, gameId, denomination }: StockKey) =>
      void forgive.run({ accountId, gameId, denomination }),
    /** False where it was paused already. */
    pause: (stockKey: StockKey, now: number) => pause.run({ ...stockKey, now }).changes === 1,
    /** False where it was not paused. */
    goOn: (stockKey: StockKey) => goOn.run(stockKey).changes === 1,
    /** Those of an account that are paused. */
    list: (accountId: number) => list.all({ accountId }),
  };
}

function prepareQueries(orm: Orm) {
  const ofStockKey = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')}
    and denomination = ${ph('denomination')}+0`;
  return {
    isPaused: orm
      .select({ pausedAt: stockPauses.pausedAt })
      .from(stockPauses)
      .where(sql`${ofStockKey} and paused_at is not null`)
      .prepare(),
    refuse: orm
      .insert(stockPauses)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        refused: sql`1`,
      })
      .onConflictDoUpdate({
        target: [stockPauses.accountId, stockPauses.gameId, stockPauses.denomination],
        set: { refused: sql`refused + 1` },
      })
      .returning({ refused: stockPauses.refused })
      .prepare(),
    forgive: orm
      .update(stockPauses)
      .set({ refused: sql`0` })
      .where(sql`${ofStockKey} and refused > 0`)
      .prepare(),
    pause: orm
      .update(stockPauses)
      .set({ pausedAt: bound('now') })
      .where(sql`${ofStockKey} and paused_at is null`)
      .prepare(),
    goOn: orm
      .update(stockPauses)
      .set({ pausedAt: sql`null`, refused: sql`0` })
      .where(sql`${ofStockKey} and paused_at is not null`)
      .prepare(),
    list: orm
      .select({ gameId: stockPauses.gameId, denomination: stockPauses.denomination })
      .from(stockPauses)
      .where(sql`account_id = ${ph('accountId')}+0 and paused_at is not null`)
      .prepare(),
  };
}
