// What of the stock is promised to orders: everybody else sees, takes and hands out what is left. A promise is a count:
// what shrinks the stock otherwise lets the youngest fall (a trigger of the database); here the oldest that want one
// get it where it grows.
import type { OrderRow, StockKey, StockLevel, Tables, WantingPlace } from '../store/index.ts';
import { pressOf } from './order-record.ts';

/** The queue of an order's steps, and what its task is held for between them. */
export const orderQueue = (orderId: number): string => `order:${orderId}`;
export const orderWake = (orderId: number): string => `wake:${orderQueue(orderId)}`;

/** For what a message about a redemption is held. */
export const redemptionHold = (redemptionId: number): string => `redemption:${redemptionId}`;
/** For what the task of a doubt is held between two looks: that somebody asks about it. */
export const askHold = (redemptionId: number): string => `ask:${redemptionId}`;
/**
 * For what messages about the orders of a press are held: that one is over, stops or waits for something else, or that a
 * redemption of it has come to something.
 */
export const orderNews = (press: string): string => `order-news:${press}`;

/** What can be taken and is promised to nobody. */
export function countFree(tables: Tables, stockKey: StockKey): number {
  return freeOf(tables.stock.readLevel(stockKey));
}

export const freeOf = ({ takeable, promised }: StockLevel): number => Math.max(0, takeable - promised);

/** Known to be unspent, of which alone anything is promised; and what is. */
export function countAvailable(tables: Tables, stockKey: StockKey): { available: number; promised: number } {
  const promised = tables.orderItems.countPromised(stockKey).count;
  return { available: tables.stock.countAvailable(stockKey), promised };
}

const PROMISED_AT_ONCE = 1_000;

/**
 * Promises what is available to those who want it, oldest first, and wakes the orders that wait for it. Orders that
 * wait where there is none are promised half of a stock key at most. Nobody is looked for where there is nothing to give.
 */
export function promiseStock(
  tables: Tables,
  { accountId, gameId, denomination }: StockKey,
  now: number,
): void {
  const stockKey = { accountId, gameId, denomination };
  const { orderItems, stock } = tables;
  const { takeable, isPaused } = stock.readLevel(stockKey);
  let { count, patient } = orderItems.countPromised(stockKey);
  if (isPaused || takeable <= count) return;
  const available = stock.countAvailable(stockKey);
  const isLeft = (place: WantingPlace): boolean => {
    const isPatient = place.onShortage === 'wait';
    const mayHave = count < available && (!isPatient || patient < Math.ceil(available / 2));
    if (!mayHave || !orderItems.promise(place)) return true;
    count += 1;
    if (isPatient) patient += 1;
    return false;
  };
  const wanting = orderItems.listWanting(stockKey, Math.min(takeable - count, PROMISED_AT_ONCE));
  const left = wanting.filter(isLeft);
  // Of those that wait more than have their half may stand before the others.
  const others =
    left.length > 0 && count < available ? orderItems.listImpatient(stockKey, available - count) : [];
  const served = [...wanting, ...others.filter((place) => !isLeft(place))].filter(
    (place) => !left.includes(place),
  );
  // What is promised to nobody is taken by whoever comes first: the oldest are woken.
  const free = takeable - count;
  const woken = [...served, ...left.slice(0, free)].filter(({ waitsFor }) => waitsFor === 'stock');
  for (const orderId of new Set(woken.map((place) => place.orderId))) wakeOrder(tables, orderId, now);
}

/** Has the next step of an order run. */
export function wakeOrder({ tasks }: Tables, orderId: number, now: number): void {
  tasks.release(orderWake(orderId), now);
}

/** So many redemptions of orders are pending side by side. */
const PLACES = { ofAccount: 20, inAll: 200 };

/** How many more orders may begin: of the account, and of all; less than 0: too many have. */
export function countPlaces({ orderItems }: Tables, accountId: number): { ofAccount: number; inAll: number } {
  const { ofAccount, inAll } = orderItems.countPending(accountId);
  return { ofAccount: PLACES.ofAccount - ofAccount, inAll: PLACES.inAll - inAll };
}

/** Has as many orders of an account go on as find a place: those that had none first of all are the oldest. */
export function letIn(tables: Tables, accountId: number, now: number): void {
  const { ofAccount, inAll } = countPlaces(tables, accountId);
  const next = tables.orders.listInLine(accountId, Math.max(0, Math.min(ofAccount, inAll)));
  for (const { id } of next) wakeOrder(tables, id, now);
}

/** Those of an actor, or of the whole account, that wait are looked at now: their right to go on has changed. */
export function wakeWaiting(tables: Tables, accountId: number, actor: string | null, now: number): void {
  for (const { id } of tables.orders.listWaiting(accountId, actor)) wakeOrder(tables, id, now);
}

/** What a redemption has come to, or that it is in doubt: for all that waits for it, in the transaction of that. */
export function releaseRedemption(tables: Tables, redemptionId: number, now: number): void {
  tables.tasks.release(redemptionHold(redemptionId), now);
  const order = tables.orderItems.findOrder(redemptionId);
  if (!order) return;
  tables.orders.noteChanged(order.name);
  releaseOrderNews(tables, order, now);
  wakeOrder(tables, order.id, now);
  letIn(tables, order.accountId, now);
}

/** For all that shows the orders of its press, in the transaction of what there is to show. */
export function releaseOrderNews(
  { tasks }: Tables,
  order: Pick<OrderRow, 'name' | 'reference'>,
  now: number,
): void {
  tasks.release(orderNews(pressOf(order)), now);
}
