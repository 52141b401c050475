// Whether what was begun may be sent to an upstream once more: by then its order may be cancelled or over, its key
// revoked, the upstream paused.
import type { Upstream } from '../../platform/port.ts';
import type { StoredRedemption, Tables } from '../../store/index.ts';
import { CoreError } from '../errors.ts';
import { getRedeemer } from '../members.ts';

/** Call it in the transaction that writes down that it is sent. */
export function isStillWanted(
  tables: Tables,
  { id, accountId, actor }: Pick<StoredRedemption, 'id' | 'accountId' | 'actor'>,
  { name, tier }: Upstream,
  now: number,
): boolean {
  if (tier === 0 || tables.upstreamPauses.find()[name]) return false;
  const order = tables.orderItems.findOrder(id);
  if (order && (order.ending ?? order.endedAt) !== null) return false;
  if (order && order.deadline !== null && now >= order.deadline) return false;
  try {
    getRedeemer(tables, { accountId, actor });
    return true;
  } catch (error) {
    if (error instanceof CoreError) return false;
    throw error;
  }
}
