// Who has used a claim link in a time that a restore has lost. By proof alone: what was carried out then and is nobody's
// is sent once more, for the player it was spent for, under the references that the link's own order has; a replay says
// that the link is used, and for whom.
import type { CoreClock } from '../../clock.ts';
import type { ClaimRow, Store, Tables } from '../../store/index.ts';
import { KEY_LIVES_MS } from '../idempotency.ts';
import type { FindRepeated } from '../redemption/repeated.ts';
import type { RedeemRequest } from '../redemption/request.ts';

const ASKED_AT_ONCE = 10;
/** For a buyer who waits; who tries again goes on where the platform answers faster. */
const ASKED_WITHIN_MS = 20_000;

/** `unproven`: whose some of it is nobody tells, since the platform names no players or takes no references. */
export type LostUser = { status: 'used'; playerId: string } | { status: 'unused' | 'unproven' };

export interface LostUserDeps {
  store: Store;
  clock: CoreClock;
  findRepeated: FindRepeated;
}

/**
 * `comer`: the player who comes with the link now. Throws CoreError OVERLOADED while it is asked what the lost time has
 * spent, or somebody cannot be asked.
 */
export async function findLostUser(deps: LostUserDeps, row: ClaimRow, comer: string): Promise<LostUser> {
  const { store, clock } = deps;
  // No reference is replayed for longer.
  if (!store.lost || clock.safeNow() - store.lost.until > KEY_LIVES_MS) return { status: 'unused' };
  const { requests, isWhole } = store.read((tables) => listPerhaps(tables, row, comer));
  const deadline = clock.elapsed() + ASKED_WITHIN_MS;
  let isProven = isWhole;
  for (let from = 0; from < requests.length; from += ASKED_AT_ONCE) {
    const some = requests.slice(from, from + ASKED_AT_ONCE);
    const told = await Promise.all(
      some.map(
        async (request) => await deps.findRepeated(row.accountId, request, '', deadline - clock.elapsed()),
      ),
    );
    const used = told.findIndex((answer) => answer?.status === 'found');
    if (used >= 0) return { status: 'used', playerId: some[used]?.playerId ?? '' };
    isProven &&= !told.some((answer) => answer?.status === 'new' && answer.beside.length > 0);
  }
  return { status: isProven ? 'unused' : 'unproven' };
}

/**
 * Each code of its order, for whoever comes and for each player who got one of that kind in the lost time. `isWhole`: all
 * of these are known by their IDs.
 */
function listPerhaps(
  tables: Tables,
  { accountId, orderId, name }: ClaimRow,
  comer: string,
): { requests: RedeemRequest[]; isWhole: boolean } {
  const order = tables.orders.find(orderId);
  if (!order) throw new Error(`Claim ${name} has no order.`);
  const { gameId } = order;
  let isWhole = true;
  const requests = tables.orderItems.list(orderId).flatMap(({ n, denomination }) => {
    if (denomination === null) return [];
    const players = tables.lost.listPlayers({ accountId, gameId, denomination });
    isWhole &&= players.every(({ isNamed }) => isNamed);
    const named = players.filter(({ isNamed }) => isNamed).map(({ playerId }) => playerId);
    const key = { scope: 'order', key: `${order.name}:${n}` } as const;
    return [...new Set([comer, ...named])].map((playerId) => ({
      ...{ gameId, playerId, denomination },
      order: { orderId, n, keyed: { key, tries: 1 } },
    }));
  });
  return { requests, isWhole };
}
