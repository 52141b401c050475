// What one press in the chat orders: for each of its players an order, placed or resumed together with what the chat
// keeps of it, in one transaction; and the orders of a press, as they are shown in one message.
import type { OrderRow, Store, Tables } from '../../store/index.ts';
import { momentOf } from '../../clock.ts';
import { nameActor, requirePermission, type InTransaction, type MemberActor } from '../context.ts';
import { getCurrentActor } from '../members.ts';
import { nameChatReference, pressOf, readOrderRecord, type OrderRecord } from '../order-record.ts';
import { orderNews, redemptionHold } from '../promises.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';
import { findUnknownDuplicate, type KnownDuplicates } from '../redemption/duplicates.ts';
import type { OrdersDeps } from './orders.ts';
import { placeOrder, readOrderRequest, type OrderRefused, type ReadOrderRequest } from './place.ts';
import { requireBeginning, resumeOrder } from './resume.ts';
import { findOrderOf, type SeenOrder } from './standing.ts';

/** A person's order, as they confirmed it; nothing is placed where a player has just got the same beyond `warnedOf`. */
interface PressedOrders extends KnownDuplicates {
  /** Of the confirmation: the same is placed once. */
  id: string;
  gameId: string;
  lines: readonly {
    playerId: string;
    playerName: string;
    items: readonly { denomination: number; count: number }[];
  }[];
  /** Cancelled orders, one a line, of which these are what is missing. */
  insteadOf?: readonly SeenOrder[];
}

interface ResumedOrders extends KnownDuplicates {
  id: string;
  orders: readonly SeenOrder[];
}

type PressAnswer = { status: 'pressed'; press: Press } | NotPressed;

/** Nothing was placed or resumed. */
export type NotPressed = OrderRefused | { status: 'recentDuplicate' };

/** The orders of one press, by the name of one of them. `news`: for what its messages wait. */
export interface Press {
  order: string;
  news: string;
}

/** One of the orders of a press. */
export interface OrderOfPress {
  order: OrderRecord;
  /** Nothing more of it begins. */
  isStopping: boolean;
  isOwn: boolean;
  actorLabel: ActorLabel;
}

export interface Presses {
  /**
   * All of them or none. Throws CoreError FORBIDDEN, INVALID_INPUT, SUBSCRIPTION_EXPIRED, OVERLOADED, STOPPING, and
   * whatever `inTransaction` throws.
   */
  placeTogether(
    actor: MemberActor,
    asked: PressedOrders,
    inTransaction: InTransaction<Press>,
  ): Promise<PressAnswer>;
  /** What is missing of stopped ones, all of them or none. */
  resumeTogether(
    actor: MemberActor,
    asked: ResumedOrders,
    inTransaction: InTransaction<Press>,
  ): Promise<PressAnswer>;
  /** An order with those that the same press has placed, in their order; none where it is not this person's to see. */
  listOfPress(actor: MemberActor, id: string): OrderOfPress[];
  /** The order that a redemption is the last one of, for one of its codes. */
  findOfRedemption(actor: MemberActor, redemptionId: number): OrderRecord | undefined;
  /** For what messages about an order, or about a redemption and the order that it is of, may have been held. */
  listHolds(of: { order: OrderRecord } | { redemptionId: number }): string[];
}

class NotTogether extends Error {
  readonly answer: NotPressed;
  constructor(answer: NotPressed) {
    super(answer.status);
    this.answer = answer;
  }
}

export function createPresses(deps: Pick<OrdersDeps, 'store' | 'games' | 'clock' | 'isStopping'>): Presses {
  const { store } = deps;

  /** `work` throws NotTogether where none of it is to be done. */
  async function together(
    write: ReturnType<typeof requireBeginning>,
    work: (tables: Tables) => string,
    inTransaction: InTransaction<Press>,
  ): Promise<PressAnswer> {
    try {
      return await write((tables) => {
        const row = tables.orders.findByName(work(tables));
        if (!row) throw new Error('What was ordered is not there.');
        const press = toPress(row);
        inTransaction(tables, press);
        return { status: 'pressed', press } as const;
      });
    } catch (error) {
      if (error instanceof NotTogether) return error.answer;
      throw error;
    }
  }

  return {
    async placeTogether(actor, asked, inTransaction) {
      const write = requireBeginning(deps, actor);
      const reads = toRequests(asked).map((request) => readOrderRequest(deps, actor, request));
      return together(write, (tables) => placeAll(deps, tables, { actor, asked, reads }), inTransaction);
    },
    async resumeTogether(actor, asked, inTransaction) {
      const write = requireBeginning(deps, actor);
      return together(write, (tables) => resumeAll(deps, tables, actor, asked), inTransaction);
    },
    findOfRedemption: (actor, redemptionId) =>
      store.read((tables) => {
        const found = tables.orderItems.findOrder(redemptionId);
        const row = found && findOrderOf(tables, actor, found.name);
        return row && readOrderRecord(tables, row);
      }),
    listHolds: (of) => listHolds(store, of),
    listOfPress(actor, id) {
      requirePermission(actor, 'readReceipts');
      return store.read((tables) => {
        const row = findOrderOf(tables, actor, id);
        return row ? listWith(tables, row).map((each) => describe(tables, actor, each)) : [];
      });
    },
  };
}

