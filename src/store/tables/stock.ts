// Stock: how many codes there are, by denomination and state, the alerts when they run low, and the pauses of those
// whose codes are refused.
import type { stockAlerts, stockCounts, StockKey } from '../schema/index.ts';
import type { Sql } from '../sql.ts';
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

type Count = typeof stockCounts.$inferSelect;
type Alert = typeof stockAlerts.$inferSelect;

export function createStockTable(sql: Sql) {
  const counts = countsOf(sql);
  const alerts = alertsOf(sql);
  const findLevel = createFindLevel(sql);
  return {
    /** Codes of the account by denomination and state; none of a state may be missing or 0. */
    list: (accountId: number, gameId: string) => counts.list({ accountId, gameId }),
    /** All that a redemption asks of the stock, in one statement. */
    readLevel(stockKey: StockKey): StockLevel {
      const row = findLevel(stockKey);
      if (!row) throw new Error('A look at the stock told nothing.');
      return { ...row, isPaused: row.isPaused === 1, isWanted: row.isWanted === 1 };
    },
    /** Codes of a denomination that can be taken, and are known to be unspent. */
    countAvailable: (stockKey: StockKey): number => counts.findAvailable(stockKey)?.count ?? 0,
    /** The last account that ever had codes; 0 where none had. */
    lastAccount: (): number => counts.lastAccount()?.accountId ?? 0,
    /** The counts of several accounts together: from behind `after` to `upTo`. */
    sumOfAll: (after: number, upTo: number) => counts.sumOfAll({ after, upTo }),
    setAlert: (alert: StockKey & { threshold: number }) => void alerts.set(alert),
    findAlert: alerts.find,
    listAlerts: (accountId: number) => alerts.list({ accountId }),
    /** Of all accounts, those behind the place `after`, at most `limit` of them. */
    listAllAlerts: (after: number, limit: number) => alerts.listAll({ after, limit }),
    /** `notified`: 0 nothing, 1 that few are left, 2 that none is. */
    markNotified: (stockKey: StockKey, notified: number) =>
      void alerts.markNotified({ ...stockKey, notified }),
  };
}

const OF_GAME = 'account_id = @accountId + 0 and game_id = @gameId';

const countsOf = (sql: Sql) => ({
  list: sql.all<Omit<StockKey, 'denomination'>, Pick<Count, 'denomination' | 'state' | 'count'>>(
    `select denomination, state, count from stock_counts where ${OF_GAME}`,
  ),
  findAvailable: sql.one<StockKey, Pick<Count, 'count'>>(`
    select count from stock_counts
    where ${OF_GAME} and denomination = @denomination + 0 and state = 'available'`),
  lastAccount: sql.one<void, { accountId: number | null }>(
    'select max(account_id) as account_id from stock_counts',
  ),
  sumOfAll: sql.all<{ after: number; upTo: number }, Omit<Count, 'accountId'>>(`
    select game_id, denomination, state, sum(count) as count from stock_counts
    where account_id > @after + 0 and account_id <= @upTo + 0
    group by game_id, denomination, state`),
});

// What is asked wears `+`, since it is asked in every redemption, and order_items has partial indexes.
function createFindLevel(sql: Sql) {
  const ofStockKey = (table: string) => `${table}.account_id = asked.account_id
      and ${table}.game_id = asked.game_id and ${table}.denomination = asked.denomination`;
  const counted = (state: string) => `coalesce((
      select count from stock_counts where ${ofStockKey('stock_counts')} and state = '${state}'), 0)`;
  return sql.one<
    StockKey,
    Omit<StockLevel, 'isPaused' | 'isWanted'> & { isPaused: number; isWanted: number }
  >(`
    select ${counted('available')} + ${counted('unverified')} as takeable,
      coalesce((select count from stock_promises where ${ofStockKey('stock_promises')}), 0) as promised,
      exists (
        select 1 from stock_pauses
        where ${ofStockKey('stock_pauses')} and paused_at is not null) as is_paused,
      exists (
        select 1 from order_items where ${ofStockKey('order_items')} and ${IS_WANTING}) as is_wanted,
      stock_alerts.threshold, stock_alerts.notified
    from (
      select @accountId + 0 as account_id, +@gameId as game_id, @denomination + 0 as denomination) asked
    left join stock_alerts on ${ofStockKey('stock_alerts')}`);
}

const OF_STOCK_KEY = 'account_id = @accountId and game_id = @gameId and denomination = @denomination';

const alertsOf = (sql: Sql) => ({
  set: sql.run<StockKey & { threshold: number }>(`
    insert into stock_alerts (account_id, game_id, denomination, threshold)
    values (@accountId, @gameId, @denomination, @threshold)
    on conflict do update set threshold = excluded.threshold, notified = 0`),
  find: sql.one<StockKey, Alert>(`select * from stock_alerts where ${OF_STOCK_KEY}`),
  list: sql.all<{ accountId: number }, Alert>('select * from stock_alerts where account_id = @accountId'),
  listAll: sql.all<{ after: number; limit: number }, StockKey & { place: number }>(`
    select rowid as place, account_id, game_id, denomination from stock_alerts
    where rowid > @after order by rowid limit @limit + 0`),
  markNotified: sql.run<StockKey & { notified: number }>(
    `update stock_alerts set notified = @notified where ${OF_STOCK_KEY}`,
  ),
});

/** Denominations whose codes the platform refuses: how many in a row, and since when none is taken. */
export function createStockPausesTable(sql: Sql) {
  const find = sql.one<StockKey, { pausedAt: number }>(
    `select paused_at from stock_pauses where ${OF_STOCK_KEY} and paused_at is not null`,
  );
  const refuse = sql.one<StockKey, { refused: number }>(`
    insert into stock_pauses (account_id, game_id, denomination, refused)
    values (@accountId, @gameId, @denomination, 1)
    on conflict do update set refused = refused + 1
    returning refused`);
  const forgive = sql.run<StockKey>(
    `update stock_pauses set refused = 0 where ${OF_STOCK_KEY} and refused > 0`,
  );
  const pause = sql.run<StockKey & { now: number }>(
    `update stock_pauses set paused_at = @now where ${OF_STOCK_KEY} and paused_at is null`,
  );
  const goOn = sql.run<StockKey>(
    `update stock_pauses set paused_at = null, refused = 0 where ${OF_STOCK_KEY} and paused_at is not null`,
  );
  const list = sql.all<{ accountId: number }, Omit<StockKey, 'accountId'>>(
    'select game_id, denomination from stock_pauses where account_id = @accountId and paused_at is not null',
  );
  return {
    isPaused: (stockKey: StockKey) => find(stockKey) !== undefined,
    /** One more was refused; how many in a row by now. */
    refuse: (stockKey: StockKey): number => refuse(stockKey)?.refused ?? 0,
    /** One was redeemed: the row is broken. What is paused stays so. */
    forgive: (stockKey: StockKey) => void forgive(stockKey),
    /** False where it was paused already. */
    pause: (stockKey: StockKey, now: number) => pause({ ...stockKey, now }) === 1,
    /** False where it was not paused. */
    goOn: (stockKey: StockKey) => goOn(stockKey) === 1,
    /** Those of an account that are paused. */
    list: (accountId: number) => list({ accountId }),
  };
}
