// A claim link as it is read: what it is for, how far it has come, whom it was redeemed for. Nothing in it opens the
// link: its token is kept nowhere.
import type { ClaimRow, ClaimState, ClaimTrouble, Tables } from '../store/index.ts';

/** Times are milliseconds UTC. */
export interface ClaimRecord {
  /** `clm_…` */
  id: string;
  state: ClaimState;
  /** Of one that is stuck. */
  trouble?: ClaimTrouble;
  gameId: string;
  items: { denomination: number; count: number }[];
  amount: number;
  /** How many of its codes are promised to it; none once they are redeemed. */
  promised: number;
  reference?: string;
  language?: string;
  createdAt: number;
  expiresAt: number;
  confirmedAt?: number;
  /** The order by which it is redeemed, once somebody has confirmed a player. */
  orderId?: string;
  playerId?: string;
  playerName?: string;
}

/** Throws where its order is not there. */
export function readClaimRecord(tables: Tables, row: ClaimRow): ClaimRecord {
  const order = tables.orders.find(row.orderId);
  if (!order) throw new Error(`Claim ${row.id} has no order.`);
  const places = tables.orderItems.list(row.orderId);
  const items = [...Map.groupBy(places, ({ denomination }) => denomination ?? 0)].map(
    ([denomination, { length: count }]) => ({ denomination, count }),
  );
  const { name: id, state, trouble, reference, language, createdAt, expiresAt, confirmedAt } = row;
  const playerName = places.find((item) => item.playerName !== null)?.playerName ?? order.playerName;
  return {
    ...{ id, state, createdAt, expiresAt, gameId: order.gameId, items },
    amount: items.reduce((sum, { denomination, count }) => sum + denomination * count, 0),
    promised: places.filter(({ promised }) => promised > 0).length,
    ...(trouble !== null && { trouble }),
    ...(reference !== null && { reference }),
    ...(language !== null && { language }),
    ...(confirmedAt !== null && { confirmedAt, orderId: order.name, playerId: order.playerId }),
    ...(confirmedAt !== null && playerName !== null && { playerName }),
  };
}
