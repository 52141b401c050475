// The next step of an order, in one transaction: what its last redemption has come to is judged, and what follows is
// written down, or told to the runner. Nothing but the rows decides, so that it goes on wherever it was interrupted.
import type { OrderPlace, OrderRow, OrderWait, StoredOrderItem, Tables } from '../../store/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import { enqueue } from '../notices/pending-webhooks.ts';
import { getOrderRecord, type OrderStopReason } from '../order-record.ts';
import { letIn, releaseOrderNews } from '../promises.ts';
import { settleClaim } from './claimed.ts';
import { judge, TROUBLE_WITHIN_MS, troublePauseMs, type Verdict } from './verdict.ts';

export type OrderStep =
  /** It is over, or not there. */
  | { kind: 'over' }
  /** It is woken when there is more to do, and looked at then, ms UTC. */
  | { kind: 'wait'; until?: number }
  /** Whoever has the code of this redemption is to be looked up. */
  | { kind: 'ask'; order: OrderRow; item: StoredOrderItem; redemptionId: number }
  | { kind: 'begin'; order: OrderRow; item: StoredOrderItem };

const STOPPED_BY: Record<Exclude<OrderWait, 'platform' | 'doubt'>, OrderStopReason> = {
  stock: 'NOT_ENOUGH_STOCK',
  quota: 'QUOTA_EXCEEDED',
  subscription: 'SUBSCRIPTION_EXPIRED',
};
/** Where no deadline says until when: of a program, and of a person. */
const DOUBT_ENDS_WITHIN_MS = HOUR_MS;
const PERSON_WAITS_MS = 15 * MINUTE_MS;
/** One that waits for quota or subscription for longer has no promise any more. */
const PROMISE_KEPT_MS = HOUR_MS;
/** What no fact wakes is looked at as often. */
const LOOK_MS: Record<keyof typeof STOPPED_BY, number> = {
  stock: 10 * MINUTE_MS,
  quota: MINUTE_MS,
  subscription: MINUTE_MS,
};

export function advance(tables: Tables, orderId: number, now: number): OrderStep {
  for (;;) {
    const order = tables.orders.find(orderId);
    // What nobody has claimed has no steps.
    if (!order || order.endedAt !== null || order.state === 'unclaimed') return { kind: 'over' };
    const items = tables.orderItems.list(orderId);
    const open = items.find(({ state }) => state === 'open');
    if (open) {
      const step = checkOpen(tables, order, open, now);
      if (step) return step;
      continue;
    }
    const next = items.find(({ state }) => state === 'waiting');
    if (!next || order.ending !== null) return finish(tables, order, items, now);
    if (order.deadline !== null && now >= order.deadline) {
      stopSoon(tables, order, deadlineReason(order));
      continue;
    }
    return { kind: 'begin', order, item: next };
  }
}

/**
 * Until a redemption has ended it is waited for; undefined where what it came to is written down, and there is more to
 * decide.
 */
function checkOpen(
  tables: Tables,
  order: OrderRow,
  item: StoredOrderItem,
  now: number,
): OrderStep | undefined {
  const { redemptionId } = item;
  if (redemptionId === null) throw new Error(`Order ${order.id} has an open code without a redemption.`);
  const redemption = tables.redemptions.get(redemptionId);
  const { state, settledAt } = redemption;
  if (state === 'pending') return { kind: 'wait' };
  if (state === 'in_doubt' || settledAt === null) {
    if (order.waitsFor !== 'doubt')
      tables.orders.wait(order, { waitsFor: 'doubt', since: now, failures: order.failures });
    return { kind: 'wait' };
  }
  const verdict = judge(
    { ...redemption, settledAt, attempts: tables.attempts.list(redemptionId).length },
    {
      onBadCode: order.onBadCode,
      until: doubtEndsUntil(order, redemption.createdAt),
      replaced: { here: item.replaced, inAll: order.replaced },
      isGiven: item.denomination === null,
    },
  );
  // Nothing more begins: nobody needs to know whose it is.
  if (verdict.kind === 'ask' && order.ending === null) return { kind: 'ask', order, item, redemptionId };
  const until = settleItem(tables, order, item, verdict, now);
  return until === undefined ? undefined : { kind: 'wait', until };
}

/** Until when a doubt may end as not redeemed, so that it is tried again. */
function doubtEndsUntil({ deadline, actor, run, createdAt }: OrderRow, begunAt: number): number {
  if (deadline !== null) return deadline;
  const patienceMs = actor.startsWith('member:') ? PERSON_WAITS_MS : DOUBT_ENDS_WITHIN_MS;
  // Since it was ordered.
  return (run === 1 ? createdAt : begunAt) + patienceMs;
}

