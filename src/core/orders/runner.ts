// Runs the steps of orders: each order is a task of its own, held between its steps until its redemption has come to
// something, until there is stock, or until its time. A step begins one redemption, under a key that no client can
// name, in one transaction with its note.
import type { CodeOutcome, CharacterOutcome } from '../../platform/port.ts';
import type { OrderRow, Store, StoredOrderItem, Tables } from '../../store/index.ts';
import { eachSlice } from '../../turns.ts';
import { backOff, within } from '../../waiting.ts';
import type { CoreClock } from '../../clock.ts';
import { CoreError } from '../errors.ts';
import { getRedeemer } from '../members.ts';
import type { OrderStopReason } from '../order-record.ts';
import { countFree, countPlaces, orderWake, releaseOrderNews, wakeOrder } from '../promises.ts';
import type { Redemptions } from '../redemption/redeem.ts';
import type { RedeemRequest } from '../redemption/request.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { TaskEnd, TaskHandler } from '../tasks/run-task.ts';
import { advance, putOff, settleItem, stopSoon, waitFor, type OrderStep } from './advance.ts';
import { countLost, enqueueSteps } from './place.ts';

export interface OrderRunnerDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'findCode' | 'findCharacter'>;
  clock: CoreClock;
  redemptions: Pick<Redemptions, 'begin'>;
}

/** Where orders of all accounts have taken all places. */
const PLACE_LOOK_MS = 1_000;
const STEPS_AT_ONCE = 200;
const ASK_TIMEOUT_MS = 30_000;
const WOKEN_AT_ONCE = 200;

/** No code was there to be taken: nothing was begun. */
class NoCode extends Error {
  override readonly name = 'NoCode';
}

/** Others have taken all places: nothing was begun. */
class NoPlace extends Error {
  override readonly name = 'NoPlace';
}

/** The order has changed meanwhile: nothing was begun. */
class OrderChanged extends Error {
  override readonly name = 'OrderChanged';
}

export function createOrderRunner(deps: OrderRunnerDeps) {
  const { store, clock } = deps;
  return {
    handler: createOrderHandler(deps),
    /** After a start each that is open has its task, and that runs. */
    async wakeAll(): Promise<void> {
      const list = (last = { id: 0 }) => store.read(({ orders }) => orders.listOpen(last.id, WOKEN_AT_ONCE));
      for await (const open of eachSlice(list, WOKEN_AT_ONCE))
        await store.write((tables) => open.forEach(({ id }) => enqueueSteps(tables, id, clock.now())));
    },
  };
}

function createOrderHandler(deps: OrderRunnerDeps): TaskHandler {
  const { store, clock } = deps;

  async function runSteps(orderId: number, payload: string, signal: AbortSignal): Promise<TaskEnd> {
    const held = { state: 'next', payload, waitsFor: orderWake(orderId) } as const;
    for (;;) {
      const step = await store.write((tables) => advance(tables, orderId, clock.now()));
      switch (step.kind) {
        case 'over':
          return { state: 'done' };
        case 'wait':
          return { ...held, until: step.until };
        case 'ask':
          await concludeBadCode(deps, step, signal);
          continue;
        case 'begin': {
          const begun = await beginNext(deps, step);
          if (begun.status === 'begun') return held;
          if (begun.status === 'waits') return { ...held, until: begun.until };
        }
      }
    }
  }

  return {
    atOnce: STEPS_AT_ONCE,
    isOfOpenRow: true,
    run: ({ payload = '' }, { signal }) => runSteps(Number(payload), payload, signal),
    retryMs: backOff(200, 10_000),
  };
}

/**
 * `waits`: the order says for what, or stands in line, at most until then, ms UTC; `again`: it has changed, and is looked
 * at anew.
 */
type Begun = { status: 'begun' } | { status: 'waits'; until?: number } | { status: 'again' };

const toBegun = (until: number | undefined): Begun =>
  until === undefined ? { status: 'again' } : { status: 'waits', until };

async function beginNext(deps: OrderRunnerDeps, step: Extract<OrderStep, { kind: 'begin' }>): Promise<Begun> {
  const { order, item } = step;
  const { store, clock, redemptions } = deps;
  const wait = async (what: 'stock' | 'quota' | 'subscription', lookMs?: number): Promise<Begun> => {
    const until = await store.write((tables) => {
      // What came meanwhile has woken nobody.
      if (what === 'stock' && hasStock(tables, order, item.n)) return undefined;
      return waitFor(tables, order, what, clock.now(), lookMs);
    });
    return toBegun(until);
  };
  const stop = async (reason: OrderStopReason): Promise<Begun> => {
    await store.write((tables) => stopSoon(tables, order, reason));
    return { status: 'again' };
  };
  try {
    const { actor, isThere, places } = store.read((tables) => ({
      actor: getRedeemer(tables, order),
      isThere: hasStock(tables, order, item.n) || hasLost(tables, order, item),
      places: countPlaces(tables, order.accountId),
    }));
    if (!isThere) return await wait('stock');
    if (places.ofAccount <= 0) return await standInLine(deps, order);
    if (places.inAll <= 0) throw new NoPlace();
    const begun = await redemptions.begin(actor, describeRequest(deps, step));
    // What a lost time has carried out of it ends no more, and wakes nobody.
    if (begun.status === 'begun') return { status: begun.replayed ? 'again' : 'begun' };
    if (begun.status === 'quotaExceeded') return await wait('quota', begun.retryAfterSeconds * 1_000);
    throw new Error(`A code of an order was not begun: ${begun.status}.`);
  } catch (error) {
    if (error instanceof NoCode) return wait('stock');
    if (error instanceof NoPlace) return { status: 'waits', until: clock.now() + PLACE_LOOK_MS };
    if (error instanceof OrderChanged) return { status: 'again' };
    if (!(error instanceof CoreError)) throw error;
    if (error.code === 'KEY_REVOKED' || error.code === 'FORBIDDEN') return stop(error.code);
    if (error.code === 'SUBSCRIPTION_EXPIRED') return wait('subscription');
    // Too much waits, or what the platform spent in a lost time is not told yet.
    if (error.code !== 'OVERLOADED') throw error;
    return toBegun(await store.write((tables) => putOff(tables, order, 'NETWORK_ERROR', clock.now())));
  }
}

