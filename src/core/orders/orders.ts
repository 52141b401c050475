// The verbs of orders: several codes for one player, accepted at once, carried out by themselves (runner.ts), and ended
// as done, as stopped with what is missing, or as cancelled.
import type { OrderRow, OrderState, Store, Tables } from '../../store/index.ts';
import { momentOf, type CoreClock } from '../../clock.ts';
import type { Changes } from '../changes.ts';
import { nameActor, requirePermission, type AccountActor } from '../context.ts';
import type { Games } from '../games.ts';
import { getCurrentActor } from '../members.ts';
import { getOrderRecord, readOrderRecord, type OrderRecord } from '../order-record.ts';
import { KEY_LIVES_MS } from '../idempotency.ts';
import { releaseOrderNews } from '../promises.ts';
import { requireSwept } from '../redemption/sweep.ts';
import { advance, CANCELLED, promiseTo } from './advance.ts';
import { enqueueSteps, placeOrder, readOrderRequest, type OrderRequest, type PlaceAnswer } from './place.ts';
import { requireBeginning, resumeOrder, type ResumeAnswer, type ResumeRequest } from './resume.ts';
import { findOrderOf, seesAll } from './standing.ts';

interface OrderRange {
  /** Newest first, strictly before. */
  before?: number | undefined;
  state?: OrderState | undefined;
  reference?: string | undefined;
}

export interface Orders {
  /**
   * Accepts an order: from then on it is carried out, whatever happens to this process. Under its key it is safe to
   * repeat. Throws CoreError FORBIDDEN, KEY_REVOKED, INVALID_INPUT, SUBSCRIPTION_EXPIRED, IDEMPOTENCY_KEY_REUSED,
   * OVERLOADED, STOPPING.
   */
  place(actor: AccountActor, request: OrderRequest): Promise<PlaceAnswer>;
  /** The order, or undefined: none of this account has that name. */
  find(actor: AccountActor, id: string): OrderRecord | undefined;
  /** The same as soon as it changes: after `waitMs` at the latest, or when `signal` fires. */
  waitForChange(
    actor: AccountActor,
    id: string,
    waitMs: number,
    signal?: AbortSignal,
  ): Promise<OrderRecord | undefined>;
  /** 100 at a time, newest first, never cutting a millisecond apart. */
  list(actor: AccountActor, range: OrderRange): OrderRecord[];
  /**
   * Nothing more of it begins. Safe to repeat; what has ended stays as it is. undefined: there is none of that name.
   */
  cancel(actor: AccountActor, id: string): Promise<OrderRecord | undefined>;
  /** Whether a restore may have lost orders whose keys still live: what was carried out is given to who repeats them. */
  lostRecently(): boolean;
  /**
   * What is missing of a stopped one is begun once more, by the rights of this actor. undefined: there is none of that
   * name.
   */
  resume(actor: AccountActor, id: string, request: ResumeRequest): Promise<ResumeAnswer | undefined>;
}

export interface OrdersDeps {
  store: Store;
  games: Games;
  clock: CoreClock;
  changes: Changes;
  isStopping: () => boolean;
}

const PAGE = 100;

export function createOrders(deps: OrdersDeps): Orders {
  const { store, clock, changes } = deps;

  function find(actor: AccountActor, id: string): OrderRecord | undefined {
    requirePermission(actor, 'redeem');
    return store.read((tables) => {
      const row = findOrderOf(tables, actor, id);
      return row && readOrderRecord(tables, row);
    });
  }

  /** Thousands may wait: none keeps what it has read. */
  function goesOn(actor: AccountActor, id: string): boolean {
    const order = find(actor, id);
    return order !== undefined && order.endedAt === undefined;
  }

  return {
    async place(actor, asked) {
      const write = requireBeginning(deps, actor);
      const read = readOrderRequest(deps, actor, asked);
      // What it is composed of after a restore is what the lost time has carried out, and that is to be known.
      if (read.wanted === undefined) {
        const { id: gameId, denominations } = read.game;
        const whose = { accountId: actor.accountId, gameId };
        await Promise.all(denominations.map((each) => requireSwept(deps, { ...whose, denomination: each })));
      }
      return write((tables) => placeOrder(store, tables, read, momentOf(clock)));
    },
    find,
    async waitForChange(actor, id, waitMs, signal) {
      if (waitMs > 0 && goesOn(actor, id)) await changes.next(`order:${id}`, waitMs, signal);
      return find(actor, id);
    },
    list(actor, { before = Number.MAX_SAFE_INTEGER, state, reference }) {
      requirePermission(actor, 'redeem');
      const { accountId } = actor;
      return store.read((tables) => {
        const whose = seesAll(actor) ? undefined : nameActor(actor);
        const page = tables.orders.list({ accountId, actor: whose, before, limit: PAGE, state, reference });
        return completeLast(tables, page, { actor: whose, state, reference }).map((row) =>
          readOrderRecord(tables, row),
        );
      });
    },
    async cancel(actor, id) {
      const write = requireBeginning(deps, actor);
      return write((tables) => {
        requirePermission(getCurrentActor(tables, actor), 'redeem');
        const row = findOrderOf(tables, actor, id);
        if (!row) return undefined;
        if (row.endedAt === null && tables.orders.endSoon(row, CANCELLED)) {
          const now = clock.now();
          tables.orderItems.forgo(row.id);
          promiseTo(tables, row, tables.orderItems.list(row.id), now);
          advance(tables, row.id, now);
          releaseOrderNews(tables, row, now);
          enqueueSteps(tables, row.id, now);
        }
        return getOrderRecord(tables, row.id);
      });
    },
    lostRecently: () => store.lost !== undefined && clock.now() - store.lost.until <= KEY_LIVES_MS,
    async resume(actor, id, request) {
      const write = requireBeginning(deps, actor);
      return write((tables) => resumeOrder(deps, tables, actor, { id, ...request }));
    },
  };
}

/** A full page, with the rest of the millisecond that it ends in. */
function completeLast(
  tables: Tables,
  page: OrderRow[],
  { actor, state, reference }: Pick<OrderRange, 'state' | 'reference'> & { actor: string | undefined },
): OrderRow[] {
  const last = page.at(-1);
  if (!last || page.length < PAGE) return page;
  const seen = new Set(page.map(({ id }) => id));
  const rest = tables.orders
    .listAt(last.accountId, last.createdAt)
    .filter((row) => state === undefined || row.state === state)
    .filter((row) => reference === undefined || row.reference === reference)
    .filter((row) => actor === undefined || row.actor === actor);
  return [...page, ...rest.filter(({ id }) => !seen.has(id))];
}
