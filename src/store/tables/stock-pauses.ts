// Denominations of an account whose codes the platform refuses: how many in a row, and since when none is taken.
import type { StockKey } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

const OF_STOCK_KEY = 'account_id = @accountId and game_id = @gameId and denomination = @denomination';

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
