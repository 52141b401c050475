// The list of an account's orders, filtered: its pages, and all of it. Who may see their own alone sees their own.
import type { Clock } from '../../clock.ts';
import type { OrderRow, OrderState, Store } from '../../store/index.ts';
import { nameActor, type AccountActor, requirePermission } from '../context.ts';
import { createRecordList, type ListSource, type RecordList } from '../list-walk.ts';
import { readOrderRecord, type OrderRecord } from '../order-record.ts';
import { readTimeZone, rangeOfDays, type Day } from '../zones.ts';
import { seesAll } from './standing.ts';

/** What is left out is not asked for. */
interface OrderFilter {
  state?: OrderState | undefined;
  /** The first and the last day, in the time zone of the account. */
  from?: Day | undefined;
  to?: Day | undefined;
  gameId?: string | undefined;
  playerId?: string | undefined;
  reference?: string | undefined;
}

export type OrderList = RecordList<OrderFilter, OrderRecord>;

const ROWS_AT_ONCE = 100;

export function createOrderList({ store, clock }: { store: Store; clock: Clock }): OrderList {
  function open(actor: AccountActor, filter: OrderFilter): ListSource<OrderRow> {
    requirePermission(actor, 'redeem');
    const { accountId } = actor;
    const { from, until } = rangeOfDays(filter, readTimeZone(store, accountId));
    const own = seesAll(actor) ? undefined : nameActor(actor);
    const { state, gameId, playerId, reference } = filter;
    return {
      rowsAtOnce: ROWS_AT_ONCE,
      placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      read: (beyond, direction, limit) =>
        store.read(({ orders }) => orders.listBeyond(accountId, beyond, direction, limit)),
      fits: (row) =>
        (own === undefined || row.actor === own) &&
        (state === undefined || row.state === state) &&
        (gameId === undefined || row.gameId === gameId) &&
        (playerId === undefined || row.playerId === playerId) &&
        (reference === undefined || row.reference === reference) &&
        row.createdAt >= from &&
        row.createdAt < until,
    };
  }
  return createRecordList(clock, open, (rows) =>
    store.read((tables) => rows.map((row) => readOrderRecord(tables, row))),
  );
}