/** The name of the first. */
function placeAll(
  { store, clock }: Pick<OrdersDeps, 'store' | 'clock'>,
  tables: Tables,
  { actor, asked, reads }: { actor: MemberActor; asked: PressedOrders; reads: readonly ReadOrderRequest[] },
): string {
  const moment = momentOf(clock);
  requirePermission(getCurrentActor(tables, actor), 'redeem');
  reads.forEach(({ request: { gameId, playerId } }, index) => {
    const items = asked.lines[index]?.items ?? [];
    refuseDuplicates(tables, { actor, gameId, playerId, items }, asked, moment.now);
  });
  let also = 0;
  const names = reads.map((read) => {
    const answer = placeOrder(store, tables, read, moment, also);
    if (answer.status !== 'placed') throw new NotTogether(answer);
    also += answer.order.wanted.codes;
    return answer.order.id;
  });
  return names[0] ?? '';
}

function resumeAll(
  deps: Pick<OrdersDeps, 'clock'>,
  tables: Tables,
  actor: MemberActor,
  { id, orders, ...known }: ResumedOrders,
): string {
  const { now } = momentOf(deps.clock);
  orders.forEach((order, index) => {
    const row = findOrderOf(tables, actor, order.id);
    if (!row) throw new NotTogether({ status: 'notStopped' });
    const { gameId, playerId } = row;
    const items = (readOrderRecord(tables, row).missing ?? []).flatMap((each) => ('n' in each ? [] : [each]));
    refuseDuplicates(tables, { actor, gameId, playerId, items }, known, now);
    const idempotencyKey = { scope: 'chat', key: `${id}:${index + 1}` } as const;
    const answer = resumeOrder(deps, tables, actor, { ...order, idempotencyKey });
    if (answer?.status !== 'resumed') throw new NotTogether(answer ?? { status: 'notStopped' });
  });
  return orders[0]?.id ?? '';
}

/** What its messages are told by. */
export function toPress(row: Pick<OrderRow, 'name' | 'reference'>): Press {
  return { order: row.name, news: orderNews(pressOf(row)) };
}

function listHolds(store: Store, of: { order: OrderRecord } | { redemptionId: number }): string[] {
  if ('order' in of) {
    const row = store.read((tables) => tables.orders.findByName(of.order.id));
    return row ? [toPress(row).news] : [];
  }
  const { redemptionId } = of;
  const row = store.read((tables) => tables.orderItems.findOrder(redemptionId));
  return [redemptionHold(redemptionId), ...(row ? [toPress(row).news] : [])];
}

/** In the chat a bad code ends what is for its player, and nothing begins where not all of it is there. */
function toRequests({ id, gameId, lines, insteadOf }: PressedOrders) {
  return lines.map(({ playerId, playerName, items }, index) => ({
    ...{ gameId, playerId, playerName, items, insteadOf: insteadOf?.[index] },
    ...({ onShortage: 'refuse', onBadCode: 'stop' } as const),
    reference: nameChatReference(id),
    idempotencyKey: { scope: 'chat', key: `${id}:${index + 1}` } as const,
  }));
}

/** News to the person: they are asked once more. */
function refuseDuplicates(
  tables: Tables,
  order: { actor: MemberActor; gameId: string; playerId: string; items: readonly { denomination: number }[] },
  known: KnownDuplicates,
  now: number,
): void {
  const { actor, gameId, playerId, items } = order;
  const { accountId } = actor;
  for (const { denomination } of items)
    if (findUnknownDuplicate(tables, { accountId, gameId, playerId, denomination }, known, now))
      throw new NotTogether({ status: 'recentDuplicate' });
}

/** Those that one press has placed were placed in one moment. */
function listWith(tables: Tables, row: OrderRow): OrderRow[] {
  const press = pressOf(row);
  if (press === row.name) return [row];
  return tables.orders
    .listAt(row.accountId, row.createdAt)
    .filter((each) => each.reference === press)
    .sort((a, b) => a.id - b.id);
}

function describe(tables: Tables, actor: MemberActor, row: OrderRow): OrderOfPress {
  return {
    order: readOrderRecord(tables, row),
    isStopping: row.ending !== null,
    isOwn: row.actor === nameActor(actor),
    actorLabel: toActorLabel(tables, row.accountId, row.actor),
  };
}
