// Placing an order, in one transaction: its key, what it is of, whether stock and quota for all of it are there, and
// what is promised to it from then on.
import type { StockKey, Store, Tables } from '../../store/index.ts';
import { nameActor, requirePermission, type AccountActor } from '../context.ts';
import { CoreError } from '../errors.ts';
import { foldCode, foldWritten } from '../folding.ts';
import type { Game, Games } from '../games.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { getCurrentActor } from '../members.ts';
import { watchStock } from '../notices/notices.ts';
import { getOrderRecord, type OrderRecord } from '../order-record.ts';
import { composeAmount } from '../order-texts/composition.ts';
import { countFree, orderQueue, orderWake, wakeOrder } from '../promises.ts';
import { findRoom, requireSubscription, type QuotaExceeded } from '../quota/usage.ts';
import { findBrokenRule, isPlayerId } from '../redemption/request.ts';
import { findOrderOf, goOnAs, refuseUnseen, type NotGoingOn, type SeenOrder } from './standing.ts';
import { DAY_MS, type Moment } from '../../clock.ts';

export const MOST_ORDER_ENTRIES = 20;
export const MOST_ORDER_CODES = 50;
export const LARGEST_ORDER_AMOUNT = 100_000;
const LONGEST_ORDER_MS = 7 * DAY_MS;
export const LONGEST_ORDER_REFERENCE = 64;
/** Of an account, that have not ended. */
const MOST_OPEN = 1_000;

/** So many codes of a denomination, or one that is given. */
export type OrderEntry = { denomination: number; count: number } | { code: string };

export interface OrderRequest {
  gameId: string;
  playerId: string;
  /** As a person confirmed it: shown until the platform's receipt names the player. */
  playerName?: string;
  /** Exactly one of `items` and `amount`. */
  items?: readonly OrderEntry[];
  amount?: number;
  onShortage: 'refuse' | 'wait';
  onBadCode: 'replace' | 'stop';
  deadline?: number;
  reference?: string;
  /** The order, maybe for another player, of which this is what was missing. */
  insteadOf?: SeenOrder | undefined;
  idempotencyKey: IdempotencyKey;
}

type Shortage = { denomination: number; count: number };

export type PlaceAnswer =
  /** `replayed`: an earlier request under the same key placed it. */
  { status: 'placed'; order: OrderRecord; replayed: boolean } | OrderRefused;

/** Nothing was placed. */
export type OrderRefused =
  | { status: 'notEnoughStock'; missing: Shortage[] }
  | { status: 'noComposition'; below?: number; above?: number }
  | { status: 'tooManyOrders' }
  | NotGoingOn
  | QuotaExceeded;

/** A request that was read: its codes folded, and sealed outside the transaction. */
export interface ReadOrderRequest {
  actor: AccountActor;
  game: Game;
  request: OrderRequest;
  /** One each, in order; undefined where it is for an amount. */
  wanted: Wanted[] | undefined;
}

export type Wanted = { denomination: number; code: null } | { denomination: null; code: string };

/** Throws CoreError INVALID_INPUT for what breaks a rule of an order. */
export function readOrderRequest(
  { games }: { games: Games },
  actor: AccountActor,
  asked: OrderRequest,
): ReadOrderRequest {
  const request = { ...asked, playerId: foldWritten(asked.playerId) };
  const game = games.find(request.gameId);
  if (!game) throw invalid('gameId', 'is not known');
  if (!isPlayerId(request.playerId)) throw invalid('playerId', 'must have 5 to 20 digits');
  const { items, amount } = request;
  if ((items === undefined) === (amount === undefined))
    throw invalid('items', 'or amount is needed, and not both');
  if (amount !== undefined && !game.database) throw invalid('amount', 'needs a game with a code database');
  const wanted = items?.flatMap((entry, index) => readEntry(games, game, entry, index));
  if (wanted && (wanted.length < 1 || wanted.length > MOST_ORDER_CODES))
    throw invalid('items', `must be 1 to ${MOST_ORDER_CODES} codes in all`);
  const texts = new Set(wanted?.flatMap(({ code }) => (code === null ? [] : [code])));
  const given = wanted?.filter(({ code }) => code !== null).length ?? 0;
  if (texts.size < given) throw invalid('items', 'must name each code once');
  return { actor, game, request, wanted };
}

