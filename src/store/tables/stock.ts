// Stock: how many codes there are, by denomination and state, and the alerts when they run low.
import { and, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { TAKEABLE } from './codes.ts';
import { stockAlerts, stockCounts, type StockKey } from '../schema/index.ts';

export function createStockTable(orm: Orm) {
  const { list, find, findAvailable, lastAccount, sumOfAll } = prepareCounts(orm);
  const { setAlert, findAlert, markNotified, listAlerts, listAllAlerts } = prepareAlerts(orm);

  return {
    /** Codes of the account by denomination and state; none of a state may be missing or 0. */
    list: (accountId: number, gameId: string) => list.all({ accountId, gameId }),
    /** Codes of a denomination that can be taken. */
    countTakeable: (stockKey: StockKey): number =>
      find.all({ ...stockKey }).reduce((sum, { count }) => sum + count, 0),
    /** Those of them that are known to be unspent. */
    countAvailable: ({ accountId, gameId, denomination }: StockKey): number =>
      findAvailable.get({ accountId, gameId, denomination })?.count ?? 0,
    /** The last account that ever had codes; 0 where none had. */
    lastAccount: (): number => lastAccount.get()?.accountId ?? 0,
    /** The counts of several accounts together: from behind `after` to `upTo`. */
    sumOfAll: (after: number, upTo: number) => sumOfAll.all({ after, upTo }),
    setAlert: (alert: StockKey & { threshold: number }) => void setAlert.run(alert),
    findAlert: (stockKey: StockKey) => findAlert.get(stockKey),
    listAlerts: (accountId: number) => listAlerts.all({ accountId }),
    /** Of all accounts, those behind the place `after`, at most `limit` of them. */
    listAllAlerts: (after: number, limit: number) => listAllAlerts.all({ after, limit }),
    /** `notified`: 0 nothing, 1 that few are left, 2 that none is. */
    markNotified: (stockKey: StockKey, notified: number) => void markNotified.run({ ...stockKey, notified }),
  };
}

function prepareCounts(orm: Orm) {
  const ofGame = sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')}`;
  return {
    list: orm
      .select({ denomination: stockCounts.denomination, state: stockCounts.state, count: stockCounts.count })
      .from(stockCounts)
      .where(ofGame)
      .prepare(),
    find: orm
      .select({ count: stockCounts.count })
      .from(stockCounts)
      .where(sql`${ofGame} and denomination = ${ph('denomination')}+0 and ${TAKEABLE}`)
      .prepare(),
    findAvailable: orm
      .select({ count: stockCounts.count })
      .from(stockCounts)
      .where(sql`${ofGame} and denomination = ${ph('denomination')}+0 and state = 'available'`)
      .prepare(),
    lastAccount: orm
      .select({ accountId: sql<number | null>`max(account_id)` })
      .from(stockCounts)
      .prepare(),
    sumOfAll: orm
      .select({
        gameId: stockCounts.gameId,
        denomination: stockCounts.denomination,
        state: stockCounts.state,
        count: sql<number>`sum(count)`,
      })
      .from(stockCounts)
      .where(sql`account_id > ${ph('after')}+0 and account_id <= ${ph('upTo')}+0`)
      .groupBy(stockCounts.gameId, stockCounts.denomination, stockCounts.state)
      .prepare(),
  };
}

function prepareAlerts(orm: Orm) {
  const ofStockKey = and(
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
        set: { threshold: sql`excluded.threshold`, notified: 0 },
      })
      .prepare(),
    findAlert: orm.select().from(stockAlerts).where(ofStockKey).prepare(),
    listAlerts: orm
      .select()
      .from(stockAlerts)
      .where(eq(stockAlerts.accountId, ph('accountId')))
      .prepare(),
    listAllAlerts: orm
      .select({
        place: sql<number>`rowid`,
        accountId: stockAlerts.accountId,
        gameId: stockAlerts.gameId,
        denomination: stockAlerts.denomination,
      })
      .from(stockAlerts)
      .where(sql`rowid > ${ph('after')}`)
      .orderBy(sql`rowid`)
      .limit(ph('limit'))
      .prepare(),
    markNotified: orm
      .update(stockAlerts)
      .set({ notified: bound('notified') })
      .where(ofStockKey)
      .prepare(),
  };
}
