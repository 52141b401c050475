// The player of a claim link as the account says it, in the stead of whoever has the link: by the road of the page's
// confirmation.
import { momentOf } from '../../clock.ts';
import type { ClaimRow, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import type { ClaimRecord } from '../claim-record.ts';
import { requirePermission, type AccountActor, type InTransaction } from '../context.ts';
import { getCurrentActor } from '../members.ts';
import { toPress, type Press } from '../orders/presses.ts';
import { requireBeginning } from '../orders/resume.ts';
import { requireSubscription } from '../quota/usage.ts';
import { findOf, readNow, type Claims } from './claims.ts';
import { findLostUser } from './lost-user.ts';
import { beginOnce, isShort, type VisitDeps } from './visits.ts';

/** `claim`: with the player that it is for, who is another where a lost time has used it. `press`: its order. */
interface BegunClaim {
  status: 'begun';
  claim: ClaimRecord;
  press: Press;
}

/**
 * `inUse`: there is an order that goes on or has redeemed something, or the claim is over. `shortage`: its codes are not
 * in stock. `unproven`: nobody tells whether a lost time has used it; said once, and the same again begins it.
 */
type SetPlayerAnswer = BegunClaim | { status: 'inUse' | 'shortage' | 'unproven' };

/**
 * Opens a stuck claim, and begins its order for this player; `playerName`: as a person confirmed it, left out where the
 * platform tells none. Safe to repeat. undefined: there is no such claim. Throws CoreError FORBIDDEN,
 * SUBSCRIPTION_EXPIRED, OVERLOADED, STOPPING.
 */
export type SetPlayer = (
  actor: AccountActor,
  id: string,
  player: { playerId: string; playerName?: string | undefined },
  inTransaction?: InTransaction<BegunClaim>,
) => Promise<SetPlayerAnswer | undefined>;

export function createSetPlayer(deps: VisitDeps & Pick<Claims, 'reopen'>): SetPlayer {
  const { store, clock } = deps;
  return async (actor, id, player, inTransaction) => {
    requirePermission(actor, 'manageClaims');
    const write = requireBeginning(deps, actor);
    const find = (tables: Tables): ClaimRow | undefined => {
      requirePermission(getCurrentActor(tables, actor), 'manageClaims');
      requireSubscription(tables, actor.accountId, momentOf(clock));
      return findOf(tables, actor, id);
    };
    const found = store.read((tables) => {
      const row = find(tables);
      return row && { row, isMissing: row.state === 'stuck' && isMissing(tables, row) };
    });
    if (!found) return undefined;
    if (found.isMissing) return { status: 'shortage' };
    if (found.row.state === 'stuck') await deps.reopen(actor, id);
    const row = store.read(find);
    if (row?.state !== 'open') return { status: 'inUse' };
    const before = await findLostUser(deps, row, player.playerId);
    return write((tables): SetPlayerAnswer => {
      const current = find(tables);
      if (current?.state !== 'open' || current.orderId !== row.orderId) return { status: 'inUse' };
      const moment = momentOf(clock);
      if (beginOnce(tables, current, player, before, moment).status !== 'confirmed')
        return { status: explain(tables, current) };
      record(tables, actor, 'claimPlayerSet', { object: `claim:${id}` }, moment.now);
      const order = tables.orders.find(current.orderId);
      if (!order) throw new Error(`Claim ${id} has no order.`);
      const answer = {
        status: 'begun',
        claim: readNow(tables, current),
        press: toPress(order),
      } as const;
      inTransaction?.(tables, answer);
      return answer;
    });
  };
}

function isMissing(tables: Tables, row: ClaimRow): boolean {
  const order = tables.orders.find(row.orderId);
  return order !== undefined && isShort(tables, row, order.gameId);
}

/** Why it was not begun: it is stuck now, or its time was over. */
function explain(tables: Tables, { id }: ClaimRow): 'inUse' | 'shortage' | 'unproven' {
  const { trouble } = tables.claims.find(id) ?? {};
  if (trouble === 'shortage') return 'shortage';
  return trouble === 'afterRestore' ? 'unproven' : 'inUse';
}
