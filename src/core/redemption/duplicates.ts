// Recent duplicates: what the player has just got, or what is ordered for them, which a person is warned of before money
// moves.
import type { OrderRow, Store, Tables } from '../../store/index.ts';
import { type AccountActor, requirePermission } from '../context.ts';
import { foldWritten } from '../folding.ts';
import { type ActorLabel, toActorLabel, LOST_ACTOR } from '../receipts/receipts.ts';

/** What is to be redeemed, of the code database. */
export interface RedeemItem {
  gameId: string;
  playerId: string;
  denomination: number;
}

/** An earlier redemption, or an order, of the same denomination for the same player in this account. */
export interface RecentDuplicate {
  /** 0 where none has begun. */
  redemptionId: number;
  /** The newest order that has yet to begin one; 0 for none. */
  orderId: number;
  state: 'pending' | 'in_doubt' | 'redeemed' | 'ordered';
  createdAt: number;
  actorLabel: ActorLabel;
}

/** What a person was warned of: a newer one is news to them. */
export interface KnownDuplicates {
  /** The newest that they saw; 0 for none. */
  warnedOf: number;
  /** The newest order that they saw. */
  warnedOfOrder?: number | undefined;
  /** Redemptions of this very order. */
  own?: readonly number[];
}

export type FindRecentDuplicate = (actor: AccountActor, wanted: RedeemItem) => RecentDuplicate | undefined;

/** From the document of the bot. */
const JUST_NOW_MS = 10 * 60 * 1000;
/** Of what a lost time carried out: who asked for it may not know. */
const RECOVERED_MS = 75 * 60 * 1000;
/** Of one player: what is open and older than so many others is no oversight of today. */
const LOOKED_THROUGH = 100;

/** The newest one begun less than ten minutes ago, or under way or in doubt, whoever began it. Throws FORBIDDEN. */
export function createFindRecentDuplicate({
  store,
  clock,
}: {
  store: Store;
  clock: { now(): number };
}): FindRecentDuplicate {
  return (actor, wanted) => {
    requirePermission(actor, 'redeem');
    return store.read((tables) => {
      const { accountId } = actor;
      const playerId = foldWritten(wanted.playerId);
      return findDuplicate(tables, { ...wanted, playerId, accountId }, clock.now());
    });
  };
}

/** The same inside a transaction, past what a person was warned of. */
export function findUnknownDuplicate(
  tables: Tables,
  wanted: RedeemItem & { accountId: number },
  { warnedOf, warnedOfOrder = 0, own = [] }: KnownDuplicates,
  now: number,
): RecentDuplicate | undefined {
  const isOfKnown = (id: number) => tables.orderItems.findOrder(id)?.id === warnedOfOrder;
  return findDuplicate(tables, wanted, now, {
    redemption: ({ id }) => id > warnedOf && !own.includes(id) && !isOfKnown(id),
    order: ({ id }) => id > warnedOfOrder,
  });
}

/** The newest redemption of it, and the newest order that is yet to begin one. */
function findDuplicate(
  tables: Tables,
  wanted: RedeemItem & { accountId: number },
  now: number,
  counts: { redemption?: (row: Row) => boolean; order?: (row: OrderRow) => boolean } = {},
): RecentDuplicate | undefined {
  const row = findRecent(tables, wanted, now, counts.redemption);
  const order = findOrdered(tables, wanted, counts.order);
  const [newest, state] = row ? [row, row.state as RecentDuplicate['state']] : [order, 'ordered' as const];
  if (!newest) return undefined;
  const actorLabel = toActorLabel(tables, wanted.accountId, newest.actor);
  const { createdAt } = newest;
  return { redemptionId: row?.id ?? 0, orderId: order?.id ?? 0, state, createdAt, actorLabel };
}

/** The newest order that goes on and has yet to begin one of these. */
function findOrdered(
  tables: Tables,
  { accountId, gameId, playerId, denomination }: RedeemItem & { accountId: number },
  counts: (row: OrderRow) => boolean = () => true,
): OrderRow | undefined {
  const isWanted = (row: OrderRow) =>
    tables.orderItems
      .list(row.id)
      .some((item) => item.denomination === denomination && item.state === 'waiting');
  return tables.orders
    .listOpenOfPlayer(accountId, playerId)
    .find((row) => row.gameId === gameId && row.ending === null && counts(row) && isWanted(row));
}

type Row = ReturnType<Tables['receiptDetails']['listOfPlayer']>[number];

function findRecent(
  tables: Tables,
  { accountId, gameId, playerId, denomination }: RedeemItem & { accountId: number },
  now: number,
  counts: (row: Row) => boolean = () => true,
): Row | undefined {
  return tables.receiptDetails
    .listOfPlayer(accountId, playerId, LOOKED_THROUGH)
    .find(
      (row) =>
        row.gameId === gameId &&
        (row.denomination ?? row.amount) === denomination &&
        isFresh(row, now) &&
        counts(row),
    );
}

function isFresh({ state, actor, createdAt }: Row, now: number): boolean {
  if (state === 'failed') return false;
  const freshMs = actor === LOST_ACTOR ? RECOVERED_MS : JUST_NOW_MS;
  return state !== 'redeemed' || createdAt > now - freshMs;
}
