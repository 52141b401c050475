// The codes of orders, and what of the stock is promised to them. How much that is in all is counted by triggers of the
// migration, by which the youngest promises fall, too, where the stock shrinks.
import type { Secrets } from '../engine/secrets.ts';
import type {
  orderItems,
  orders,
  OrderItemState,
  redemptions,
  StockKey,
  stockPromises,
} from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type ItemRow = typeof orderItems.$inferSelect;
type RedemptionRow = typeof redemptions.$inferSelect;
type PromisesRow = typeof stockPromises.$inferSelect;

/** One code of a new order: from the database, or given. `promised`: 1, 2 to an order that waits, 0 not yet. */
interface NewOrderItem {
  denomination: number | null;
  code: string | null;
  promised: 0 | 1 | 2;
}

export interface StoredOrderItem extends Omit<ItemRow, 'orderId' | 'accountId' | 'gameId' | 'codeSecret'> {
  /** Of its newest redemption. */
  redemption: RedemptionRow['state'] | null;
  amount: number | null;
  playerName: string | null;
}

/** A place in an order. */
export type OrderPlace = { orderId: number; n: number };

/** One that waits for a code to be promised to it. */
export type WantingPlace = OrderPlace & Pick<typeof orders.$inferSelect, 'onShortage' | 'waitsFor'>;

export function createOrderItemsTable(sql: Sql, secrets: Secrets) {
  const [items, moves] = [itemsOf(sql), movesOf(sql)];
  return {
    insert({ code, ...item }: NewItem): void {
      items.insert({ ...item, codeSecret: code === null ? null : secrets.seal(codeIdentity(item), code) });
    },
    list: (orderId: number): StoredOrderItem[] => items.list({ orderId }),
    /** The code that was given for it; undefined where none was, or where it does not open any more. */
    findCode(place: OrderPlace): string | undefined {
      const row = items.findCode(place);
      return row?.codeSecret ? secrets.openIfSound(codeIdentity(place), row.codeSecret) : undefined;
    },
    /** Of which order a redemption is the newest of a code. */
    findOrder: (redemptionId: number) => items.findOrder({ redemptionId }),
    /** How many have a redemption that is pending: of an account, and in all. */
    countPending: (accountId: number) => items.countPending({ accountId }) ?? { ofAccount: 0, inAll: 0 },
    /** Notes the redemption that it became; false where it does not wait any more, or was tried meanwhile. */
    begin: (step: OrderPlace & { tries: number; redemptionId: number }) => moves.begin(step) === 1,
    redeem: (place: OrderPlace) => void moves.redeem(place),
    fail: (place: OrderPlace) => void moves.fail(place),
    /** It waits for another redemption. */
    repeat: (place: OrderPlace) => void moves.repeat(place),
    /** The same after a bad code. */
    replace: (place: OrderPlace) => void moves.replace(place),
    /** Its order ends without what waits. */
    miss: (orderId: number) => moves.miss({ orderId }),
    /** What was missing or has failed waits once more; how many. */
    resume: (orderId: number) => moves.resume({ orderId }),
    ...createPromises(sql),
  };
}

const codeIdentity = ({ orderId, n }: OrderPlace): string => `order:${orderId}/${n}:code`;

const OF_PLACE = 'order_id = @orderId + 0 and n = @n + 0';

type NewItem = NewOrderItem & OrderPlace & Pick<StockKey, 'accountId' | 'gameId'>;
type OrderOfItem = Pick<
  typeof orders.$inferSelect,
  'id' | 'accountId' | 'name' | 'reference' | 'ending' | 'endedAt' | 'deadline'
>;

const itemsOf = (sql: Sql) => ({
  insert: sql.run<Omit<NewItem, 'code'> & { codeSecret: Buffer | null }>(`
    insert into order_items (order_id, n, account_id, game_id, denomination, code_secret, state, promised)
    values (@orderId, @n, @accountId, @gameId, @denomination, @codeSecret, 'waiting', @promised)`),
  list: sql.all<{ orderId: number }, StoredOrderItem>(`
    select i.n, i.denomination, i.state, i.promised, i.tries, i.sent, i.replaced, i.redemption_id,
      r.state as redemption, r.amount, r.player_name
    from order_items i left join redemptions r on r.id = i.redemption_id
    where i.order_id = @orderId order by i.n`),
  findCode: sql.one<OrderPlace, Pick<ItemRow, 'codeSecret'>>(
    `select code_secret from order_items where ${OF_PLACE}`,
  ),
  findOrder: sql.one<{ redemptionId: number }, OrderOfItem>(`
    select o.id, o.account_id, o.name, o.reference, o.ending, o.ended_at, o.deadline
    from order_items i join orders o on o.id = i.order_id where i.redemption_id = @redemptionId + 0`),
  countPending: sql.one<{ accountId: number }, { ofAccount: number; inAll: number }>(`
    select count(*) filter (where i.account_id = @accountId) as of_account, count(*) as in_all
    from redemptions r cross join order_items i on i.redemption_id = r.id where r.state = 'pending'`),
});