function readEntry(games: Games, game: Game, entry: OrderEntry, index: number): Wanted[] {
  const broken = findBrokenRule(games, { gameId: game.id, ...entry });
  if (broken) throw invalid(`items.${index}.${broken.field}`, broken.message);
  if ('denomination' in entry)
    return Array.from({ length: entry.count }, () => ({ denomination: entry.denomination, code: null }));
  const text = foldCode(entry.code, game.codePattern);
  if (!game.codePattern.test(text))
    throw invalid(`items.${index}.codeOverride`, 'must have the form of a code of this game');
  return [{ denomination: null, code: text }];
}

/** None is one, too. */
export const isDeadline = (deadline: number | undefined, now: number): boolean =>
  deadline === undefined || (deadline > now && deadline <= now + LONGEST_ORDER_MS);

export const invalid = (path: string, message: string) =>
  new CoreError('INVALID_INPUT', `The order breaks a rule: ${path} ${message}.`, {
    issue: { path, message },
  });

/**
 * `also`: codes that are placed in the same transaction. Throws CoreError INVALID_INPUT, FORBIDDEN, KEY_REVOKED,
 * SUBSCRIPTION_EXPIRED, IDEMPOTENCY_KEY_REUSED.
 */
export function placeOrder(
  { secrets }: Pick<Store, 'secrets'>,
  tables: Tables,
  read: ReadOrderRequest,
  moment: Moment,
  also = 0,
): PlaceAnswer {
  const { actor, game, request } = read;
  const { accountId } = actor;
  const key = useKey(tables, accountId, request.idempotencyKey, describe(read), moment);
  const earlier = key.earlier?.orderId;
  if (typeof earlier === 'number')
    return { status: 'placed', order: getOrderRecord(tables, earlier), replayed: true };
  // Of one that is placed: whoever repeats its request may do so after it.
  if (!isDeadline(request.deadline, moment.now))
    throw invalid('deadline', 'must be in the future, 7 days at most');
  requirePermission(getCurrentActor(tables, actor), 'redeem');
  requireSubscription(tables, accountId, moment);
  if (tables.orders.countOpen(accountId) >= MOST_OPEN) return { status: 'tooManyOrders' };
  const { insteadOf } = request;
  const ended = insteadOf && findOrderOf(tables, actor, insteadOf.id);
  const unseen = insteadOf && refuseUnseen(tables, ended, insteadOf.seen);
  if (unseen) return unseen;
  const made = read.wanted ?? compose(tables, read);
  if (!Array.isArray(made)) return made;
  const refusal =
    request.onShortage === 'refuse' ? findShortage(tables, read, made, { moment, also }) : undefined;
  if (refusal) return refusal;
  const name = nameOrder({ secrets }, tables, accountId, request.idempotencyKey);
  const orderId = insert(tables, { read, name }, made, moment.now);
  key.remember({ orderId });
  if (ended) goOnAs(tables, ended, name);
  for (const denomination of new Set(made.map((each) => each.denomination)))
    if (denomination !== null) watchStock(tables, { accountId, gameId: game.id, denomination }, moment.now);
  enqueueSteps(tables, orderId, moment.now);
  return { status: 'placed', order: getOrderRecord(tables, orderId), replayed: false };
}

/** What the key's request hash is made of. */
function describe({ request, wanted }: ReadOrderRequest): string {
  const { gameId, playerId, amount, onShortage, onBadCode, deadline, reference } = request;
  const items = wanted?.map(({ denomination, code }) => denomination ?? code);
  const terms = [onShortage, onBadCode, deadline ?? null, reference ?? null];
  return JSON.stringify(['order', gameId, playerId, items ?? null, amount ?? null, ...terms]);
}

/**
 * From what was carried out for the player in a lost time and is nobody's, else from what is there and not promised; of
 * one that waits, else from all denominations.
 */
