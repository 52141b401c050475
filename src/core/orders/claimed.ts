// The order of a claim link: what its end, and its going on, mean for the link; and the end of one that nobody claims.
import type { ClaimRow, ClaimTrouble, OrderRow, Tables } from '../../store/index.ts';
import { readClaimRecord } from '../claim-record.ts';
import { watchStock, writeNotice } from '../notices/notices.ts';
import { enqueue } from '../notices/pending-webhooks.ts';

/** Call it where an order ends, in that transaction. False: no link stands for it. */
export function settleClaim(tables: Tables, order: OrderRow, isDone: boolean, now: number): boolean {
  const claim = tables.claims.findOfOrder(order.id);
  if (!claim) return false;
  tables.claims.follow(claim.id, isDone ? 'settled' : 'stuck');
  tellOfClaim(tables, claim.id, now);
  return true;
}

/** Nobody uses it until the account says so; nothing where it is not open any more. */
export function stickClaim(tables: Tables, claim: ClaimRow, trouble: ClaimTrouble, now: number): void {
  if (tables.claims.stick(claim.id, trouble)) tellOfClaim(tables, claim.id, now);
}

/** Nobody uses it ever: what was promised to it is for others. False where it is confirmed, or over. */
export function endClaim(
  tables: Tables,
  claim: ClaimRow,
  state: 'revoked' | 'expired',
  now: number,
): boolean {
  if (!tables.claims.end(claim.id, state)) return false;
  const order = tables.orders.find(claim.orderId);
  if (!order) throw new Error(`Claim ${claim.id} has no order.`);
  const { accountId, gameId } = order;
  const denominations = new Set(tables.orderItems.list(order.id).map(({ denomination }) => denomination));
  tables.orderItems.miss(order.id);
  tables.orders.end(order, { state: 'cancelled', reason: null, now });
  for (const denomination of denominations)
    if (denomination !== null) watchStock(tables, { accountId, gameId, denomination }, now);
  return true;
}

/** As what it stands now, settled or stuck. */
function tellOfClaim(tables: Tables, claimId: number, now: number): void {
  const row = tables.claims.find(claimId);
  if (!row) return;
  const { accountId } = row;
  const claim = readClaimRecord(tables, row);
  const { playerId: _id, playerName: _name, reference: _reference, ...nameless } = claim;
  const type = row.state === 'settled' ? 'claim.settled' : 'claim.stuck';
  enqueue(tables, accountId, type, () => ({ type, claimId, claim: nameless }), now);
  if (type === 'claim.stuck') writeNotice(tables, { kind: 'claimStuck', accountId, claim }, now);
}