/** The end of what is under way lets it in. */
const standInLine = ({ store }: OrderRunnerDeps, order: OrderRow): Promise<Begun> =>
  store.write((tables) => {
    if (countPlaces(tables, order.accountId).ofAccount > 0) return { status: 'again' };
    tables.orders.run(order);
    return { status: 'waits' };
  });

function describeRequest(
  { store: { read }, clock }: OrderRunnerDeps,
  { order, item }: Extract<OrderStep, { kind: 'begin' }>,
): RedeemRequest {
  const place = { orderId: order.id, n: item.n };
  const { denomination } = item;
  const code = denomination === null ? read((tables) => tables.orderItems.findCode(place)) : undefined;
  return {
    gameId: order.gameId,
    playerId: order.playerId,
    ...(order.playerName !== null && { playerName: order.playerName }),
    ...(denomination === null ? { code: code ?? '' } : { denomination }),
    idempotencyKey: { scope: 'order', key: `${order.name}:${item.n}:${item.tries + 1}` },
    order: {
      ...place,
      keyed: { key: { scope: 'order', key: `${order.name}:${item.n}` }, tries: item.sent + 1 },
    },
    inTransaction: (tables, { redemptionId }) =>
      noteBegun(tables, { order, item, redemptionId }, clock.now()),
  };
}

/** In the transaction that begins it. Where there was no code to take, nothing is kept of it. */
function noteBegun(
  tables: Tables,
  { order, item, redemptionId }: { order: OrderRow; item: StoredOrderItem; redemptionId: number },
  now: number,
): void {
  const { state, errorCode } = tables.redemptions.get(redemptionId);
  if (state === 'failed' && errorCode === 'NO_CODES_AVAILABLE') throw new NoCode();
  const place = { orderId: order.id, n: item.n };
  if (!tables.orderItems.begin({ ...place, tries: item.tries, redemptionId })) throw new OrderChanged();
  const places = countPlaces(tables, order.accountId);
  if (Math.min(places.ofAccount, places.inAll) < 0) throw new NoPlace();
  tables.orders.run(order);
  if (order.waitsFor !== null) releaseOrderNews(tables, order, now);
  tables.orderItems.want(order.id);
  // It has ended as it began: nothing else will wake the order.
  if (state === 'failed') wakeOrder(tables, order.id, now);
}

/** Whether its nth code can be taken: one is promised to it, or to nobody. */
function hasStock(tables: Tables, { id, accountId, gameId }: OrderRow, n: number): boolean {
  const item = tables.orderItems.list(id).find((each) => each.n === n);
  if (!item || item.denomination === null) return true;
  const stockKey = { accountId, gameId, denomination: item.denomination };
  if (tables.stockPauses.isPaused(stockKey)) return false;
  return item.promised > 0 || countFree(tables, stockKey) > 0;
}

/** What a lost time may have carried out of it is asked about, whatever the stock has. */
function hasLost(
  tables: Tables,
  { accountId, gameId, playerId }: OrderRow,
  { denomination }: StoredOrderItem,
): boolean {
  return denomination !== null && countLost(tables, { accountId, gameId, denomination }, playerId) > 0;
}

/** Who has the code is looked up once: by another player it is a bad code, and all else smells of a doubt. */
async function concludeBadCode(
  { store, upstreams, clock }: OrderRunnerDeps,
  { order, item, redemptionId }: Extract<OrderStep, { kind: 'ask' }>,
  signal: AbortSignal,
): Promise<void> {
  const { gameId, playerId } = order;
  const { code } = store.read((tables) => tables.redemptions.get(redemptionId));
  const told =
    code === null
      ? LATE
      : await ask<CodeOutcome>((by) => upstreams.findCode({ gameId, code }, { signal: by }), signal);
  if (signal.aborted) throw new Error('The process stops.');
  let isAnothers = false;
  if (told.status === 'redeemed') {
    if (told.playerId !== undefined) isAnothers = told.playerId !== playerId;
    else {
      const player = await ask<CharacterOutcome>(
        (by) => upstreams.findCharacter({ gameId, playerId }, { signal: by }),
        signal,
      );
      isAnothers = player.status === 'found' && player.openid !== told.openid;
    }
  }
  await store.write((tables) => {
    const current = tables.orders.find(order.id);
    const now = tables.orderItems.list(order.id).find(({ n }) => n === item.n);
    if (!current || now?.state !== 'open' || now.redemptionId !== redemptionId) return;
    const verdict = isAnothers
      ? ({ kind: 'replace' } as const)
      : ({ kind: 'stop', reason: 'DOUBT' } as const);
    settleItem(tables, current, now, verdict, clock.now());
  });
}

const LATE = { status: 'unreachable', message: 'No answer in time.' } as const;

function ask<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T | typeof LATE> {
  return within(call, ASK_TIMEOUT_MS, { signal, late: () => LATE });
}