/** Writes down what a redemption has come to. Until when nothing more of the order begins, ms UTC, where it is put off. */
export function settleItem(
  tables: Tables,
  order: OrderRow,
  item: StoredOrderItem,
  verdict: Verdict,
  now: number,
): number | undefined {
  const place: OrderPlace = { orderId: order.id, n: item.n };
  let until: number | undefined;
  switch (verdict.kind) {
    case 'redeemed':
      tables.orderItems.redeem(place);
      if (order.failures > 0) tables.orders.succeed(order.id);
      break;
    case 'failed':
      tables.orderItems.fail(place);
      break;
    case 'replace':
      tables.orderItems.replace(place);
      tables.orders.countReplaced(order.id);
      break;
    case 'stop':
      tables.orderItems.repeat(place);
      stopSoon(tables, order, verdict.reason);
      break;
    case 'again':
    case 'ask':
      tables.orderItems.repeat(place);
      if (verdict.kind === 'again' && verdict.pause && order.ending === null)
        until = putOff(tables, order, verdict.pause, now);
  }
  if (order.waitsFor === 'doubt') tables.orders.run(order);
  if (order.ending === null) promiseTo(tables, order, [item], now);
  tables.orders.noteChanged(order.name);
  return until;
}

/** It could not be carried out: it is tried again then, unless that has gone on for too long. */
export function putOff(
  tables: Tables,
  order: OrderRow,
  reason: OrderStopReason,
  now: number,
): number | undefined {
  const since = order.failures > 0 ? (order.waitsSince ?? now) : now;
  const limit = order.deadline ?? since + TROUBLE_WITHIN_MS;
  if (now >= limit) return void stopSoon(tables, order, reason);
  tables.orders.wait(order, { waitsFor: 'platform', since, failures: order.failures + 1 });
  releaseOrderNews(tables, order, now);
  letIn(tables, order.accountId, now);
  return Math.min(limit, now + troublePauseMs(order.failures));
}

/**
 * It waits for stock, quota or subscription, until then at most; undefined where that has gone on for too long, or it
 * has changed.
 */
export function waitFor(
  tables: Tables,
  { id }: OrderRow,
  waitsFor: keyof typeof STOPPED_BY,
  now: number,
  lookMs: number = LOOK_MS[waitsFor],
): number | undefined {
  const order = tables.orders.find(id);
  if (!order || order.endedAt !== null || order.ending !== null) return undefined;
  const isNew = order.waitsFor !== waitsFor;
  const since = isNew ? now : (order.waitsSince ?? now);
  const limit = order.deadline ?? since + DAY_MS;
  if (now >= limit) {
    stopSoon(tables, order, STOPPED_BY[waitsFor]);
    return undefined;
  }
  tables.orders.wait(order, { waitsFor, since, failures: order.failures });
  letIn(tables, order.accountId, now);
  if (waitsFor !== 'stock' && now - since >= PROMISE_KEPT_MS) forgo(tables, order, now);
  if (isNew) {
    releaseOrderNews(tables, order, now);
    enqueueEvent(tables, order, 'order.waiting', now);
  }
  return Math.min(limit, now + Math.min(lookMs, LOOK_MS[waitsFor]));
}

/** What it holds of the stock is for others. */
function forgo(tables: Tables, order: OrderRow, now: number): void {
  const items = tables.orderItems.list(order.id);
  if (tables.orderItems.forgo(order.id) > 0) promiseTo(tables, order, items, now);
}

/** Nothing more begins; it is over once nothing of it is open. */
export function stopSoon(tables: Tables, order: OrderRow, reason: OrderStopReason): void {
  tables.orders.endSoon(order, reason);
}

function deadlineReason({ waitsFor }: OrderRow): OrderStopReason {
  if (waitsFor === null || waitsFor === 'platform' || waitsFor === 'doubt') return 'DEADLINE';
  return STOPPED_BY[waitsFor];
}

function finish(tables: Tables, order: OrderRow, items: readonly StoredOrderItem[], now: number): OrderStep {
  const isWhole = items.every(({ state }) => state === 'redeemed');
  const isCancelled = order.ending === CANCELLED;
  const state = isWhole ? 'done' : isCancelled ? 'cancelled' : 'stopped';
  const reason = state === 'stopped' ? (order.ending ?? 'ITEMS_FAILED') : null;
  tables.orderItems.miss(order.id);
  tables.orders.end(order, { state, reason, now });
  promiseTo(tables, order, items, now);
  releaseOrderNews(tables, order, now);
  letIn(tables, order.accountId, now);
  enqueueEvent(tables, order, 'order.settled', now);
  const isOfClaim = settleClaim(tables, order, isWhole, now);
  if (state === 'stopped' && !isOfClaim) {
    const { id, accountId, actor } = order;
    writeNotice(tables, { kind: 'orderStopped', accountId, actor, order: getOrderRecord(tables, id) }, now);
  }
  return { kind: 'over' };
}

/** As what an order ends that somebody has cancelled. */
export const CANCELLED = 'cancelled';

/** What these codes are of is promised to those who want it, and whoever watches it is told what is left. */
export function promiseTo(
  tables: Tables,
  { accountId, gameId }: OrderRow,
  items: readonly Pick<StoredOrderItem, 'denomination'>[],
  now: number,
): void {
  for (const denomination of new Set(items.map((item) => item.denomination)))
    if (denomination !== null) watchStock(tables, { accountId, gameId, denomination }, now);
}

function enqueueEvent(
  tables: Tables,
  { id, accountId }: OrderRow,
  type: 'order.settled' | 'order.waiting',
  now: number,
): void {
  const describe = () => {
    const { playerId: _id, playerName: _name, reference: _reference, ...order } = getOrderRecord(tables, id);
    return { type, orderId: id, order };
  };
  enqueue(tables, accountId, type, describe, now);
}
