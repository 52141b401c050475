// Orders of several codes, for one player or several: which are under way, how far each has come, and why it stopped.
import { asc, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { bulkOrderItems, bulkOrders, redemptions } from '../schema/index.ts';

export interface NewBulkOrder {
  id: string;
  accountId: number;
  telegramId: number;
  chatId: number;
  messageId: number;
  language: string | null;
  gameId: string;
  warnedOf: number;
  /** In the order in which they are redeemed. */
  items: readonly NewBulkItem[];
}

export interface NewBulkItem {
  playerId: string;
  playerName: string;
  denomination: number;
}

export interface StoredBulkOrder extends Omit<NewBulkOrder, 'items'> {
  state: 'running' | 'done' | 'stopped';
  stopRequested: boolean;
  reason: string | null;
  items: StoredBulkItem[];
}

export interface StoredBulkItem extends NewBulkItem {
  n: number;
  /** null: not begun. */
  redemptionId: number | null;
  /** Of the redemption. */
  state: string | null;
}

export function createBulkOrdersTable(orm: Orm) {
  const queries = prepareOrders(orm);
  return {
    /** Keeps an order; the same id again is the same order. */
    keep({ items, ...order }: NewBulkOrder, now: number): void {
      if (queries.keep.run({ ...order, now }).changes !== 1) return;
      items.forEach((item, index) => queries.keepItem.run({ ...item, orderId: order.id, n: index + 1 }));
    },
    find(id: string): StoredBulkOrder | undefined {
      const row = queries.find.get({ id });
      if (!row) return undefined;
      const { at: _at, endedAt: _ended, ...order } = row;
      return {
        ...order,
        stopRequested: row.stopRequested === 1,
        items: queries.listItems.all({ id }),
      };
    },
    listRunning: (limit: number): string[] => queries.listRunning.all({ limit }).map(({ id }) => id),
    /**
     * Notes the redemption that its nth code became; false where the order is over, is to stop, or it became another.
     */
    begin: (step: { id: string; n: number; redemptionId: number }): boolean =>
      queries.begin.run(step).changes === 1,
    /** false: it is over. */
    askToStop: (id: string): boolean => queries.askToStop.run({ id }).changes === 1,
    /** false: it was over. */
    end: (id: string, end: { state: 'done' | 'stopped'; reason: string | null }, now: number): boolean =>
      queries.end.run({ id, ...end, now }).changes === 1,
    /** Forgets those that ended until then, a few at a time; returns how many. */
    forget(until: number, limit: number): number {
      const old = queries.listOld.all({ until, limit });
      for (const { id } of old) {
        queries.forgetItems.run({ id });
        queries.forget.run({ id });
      }
      return old.length;
    },
  };
}

function prepareOrders(orm: Orm) {
  return { ...prepareKeeping(orm), ...prepareChanging(orm), ...prepareForgetting(orm) };
}

function prepareKeeping(orm: Orm) {
  return {
    keep: orm
      .insert(bulkOrders)
      .values({
        id: ph('id'),
        accountId: ph('accountId'),
        telegramId: ph('telegramId'),
        chatId: ph('chatId'),
        messageId: ph('messageId'),
        language: ph('language'),
        gameId: ph('gameId'),
        warnedOf: ph('warnedOf'),
        state: sql`'running'`,
        at: ph('now'),
      })
      .onConflictDoNothing()
      .prepare(),
    keepItem: orm
      .insert(bulkOrderItems)
      .values({
        orderId: ph('orderId'),
        n: ph('n'),
        playerId: ph('playerId'),
        playerName: ph('playerName'),
        denomination: ph('denomination'),
      })
      .prepare(),
    find: orm
      .select()
      .from(bulkOrders)
      .where(eq(bulkOrders.id, ph('id')))
      .prepare(),
    listItems: orm
      .select({
        n: bulkOrderItems.n,
        playerId: bulkOrderItems.playerId,
        playerName: bulkOrderItems.playerName,
        denomination: bulkOrderItems.denomination,
        redemptionId: bulkOrderItems.redemptionId,
        state: redemptions.state,
      })
      .from(bulkOrderItems)
      .leftJoin(redemptions, eq(redemptions.id, bulkOrderItems.redemptionId))
      .where(eq(bulkOrderItems.orderId, ph('id')))
      .orderBy(asc(bulkOrderItems.n))
      .prepare(),
    listRunning: orm
      .select({ id: bulkOrders.id })
      .from(bulkOrders)
      .where(sql`state = 'running'`)
      .orderBy(asc(bulkOrders.id))
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareChanging(orm: Orm) {
  return {
    begin: orm
      .update(bulkOrderItems)
      .set({ redemptionId: bound('redemptionId') })
      .where(
        sql`order_id = ${ph('id')} and n = ${ph('n')}+0 and (redemption_id is null or redemption_id = ${ph('redemptionId')}+0)
            and exists (select 1 from bulk_orders o where o.id = order_id and o.state = 'running' and o.stop_requested = 0)`,
      )
      .prepare(),
    askToStop: orm
      .update(bulkOrders)
      .set({ stopRequested: 1 })
      .where(sql`id = ${ph('id')} and state = 'running'`)
      .prepare(),
    end: orm
      .update(bulkOrders)
      .set({
        state: bound('state'),
        reason: bound('reason'),
        endedAt: bound('now'),
      })
      .where(sql`id = ${ph('id')} and state = 'running'`)
      .prepare(),
  };
}

function prepareForgetting(orm: Orm) {
  return {
    listOld: orm
      .select({ id: bulkOrders.id })
      .from(bulkOrders)
      .where(sql`ended_at <= ${ph('until')}+0`)
      .limit(ph('limit'))
      .prepare(),
    forgetItems: orm
      .delete(bulkOrderItems)
      .where(eq(bulkOrderItems.orderId, ph('id')))
      .prepare(),
    forget: orm
      .delete(bulkOrders)
      .where(eq(bulkOrders.id, ph('id')))
      .prepare(),
  };
}
