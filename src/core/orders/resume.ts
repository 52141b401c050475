// Who may begin something, and see whose orders; and what is missing of a stopped one begun once more.
import type { Store, Tables } from '../../store/index.ts';
import { momentOf, type CoreClock } from '../../clock.ts';
import { nameActor, requirePermission, type AccountActor } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { getCurrentActor } from '../members.ts';
import { getOrderRecord, type OrderRecord } from '../order-record.ts';
import { promiseTo } from './advance.ts';
import { enqueueSteps, invalid, isDeadline } from './place.ts';
import { findOrderOf, goOnAs, refuseUnseen, type NotGoingOn } from './standing.ts';

export interface ResumeRequest {
  deadline?: number;
  idempotencyKey: IdempotencyKey;
  /** Its `standing`, as whoever asks was told; without, one that went on as another is not resumed. */
  seen?: string | undefined;
}

/** Only an order that has stopped is resumed. */
export type ResumeAnswer = { status: 'resumed'; order: OrderRecord; replayed: boolean } | NotGoingOn;

/** What writes the beginning. Throws CoreError FORBIDDEN, OVERLOADED, STOPPING. */
export function requireBeginning(
  { store, isStopping }: { store: Store; isStopping: () => boolean },
  actor: AccountActor,
): ReturnType<typeof refuseOverload> {
  requirePermission(actor, 'redeem');
  if (isStopping()) throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');
  return refuseOverload(store, actor);
}

export function resumeOrder(
  { clock }: { clock: CoreClock },
  tables: Tables,
  actor: AccountActor,
  { id, deadline, idempotencyKey, seen }: ResumeRequest & { id: string },
): ResumeAnswer | undefined {
  const moment = momentOf(clock);
  const { now } = moment;
  const described = JSON.stringify(['resume', id, deadline ?? null]);
  const key = useKey(tables, actor.accountId, idempotencyKey, described, moment);
  const earlier = key.earlier?.orderId;
  if (typeof earlier === 'number')
    return { status: 'resumed', order: getOrderRecord(tables, earlier), replayed: true };
  requirePermission(getCurrentActor(tables, actor), 'redeem');
  const row = findOrderOf(tables, actor, id);
  if (!row) return undefined;
  if (!isDeadline(deadline, now)) throw invalid('deadline', 'must be in the future, 7 days at most');
  const refused = row.state === 'stopped' ? refuseUnseen(tables, row, seen) : undefined;
  if (refused) return refused;
  // Of a link it goes on by the link's rights: those of whoever resumed it may end.
  const claim = tables.claims.findOfOrder(row.id);
  const by = claim ? row.actor : nameActor(actor);
  if (!tables.orders.resume(row, { actor: by, deadline: deadline ?? null })) return { status: 'notStopped' };
  if (claim) tables.claims.follow(claim.id, 'confirmed');
  goOnAs(tables, row, row.name);
  tables.orderItems.resume(row.id);
  key.remember({ orderId: row.id });
  promiseTo(tables, row, tables.orderItems.list(row.id), now);
  enqueueSteps(tables, row.id, now);
  return { status: 'resumed', order: getOrderRecord(tables, row.id), replayed: false };
}
