// The codes of orders, and what of the stock is promised to them. How much that is in all is counted by triggers of the
// migration, by which the youngest promises fall, too, where the stock shrinks.
import { asc, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { Secrets } from '../engine/secrets.ts';
import {
  orderItems,
  orders,
  redemptions,
  stockPromises,
  type OrderItemState,
  type StockKey,
} from '../schema/index.ts';

/** One code of a new order: from the database, or given. `promised`: 1, 2 to an order that waits, 0 not yet. */
export interface NewOrderItem {
  denomination: number | null;
  code: string | null;
  promised: 0 | 1 | 2;
}

export interface StoredOrderItem {
  n: number;
  denomination: number | null;
  state: OrderItemState;
  promised: number;
  tries: number;
  replaced: number;
  redemptionId: number | null;
  /** Of its newest redemption. */
  redemption: 'pending' | 'in_doubt' | 'redeemed' | 'failed' | null;
  amount: number | null;
  playerName: string | null;
}

/** A place in an order. */
export type OrderPlace = { orderId: number; n: number };

/** One that waits for a code to be promised to it. */
export type WantingPlace = OrderPlace & Pick<typeof orders.$inferSelect, 'onShortage' | 'waitsFor'>;

export function createOrderItemsTable(orm: Orm, secrets: Secrets) {
  const { insert, list, findCode, findOrder } = prepareItems(orm);
  const moves = prepareItemMoves(orm);
  const promises = preparePromises(orm);

  return {
    insert(item: NewOrderItem & OrderPlace & Pick<StockKey, 'accountId' | 'gameId'>): void {
      const { code, ...rest } = item;
      insert.run({ ...rest, codeSecret: code === null ? null : secrets.seal(codeIdentity(rest), code) });
    },
    list: (orderId: number): StoredOrderItem[] => list.all({ orderId }),
    /** The code that was given for it; undefined where none was, or where it does not open any more. */
    findCode(place: OrderPlace): string | undefined {
      const row = findCode.get(place);
      return row?.secret ? secrets.openIfSound(codeIdentity(place), row.secret) : undefined;
    },
    /** Of which order a redemption is the newest of a code. */
    findOrder: (redemptionId: number) => findOrder.get({ redemptionId }),
    /** Notes the redemption that it became; false where it does not wait any more, or was tried meanwhile. */
    begin: (step: OrderPlace & { tries: number; redemptionId: number }) =>
      moves.begin.run(step).changes === 1,
    redeem: (place: OrderPlace) => void moves.redeem.run(place),
    fail: (place: OrderPlace) => void moves.fail.run(place),
    /** It waits for another redemption. */
    repeat: (place: OrderPlace) => void moves.repeat.run(place),
    /** The same after a bad code. */
    replace: (place: OrderPlace) => void moves.replace.run(place),
    /** Its order ends without what waits. */
    miss: (orderId: number) => moves.miss.run({ orderId }).changes,
    /** What was missing or has failed waits once more; how many. */
    resume: (orderId: number) => moves.resume.run({ orderId }).changes,
    ...promises,
  };
}

const codeIdentity = ({ orderId, n }: OrderPlace): string => `order:${orderId}/${n}:code`;

function prepareItems(orm: Orm) {
  const ofPlace = sql`order_id = ${ph('orderId')}+0 and n = ${ph('n')}+0`;
  return {
    insert: orm
      .insert(orderItems)
      .values({
        orderId: ph('orderId'),
        n: ph('n'),
        accountId: ph('accountId'),
        gameId: ph('gameId'),
        denomination: ph('denomination'),
        codeSecret: ph('codeSecret'),
        state: sql`'waiting'`,
        promised: ph('promised'),
      })
      .prepare(),
    list: orm
      .select({
        n: orderItems.n,
        denomination: orderItems.denomination,
        state: orderItems.state,
        promised: orderItems.promised,
        tries: orderItems.tries,
        replaced: orderItems.replaced,
        redemptionId: orderItems.redemptionId,
        redemption: redemptions.state,
        amount: redemptions.amount,
        playerName: redemptions.playerName,
      })
      .from(orderItems)
      .leftJoin(redemptions, eq(redemptions.id, orderItems.redemptionId))
      .where(eq(orderItems.orderId, ph('orderId')))
      .orderBy(asc(orderItems.n))
      .prepare(),
    findCode: orm.select({ secret: orderItems.codeSecret }).from(orderItems).where(ofPlace).prepare(),
    findOrder: orm
      .select({
        ...{ id: orders.id, name: orders.name, reference: orders.reference },
        ...{ ending: orders.ending, endedAt: orders.endedAt, deadline: orders.deadline },
      })
      .from(orderItems)
      .innerJoin(orders, eq(orders.id, orderItems.orderId))
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
  };
}

function prepareItemMoves(orm: Orm) {
  const move = (
    from: string,
    to: OrderItemState,
    also: Parameters<ReturnType<typeof orm.update<typeof orderItems>>['set']>[0] = {},
  ) =>
    orm
      .update(orderItems)
      .set({ state: to, ...also })
      .where(sql`order_id = ${ph('orderId')}+0 and n = ${ph('n')}+0 and ${sql.raw(from)}`)
      .prepare();
  const ofOrder = (
    from: string,
    set: Parameters<ReturnType<typeof orm.update<typeof orderItems>>['set']>[0],
  ) =>
    orm
      .update(orderItems)
      .set(set)
      .where(sql`order_id = ${ph('orderId')}+0 and ${sql.raw(from)}`)
      .prepare();
  return {
    begin: orm
      .update(orderItems)
      .set({
        state: sql`'open'`,
        promised: sql`0`,
        tries: sql`tries + 1`,
        redemptionId: bound('redemptionId'),
      })
      .where(
        sql`order_id = ${ph('orderId')}+0 and n = ${ph('n')}+0 and state = 'waiting' and tries = ${ph('tries')}+0
          and exists (select 1 from orders o where o.id = order_id and o.ended_at is null and o.ending is null)`,
      )
      .prepare(),
    redeem: move("state = 'open'", 'redeemed'),
    fail: move("state = 'open'", 'failed'),
    repeat: move("state = 'open'", 'waiting'),
    replace: move("state = 'open'", 'waiting', { replaced: sql`replaced + 1` }),
    miss: ofOrder("state = 'waiting'", { state: 'missing', promised: sql`0` }),
    resume: ofOrder("state in ('missing', 'failed')", { state: 'waiting', replaced: sql`0` }),
  };
}

/** It waits for a code of the stock, and none is promised to it. */
export const IS_WANTING = sql.raw(
  "promised = 0 and order_items.state = 'waiting' and denomination is not null",
);

/** What is promised; each says how many promises it has changed. */
function preparePromises(orm: Orm) {
  const ofStockKey = sql`account_id = ${ph('accountId')}+0 and game_id = +${ph('gameId')} and denomination = ${ph('denomination')}+0`;
  const count = orm
    .select({ count: stockPromises.count, patient: stockPromises.patient })
    .from(stockPromises)
    .where(ofStockKey)
    .prepare();
  const list = orm
    .select({ denomination: stockPromises.denomination, count: stockPromises.count })
    .from(stockPromises)
    .where(sql`account_id = ${ph('accountId')}+0 and game_id = ${ph('gameId')}`)
    .prepare();
  const promise = orm
    .update(orderItems)
    .set({
      promised: sql`(select iif(o.on_shortage = 'wait', 2, 1) from orders o where o.id = order_id)`,
    })
    .where(sql`order_id = ${ph('orderId')}+0 and n = ${ph('n')}+0 and ${IS_WANTING}`)
    .prepare();
  const change = (set: string, from: string) =>
    orm
      .update(orderItems)
      .set({ promised: sql.raw(set) })
      .where(sql`order_id = ${ph('orderId')}+0 and ${sql.raw(from)}`)
      .prepare();
  const take = (from: string) =>
    orm
      .update(orderItems)
      .set({ promised: sql`-1` })
      .where(
        sql`order_id = ${ph('orderId')}+0 and n = ${ph('n')}+0 and state = 'waiting' and denomination is not null and ${sql.raw(from)}`,
      )
      .prepare();
  const [takePromise, takeNone] = [take('promised > 0'), take('promised = 0')];
  const forgo = change('-1', "promised >= 0 and state = 'waiting' and denomination is not null");
  const want = change('0', 'promised = -1');
  return {
    /** How much of a stock key is promised, and how much of that to orders that wait. */
    countPromised: ({ accountId, gameId, denomination }: StockKey) =>
      count.get({ accountId, gameId, denomination }) ?? { count: 0, patient: 0 },
    /** By denomination. */
    listPromised: (accountId: number, gameId: string) => list.all({ accountId, gameId }),
    ...prepareWanting(orm),
    promise: ({ orderId, n }: OrderPlace) => promise.run({ orderId, n }).changes === 1,
    /** It is used up, and none is made to it any more while its code is taken; false where there was none. */
    takePromise({ orderId, n }: OrderPlace): boolean {
      const isTaken = takePromise.run({ orderId, n }).changes === 1;
      if (!isTaken) takeNone.run({ orderId, n });
      return isTaken;
    },
    /** An order has no promise any more, and none is made to it. */
    forgo: (orderId: number) => forgo.run({ orderId }).changes,
    /** Promises are made to it again. */
    want: (orderId: number) => want.run({ orderId }).changes,
  };
}

/** What of a stock key waits for a promise, oldest first. */
function prepareWanting(orm: Orm) {
  const { orderId, n } = orderItems;
  const { onShortage, waitsFor } = orders;
  const list = (which: ReturnType<typeof sql>) =>
    orm
      .select({ orderId, n, onShortage, waitsFor })
      .from(orderItems)
      .innerJoin(orders, eq(orders.id, orderId))
      .where(sql`${which} and ${IS_WANTING}`)
      .orderBy(asc(orderId), asc(n))
      .limit(ph('limit'))
      .prepare();
  const wanting = list(sql`order_items.account_id = ${ph('accountId')}+0
    and order_items.game_id = +${ph('gameId')} and denomination = ${ph('denomination')}+0`);
  // By the orders: of those that wait there may be many more codes.
  const impatient =
    list(sql`orders.account_id = ${ph('accountId')}+0 and orders.state in ('running', 'waiting')
    and on_shortage = 'refuse' and orders.game_id = +${ph('gameId')} and +denomination = ${ph('denomination')}+0`);
  return {
    listWanting: ({ accountId, gameId, denomination }: StockKey, limit: number): WantingPlace[] =>
      wanting.all({ accountId, gameId, denomination, limit }),
    /** The same of orders that do not wait where there is none. */
    listImpatient: ({ accountId, gameId, denomination }: StockKey, limit: number): WantingPlace[] =>
      impatient.all({ accountId, gameId, denomination, limit }),
  };
}
