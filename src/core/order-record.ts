// An order as it is read: how far it has come, what it waits for, what is missing. It holds no code and no credentials:
// each code is an ordinary redemption, with a receipt of its own.
import type { OrderRow, OrderState, OrderWait, StoredOrderItem, Tables } from '../store/index.ts';

/** Why an order stopped before its end. */
export const ORDER_STOP_REASONS = [
  /** One of its doubts did not end as redeemed, or something smelled of one. */
  'DOUBT',
  /** Codes that were given failed; all others are redeemed. */
  'ITEMS_FAILED',
  /** Bad codes, where none is replaced, or too many were. */
  'CODE_USED',
  'INVALID_CODE',
  /** The rest would fail, too. */
  'CHARACTER_NOT_FOUND',
  'RISK_CONTROL',
  /** What it waited for for too long. */
  'NO_ACCOUNTS_AVAILABLE',
  'LOGIN_FAILED',
  'NETWORK_ERROR',
  'NOT_ENOUGH_STOCK',
  'QUOTA_EXCEEDED',
  'SUBSCRIPTION_EXPIRED',
  /** Its deadline passed while it ran. */
  'DEADLINE',
  /** Whoever ordered may not redeem any more. */
  'KEY_REVOKED',
  'FORBIDDEN',
  /** A backup was restored while it was open. */
  'RESTORED',
] as const;
export type OrderStopReason = (typeof ORDER_STOP_REASONS)[number];

type OrderItemRecordState = 'waiting' | 'running' | 'inDoubt' | 'redeemed' | 'failed' | 'missing';

/** One of its codes, from 1 on. */
export interface OrderItemRecord {
  n: number;
  /** Absent of a code that was given. */
  denomination?: number;
  state: OrderItemRecordState;
  /** Of its newest redemption, once there is one. */
  redemptionId?: number;
  /** Redeemed, where that is known. */
  amount?: number;
}

/** Times are milliseconds UTC. */
export interface OrderRecord {
  /** `ord_…` */
  id: string;
  state: OrderState;
  /** While it waits. */
  waitsFor?: OrderWait;
  /** Of one that stopped. */
  reason?: OrderStopReason;
  gameId: string;
  playerId: string;
  /** Where the platform told it, or a person confirmed it. */
  playerName?: string;
  reference?: string;
  createdAt: number;
  deadline?: number;
  endedAt?: number;
  /** 1, and one more for each time it was resumed. */
  run: number;
  /** The order, maybe for another player, as which what was missing of it goes on, or went on last. */
  replacedBy?: string;
  /** Where what is missing of it stands: another whenever that went on, as this order or as another. */
  standing: string;
  /** `amount` is absent where a code was given. */
  wanted: { codes: number; amount?: number };
  redeemed: { codes: number; amount: number };
  /** Redemptions under way or in doubt. */
  open: number;
  failed: number;
  items: OrderItemRecord[];
  /** Of one that ended without all: by denomination, and codes that were given by their place. */
  missing?: ({ denomination: number; count: number } | { n: number })[];
}

/** What the reference of an order of the chat begins with: no reference of a program has a space. */
const OF_CHAT = 'chat ';
export const nameChatReference = (confirmationId: string): string => `${OF_CHAT}${confirmationId}`;

/** A program's own; what the chat's are found by tells nobody anything. */
export const ownReference = (reference: string | null): { reference?: string } =>
  reference === null || reference.startsWith(OF_CHAT) ? {} : { reference };

/** What the orders of one press in the chat have in common; of any other order, its name. */
export const pressOf = ({ name, reference }: Pick<OrderRow, 'name' | 'reference'>): string =>
  reference?.startsWith(OF_CHAT) ? reference : name;

/** The order in which what was missing of one stands now: the last as which it went on, or itself. */
export function findHolder(tables: Tables, row: OrderRow): OrderRow {
  const next = row.replacedBy === null ? undefined : tables.orders.findByName(row.replacedBy);
  return next ? findHolder(tables, next) : row;
}

/** The run of a resumed one tells what is missing from what was. */
export const standingOf = (row: OrderRow, holder: OrderRow): string =>
  holder === row ? `${row.run}` : `${row.run}.${holder.name}.${holder.run}`;

/** Throws where there is none. */
export function getOrderRecord(tables: Tables, orderId: number): OrderRecord {
  const row = tables.orders.find(orderId);
  if (!row) throw new Error(`Order ${orderId} is not there.`);
  return readOrderRecord(tables, row);
}

/** Of one that somebody has claimed. */
export function readOrderRecord(tables: Tables, row: OrderRow): OrderRecord {
  const items = tables.orderItems.list(row.id);
  const holder = findHolder(tables, row);
  const redeemed = items.filter(({ state, redemption }) => state === 'redeemed' || redemption === 'redeemed');
  const records = items.map(toItem);
  const playerName = items.find((item) => item.playerName !== null)?.playerName ?? row.playerName;
  const amounts = items.map(({ denomination }) => denomination);
  const isWhole = amounts.every((amount) => amount !== null);
  const count = (...states: OrderItemRecordState[]) =>
    records.filter(({ state }) => states.includes(state)).length;
  return {
    id: row.name,
    state: row.state as OrderState,
    ...(row.waitsFor !== null && { waitsFor: row.waitsFor }),
    ...(row.reason !== null && { reason: row.reason as OrderStopReason }),
    gameId: row.gameId,
    playerId: row.playerId,
    ...(playerName !== null && { playerName }),
    ...ownReference(row.reference),
    createdAt: row.createdAt,
    ...(row.deadline !== null && { deadline: row.deadline }),
    ...(row.endedAt !== null && { endedAt: row.endedAt }),
    run: row.run,
    ...(holder !== row && { replacedBy: holder.name }),
    standing: standingOf(row, holder),
    wanted: { codes: items.length, ...(isWhole && { amount: sum(amounts) }) },
    redeemed: {
      codes: redeemed.length,
      amount: sum(redeemed.map(({ amount, denomination }) => amount ?? denomination)),
    },
    open: count('running', 'inDoubt'),
    failed: count('failed'),
    items: records,
    ...(row.endedAt !== null && row.state !== 'done' && { missing: listMissing(items) }),
  };
}

function sum(amounts: readonly (number | null)[]): number {
  return amounts.reduce((total: number, amount) => total + (amount ?? 0), 0);
}

function toItem(item: StoredOrderItem): OrderItemRecord {
  const { n, denomination, redemptionId, amount } = item;
  const state = stateOf(item);
  const told = amount ?? denomination;
  return {
    n,
    ...(denomination !== null && { denomination }),
    state,
    ...(redemptionId !== null && { redemptionId }),
    ...(state === 'redeemed' && told !== null && { amount: told }),
  };
}

/** The end of a redemption is known before its order has made its next step. */
function stateOf({ state, redemption }: StoredOrderItem): OrderItemRecordState {
  if (state !== 'open') return state;
  if (redemption === 'redeemed') return 'redeemed';
  return redemption === 'in_doubt' ? 'inDoubt' : 'running';
}

function listMissing(items: readonly StoredOrderItem[]): NonNullable<OrderRecord['missing']> {
  const missing = items.filter(({ state }) => state === 'missing' || state === 'failed');
  const counts = new Map<number, number>();
  for (const { denomination } of missing)
    if (denomination !== null) counts.set(denomination, (counts.get(denomination) ?? 0) + 1);
  const given = missing.filter(({ denomination }) => denomination === null).map(({ n }) => ({ n }));
  return [...[...counts].map(([denomination, count]) => ({ denomination, count })), ...given];
}
