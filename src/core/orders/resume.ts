// Who may begin something, and see whose orders; and what is missing of a stopped one begun once more.
import type { OrderRow, Store, Tables } from '../../store/index.ts';
import { momentOf, type CoreClock } from '../../clock.ts';
import { grantOf, nameActor, requirePermission, type AccountActor } from '../context.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { getCurrentActor } from '../members.ts';
import { getOrderRecord, type OrderRecord } from '../order-record.ts';
import { promiseTo } from './advance.ts';
import { enqueueSteps, isDeadline } from './place.ts';

export interface ResumeRequest {
  deadline?: number;
  idempotencyKey: IdempotencyKey;
  /** The order that went on instead of it, known to whoever resumes both. */
  beside?: string | undefined;
}

/**
 * Only an order that has stopped is resumed; one that went on as another, for another player, where that is known to
 * whoever asks.
 */
export type ResumeAnswer =
  | { status: 'resumed'; order: OrderRecord; replayed: boolean }
  | { status: 'notStopped' }
  | { status: 'replaced'; by: string };

/** Throws CoreError FORBIDDEN, OVERLOADED, STOPPING. */
export function requireBeginning(
  { store, isStopping }: { store: Store; isStopping: () => boolean },
  actor: AccountActor,
): void {
  requirePermission(actor, 'redeem');
  if (isStopping()) throw new CoreError('STOPPING', 'The service is stopping. Try again in a moment.');
  refuseOverload(store);
}

/** Whoever reads the receipts of others sees their orders; anybody else sees their own. */
export const seesAll = (actor: AccountActor): boolean => grantOf(actor, 'readReceipts') === 'yes';

export function findOrderOf(tables: Tables, actor: AccountActor, id: string): OrderRow | undefined {
  const row = tables.orders.findByName(id);
  if (row?.accountId !== actor.accountId) return undefined;
  return seesAll(actor) || row.actor === nameActor(actor) ? row : undefined;
}

export function resumeOrder(
  { clock }: { clock: CoreClock },
  tables: Tables,
  actor: AccountActor,
  { id, deadline, idempotencyKey, beside }: ResumeRequest & { id: string },
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
  if (!isDeadline(deadline, now))
    throw new CoreError('INVALID_INPUT', 'The deadline must be in the future, 7 days at most.');
  if (row.state === 'stopped' && row.replacedBy !== null && row.replacedBy !== beside)
    return { status: 'replaced', by: row.replacedBy };
  if (!tables.orders.resume(row, { actor: nameActor(actor), deadline: deadline ?? null }))
    return { status: 'notStopped' };
  tables.orderItems.resume(row.id);
  key.remember({ orderId: row.id });
  promiseTo(tables, row, tables.orderItems.list(row.id), now);
  enqueueSteps(tables, row.id, now);
  return { status: 'resumed', order: getOrderRecord(tables, row.id), replayed: false };
}
