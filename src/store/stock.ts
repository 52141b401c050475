// How many codes there are, by denomination and state, and the alerts when they run low.
import { and, eq, sql, type Orm } from './drizzle.ts';
import { TAKEABLE } from './codes.ts';
import { codes, stockAlerts, type CodeState } from './schema.ts';

const ph = sql.placeholder;

type Lot = {
  accountId: number;
  gameId: string;
  denomination: number;
};

export function createStockTable(orm: Orm) {
  const { countTakeable, countByState, isBelow } = prepareCounts(orm);
  const { setAlert, findAlert, markTold, listAlerts } = prepareAlerts(orm);

  return {
    countTakeable: (accountId: number, gameId: string) => countTakeable.all({ accountId, gameId }),
    countByState: (accountId: number, gameId: string) =>
      countByState.all({ accountId, gameId }).map((row) => ({ ...row, state: row.state as CodeState })),
    /** Whether fewer than `threshold` (> 0) codes can be taken; its cost grows with the threshold, not with the stock. */
    isBelow: (query: Lot & { threshold: number }) =>
      isBelow.get({ ...query, skipped: query.threshold - 1 }) === undefined,
    setAlert: (alert: Lot & { threshold: number }) => void setAlert.run(alert),
    findAlert: (lot: Lot) => findAlert.get(lot),
    listAlerts: (accountId: number) => listAlerts.all({ accountId }),
    markTold: (lot: Lot, told: boolean) => void markTold.run({ ...lot, told: told ? 1 : 0 }),
  };
}

function prepareCounts(orm: Orm) {
  return {
    countTakeable: orm
      .select({ denomination: codes.denomination, count: sql<number>`count(*)` })
      .from(codes)
      .where(sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')} and ${TAKEABLE}`)
      .groupBy(codes.denomination)
      .prepare(),
    countByState: orm
      .select({ denomination: codes.denomination, state: codes.state, count: sql<number>`count(*)` })
      .from(codes)
      .where(and(eq(codes.accountId, ph('accountId')), eq(codes.gameId, ph('gameId'))))
      .groupBy(codes.denomination, codes.state)
      .prepare(),
    isBelow: orm
      .select({ id: codes.id })
      .from(codes)
      .where(
        sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')}
            and denomination = ${ph('denomination')}+0 and ${TAKEABLE}`,
      )
      .orderBy(codes.id)
      .limit(1)
      .offset(ph('skipped'))
      .prepare(),
  };
}

function prepareAlerts(orm: Orm) {
  const ofLot = and(
    eq(stockAlerts.accountId, ph('accountId')),
    eq(stockAlerts.gameId, ph('gameId')),
    eq(stockAlerts.denomination, ph('denomination')),
  );
  return {
    setAlert: orm
      .insert(stockAlerts)
      .values({
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        threshold: ph('threshold'),
      })
      .onConflictDoUpdate({
        target: [stockAlerts.accountId, stockAlerts.gameId, stockAlerts.denomination],
        set: { threshold: sql`excluded.threshold`, told: 0 },
      })
      .prepare(),
    findAlert: orm.select().from(stockAlerts).where(ofLot).prepare(),
    listAlerts: orm
      .select()
      .from(stockAlerts)
      .where(eq(stockAlerts.accountId, ph('accountId')))
      .prepare(),
    markTold: orm
      .update(stockAlerts)
      .set({ told: sql`${ph('told')}` })
      .where(ofLot)
      .prepare(),
  };
}
