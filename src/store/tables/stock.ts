// Stock: how many codes there are, by denomination and state, and the alerts when they run low.
import { and, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import {
  orderItems,
  stockAlerts,
  stockCounts,
  stockPauses,
  stockPromises,
  type StockKey,
} from '../schema/index.ts';
import { IS_WANTING } from './order-items.ts';

/** How a denomination of an account stands. */
export interface StockLevel {
  /** Codes that can be taken, and how many of them are promised to orders. */
  takeable: number;
  promised: number;
  /** None is taken, since its codes were refused one after another. */
  isPaused: boolean;
  /** An order waits for one to be promised to it. */
  isWanted: boolean;
  /** Of its alert: null where none was ever set. */
  threshold: number | null;
  notified: number | null;
}

export function createStockTable(orm: Orm) {
  const { list, findAvailable, lastAccount, sumOfAll } = prepareCounts(orm);
  const level = prepareLevel(orm);
  const { setAlert, findAlert, markNotified, listAlerts, listAllAlerts } = prepareAlerts(orm);

  return {
    /** Codes of the account by denomination and state; none of a state may be missing or 0. */
    list: (accountId: number, gameId: string) => list.all({ accountId, gameId }),
    /** All that a redemption asks of the stock, in one statement. */
    readLevel({ accountId, gameId, denomination }: StockKey): StockLevel {
      const row = level.get({ accountId, gameId, denomination });
      if (!row) throw new Error('A look at the stock told nothing.');
      return row;
    },
    /** Codes of a denomination that can be taken, and are known to be unspent. */
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

function prepareLevel(orm: Orm) {
  const ofStockKey = (table: string) =>
    sql.raw(`${table}.account_id = asked.account_id and ${table}.game_id = asked.game_id
      and ${table}.denomination = asked.denomination`);
  const counted = (state: string) => sql`coalesce((select count from ${stockCounts}
    where ${ofStockKey('stock_counts')} and state = ${sql.raw(`'${state}'`)}), 0)`;
  return orm
    .select({
      takeable: sql<number>`${counted('available')} + ${counted('unverified')}`,
      promised: sql<number>`coalesce((select count from ${stockPromises} where ${ofStockKey('stock_promises')}), 0)`,
      isPaused: sql<boolean>`exists (select 1 from ${stockPauses}
        where ${ofStockKey('stock_pauses')} and paused_at is not null)`.mapWith(Boolean),
      isWanted: sql<boolean>`exists (select 1 from ${orderItems}
        where ${ofStockKey('order_items')} and ${IS_WANTING})`.mapWith(Boolean),
      threshold: sql<number | null>`stock_alerts.threshold`,
      notified: sql<number | null>`stock_alerts.notified`,
    })
    .from(
      sql`(select ${ph('accountId')}+0 as account_id, +${ph('gameId')} as game_id, ${ph('denomination')}+0 as denomination) asked
        left join ${stockAlerts} on ${ofStockKey('stock_alerts')}`,
    )
    .prepare();
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