const movesOf = (sql: Sql) => {
  // An end of its redemption is counted where that was sent; what never left this machine was not.
  const move = (to: OrderItemState, also = '') =>
    sql.run<OrderPlace>(`
      update order_items set state = '${to}', sent = sent + exists (select 1 from attempts a
        where a.redemption_id = order_items.redemption_id and a.proof is not 'never_sent')${also}
      where ${OF_PLACE} and state = 'open'`);
  return {
    begin: sql.run<OrderPlace & { tries: number; redemptionId: number }>(`
      update order_items set state = 'open', promised = 0, tries = tries + 1, redemption_id = @redemptionId
      where ${OF_PLACE} and state = 'waiting' and tries = @tries + 0
        and exists (select 1 from orders o where o.id = order_id and o.ended_at is null and o.ending is null)`),
    redeem: move('redeemed'),
    fail: move('failed'),
    repeat: move('waiting'),
    replace: move('waiting', ', replaced = replaced + 1'),
    miss: sql.run<{ orderId: number }>(`
      update order_items set state = 'missing', promised = 0
      where order_id = @orderId + 0 and state = 'waiting'`),
    resume: sql.run<{ orderId: number }>(`
      update order_items set state = 'waiting', replaced = 0
      where order_id = @orderId + 0 and state in ('missing', 'failed')`),
  };
};

/** It waits for a code of the stock, and none is promised to it. */
export const IS_WANTING = "promised = 0 and order_items.state = 'waiting' and denomination is not null";

/** What is promised; each says how many promises it has changed. */
function createPromises(sql: Sql) {
  const promises = promisesOf(sql);
  const wanting = wantingOf(sql);
  return {
    /** How much of a stock key is promised, and how much of that to orders that wait. */
    countPromised: ({ accountId, gameId, denomination }: StockKey) =>
      promises.count({ accountId, gameId, denomination }) ?? { count: 0, patient: 0 },
    /** By denomination. */
    listPromised: (accountId: number, gameId: string) => promises.list({ accountId, gameId }),
    /** What of a stock key waits for a promise, oldest first. */
    listWanting: ({ accountId, gameId, denomination }: StockKey, limit: number): WantingPlace[] =>
      wanting.list({ accountId, gameId, denomination, limit }),
    /** The same of orders that do not wait where there is none. */
    listImpatient: ({ accountId, gameId, denomination }: StockKey, limit: number): WantingPlace[] =>
      wanting.listImpatient({ accountId, gameId, denomination, limit }),
    promise: ({ orderId, n }: OrderPlace) => promises.promise({ orderId, n }) === 1,
    /** It is used up, and none is made to it any more while its code is taken; false where there was none. */
    takePromise({ orderId, n }: OrderPlace): boolean {
      const isTaken = promises.takePromise({ orderId, n }) === 1;
      if (!isTaken) promises.takeNone({ orderId, n });
      return isTaken;
    },
    /** An order has no promise any more, and none is made to it. */
    forgo: (orderId: number) => promises.forgo({ orderId }),
    /** Promises are made to it again. */
    want: (orderId: number) => promises.want({ orderId }),
  };
}

const promisesOf = (sql: Sql) => {
  const take = (from: string) =>
    sql.run<OrderPlace>(`
      update order_items set promised = -1
      where ${OF_PLACE} and state = 'waiting' and denomination is not null and ${from}`);
  return {
    count: sql.one<StockKey, Pick<PromisesRow, 'count' | 'patient'>>(`
      select count, patient from stock_promises
      where account_id = @accountId + 0 and game_id = +@gameId and denomination = @denomination + 0`),
    list: sql.all<Pick<StockKey, 'accountId' | 'gameId'>, Pick<PromisesRow, 'denomination' | 'count'>>(`
      select denomination, count from stock_promises where account_id = @accountId + 0 and game_id = @gameId`),
    promise: sql.run<OrderPlace>(`
      update order_items
      set promised = (select iif(o.on_shortage = 'wait', 2, 1) from orders o where o.id = order_id)
      where ${OF_PLACE} and ${IS_WANTING}`),
    takePromise: take('promised > 0'),
    takeNone: take('promised = 0'),
    forgo: sql.run<{ orderId: number }>(`
      update order_items set promised = -1
      where order_id = @orderId + 0 and promised >= 0 and state = 'waiting' and denomination is not null`),
    want: sql.run<{ orderId: number }>(
      'update order_items set promised = 0 where order_id = @orderId + 0 and promised = -1',
    ),
  };
};

const wantingOf = (sql: Sql) => {
  const list = (which: string) =>
    sql.all<StockKey & { limit: number }, WantingPlace>(`
      select order_id, n, on_shortage, waits_for
      from order_items join orders on orders.id = order_id
      where ${which} and ${IS_WANTING} order by order_id, n limit @limit + 0`);
  return {
    list: list(`order_items.account_id = @accountId + 0 and order_items.game_id = +@gameId
      and denomination = @denomination + 0`),
    // By the orders: of those that wait there may be many more codes.
    listImpatient:
      list(`orders.account_id = @accountId + 0 and orders.state in ('running', 'waiting', 'unclaimed')
      and on_shortage = 'refuse' and orders.game_id = +@gameId and +denomination = @denomination + 0`),
  };
};
