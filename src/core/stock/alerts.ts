// Thresholds of stock: below which number of codes an account wants to be told, by game and denomination.
// Telling is the business of notices.ts.
import type { Clock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { type AccountActor, type InTransaction, requirePermission } from '../context.ts';
import { CoreError } from '../errors.ts';
import { record } from '../audit-log.ts';
import type { Games } from '../games.ts';
import { getCurrentActor } from '../members.ts';
import { LEVELS, watchStock } from '../notices/notices.ts';

/** `threshold` 0: nobody is told. */
export interface StockAlert {
  gameId: string;
  denomination: number;
  threshold: number;
}

/** `isOpen`: none was set yet; the first import sets it by itself. */
export type ListedStockAlert = StockAlert & { isOpen: boolean };

export const MAX_THRESHOLD = 100_000;

interface Deps {
  store: Store;
  games: Games;
  clock: Clock;
}

const AT_ONCE = 100;

/**
 * Every threshold held against its stock, once after a start: a restore counts anew what two files knew, and nobody was
 * told of what that took away.
 */
export function createWatchAllStock({ store, clock }: Pick<Deps, 'store' | 'clock'>) {
  let place: number | undefined = 0;
  return async (isStopping: () => boolean): Promise<void> => {
    while (place !== undefined && !isStopping()) {
      const after = place;
      const rows = store.read((tables) => tables.stock.listAllAlerts(after, AT_ONCE));
      if (rows.length > 0)
        await store.write((tables) => rows.forEach((row) => watchStock(tables, row, clock.now())), {
          bulk: true,
        });
      place = rows.at(-1)?.place;
    }
  };
}

/** The verbs about thresholds: whoever sees the stock sees them. FORBIDDEN for whom the table does not let. */
export function createStockAlerts({ store, games, clock }: Deps) {
  return {
    /** Every denomination of every game with a database, those without a threshold too. */
    list(actor: AccountActor): ListedStockAlert[] {
      requirePermission(actor, 'seeStock');
      const rows = store.read((tables) => tables.stock.listAlerts(actor.accountId));
      return games.managed.flatMap(({ id: gameId, denominations }) =>
        denominations.map((denomination) => {
          const row = rows.find((each) => each.gameId === gameId && each.denomination === denomination);
          return { gameId, denomination, threshold: row?.threshold ?? 0, isOpen: row === undefined };
        }),
      );
    },

    /**
     * Sets a threshold, 0 for none; tells at once where the stock is under it already. Safe to repeat: `inTransaction`
     * is called each time.
     */
    set(actor: AccountActor, alert: StockAlert, inTransaction?: InTransaction<StockAlert>): Promise<void> {
      const { gameId, denomination, threshold } = alert;
      return store.write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'setAlerts');
        requireStockKey(games, alert);
        inTransaction?.(tables, alert);
        const stockKey = { accountId: actor.accountId, gameId, denomination };
        // Set again as it is, it would forget that people were told, and tell them twice.
        const { threshold: before, notified } = tables.stock.findAlert(stockKey) ?? {};
        if (before === threshold) return;
        const now = clock.now();
        tables.stock.setAlert({ ...stockKey, threshold });
        const set = {
          ...(before !== undefined && { before: { threshold: before } }),
          after: { gameId, denomination, threshold },
        };
        record(tables, actor, 'thresholdSet', set, now);
        // Whoever set it is told how it stands; programs know already that none is left.
        watchStock(tables, stockKey, now, undefined, notified === LEVELS.none);
      });
    },
  };
}

function requireStockKey(games: Games, { gameId, denomination, threshold }: StockAlert): void {
  const game = games.managed.find(({ id }) => id === gameId);
  if (!game?.denominations.includes(denomination)) {
    throw new CoreError('INVALID_INPUT', 'There is no database of codes for this game and denomination.');
  }
  if (!Number.isInteger(threshold) || threshold < 0 || threshold > MAX_THRESHOLD) {
    throw new CoreError('INVALID_INPUT', `A threshold is a whole number from 0 to ${MAX_THRESHOLD}.`);
  }
}