function compose(tables: Tables, { actor, game, request }: ReadOrderRequest): Wanted[] | OrderRefused {
  const { accountId } = actor;
  const { amount = 0, playerId } = request;
  const countEach = (count: (stockKey: StockKey) => number) =>
    new Map(
      game.denominations.map((denomination) => [
        denomination,
        count({ accountId, gameId: game.id, denomination }),
      ]),
    );
  const lost = countEach((stockKey) => countLost(tables, stockKey, playerId));
  const carriedOut = composeAmount(amount, lost, MOST_ORDER_CODES);
  const stock = countEach(
    (stockKey) => countTakeable(tables, stockKey) + (lost.get(stockKey.denomination) ?? 0),
  );
  const found =
    carriedOut.status === 'composed' ? carriedOut : composeAmount(amount, stock, MOST_ORDER_CODES);
  const all = new Map(game.denominations.map((denomination) => [denomination, MOST_ORDER_CODES]));
  const composed =
    found.status === 'none' && request.onShortage === 'wait'
      ? composeAmount(amount, all, MOST_ORDER_CODES)
      : found;
  if (composed.status === 'none') {
    const { below, above } = composed;
    return {
      status: 'noComposition',
      ...(below !== undefined && { below }),
      ...(above !== undefined && { above }),
    };
  }
  return composed.items.flatMap(({ denomination, count }) =>
    Array.from({ length: count }, () => ({ denomination, code: null })),
  );
}

/**
 * What an order of this player is asked about first, whatever the stock has (redemption/repeated.ts); of whom the platform
 * names no player it may be another's, and a code of the stock is taken then.
 */
export const countLost = (tables: Tables, stockKey: StockKey, playerId: string): number =>
  tables.lost.list({ ...stockKey, playerId }).length;

/** What a new order may take of the stock. */
export const countTakeable = (tables: Tables, stockKey: StockKey): number =>
  tables.stockPauses.isPaused(stockKey) ? 0 : countFree(tables, stockKey);

/** What is not there of it: stock, or quota for all of it. */
function findShortage(
  tables: Tables,
  { actor, game, request: { playerId } }: ReadOrderRequest,
  wanted: readonly Wanted[],
  { moment, also }: { moment: Moment; also: number },
): OrderRefused | undefined {
  const missing = [...Map.groupBy(wanted, ({ denomination }) => denomination)].flatMap(
    ([denomination, { length }]) => {
      if (denomination === null) return [];
      const stockKey = { accountId: actor.accountId, gameId: game.id, denomination };
      const free = countTakeable(tables, stockKey) + countLost(tables, stockKey, playerId);
      return free >= length ? [] : [{ denomination, count: length - free }];
    },
  );
  if (missing.length > 0) return { status: 'notEnoughStock', missing };
  const room = findRoom(tables, actor, 'redeem', moment.monotonicNow, also + wanted.length);
  return room.status === 'quotaExceeded' ? room : undefined;
}

/**
 * Of the key, so that an order that is placed again after a restore has lost it is the same towards the platform;
 * another where there is one of that name.
 */
export function nameOrder(
  { secrets }: Pick<Store, 'secrets'>,
  tables: Tables,
  accountId: number,
  { scope, key }: IdempotencyKey,
): string {
  for (let nth = 1; ; nth += 1) {
    const hash = secrets.hash('order', JSON.stringify([accountId, scope, key, nth]));
    const name = `ord_${hash.toString('base64url').slice(0, 22)}`;
    if (!tables.orders.findByName(name)) return name;
  }
}

function insert(
  tables: Tables,
  { read, name }: { read: ReadOrderRequest; name: string },
  wanted: readonly Wanted[],
  now: number,
): number {
  const { actor, game, request } = read;
  const { playerId, playerName = null, onShortage, onBadCode, idempotencyKey } = request;
  const { deadline = null, reference = null } = request;
  const whose = { accountId: actor.accountId, gameId: game.id, playerId, playerName };
  const terms = { onShortage, onBadCode, deadline, reference, key: idempotencyKey.key };
  return insertOrder(tables, { ...whose, ...terms, name, actor: nameActor(actor), now }, wanted);
}

/** Its id. */
export function insertOrder(
  tables: Tables,
  order: Parameters<Tables['orders']['insert']>[0],
  wanted: readonly Wanted[],
): number {
  const orderId = tables.orders.insert(order);
  const { accountId, gameId } = order;
  wanted.forEach((each, index) =>
    tables.orderItems.insert({ accountId, gameId, ...each, orderId, n: index + 1, promised: 0 }),
  );
  return orderId;
}

/** Which handler runs the steps of orders. */
export const ORDER_TASK = 'order';

/** Has the steps of an order run by its task, whatever has become of that. */
export function enqueueSteps(tables: Tables, orderId: number, now: number): void {
  const { tasks } = tables;
  const queue = orderQueue(orderId);
  const waitsFor = orderWake(orderId);
  const task = { task: ORDER_TASK, queue, key: queue, payload: String(orderId), waitsFor, now };
  if (!tasks.repeat(queue, now)) tasks.add(task);
  wakeOrder(tables, orderId, now);
}
