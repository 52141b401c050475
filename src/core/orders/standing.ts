// Whose orders somebody sees; and where what is missing of an ended one stands: it goes on once, as itself or as another
// order, and whoever has it go on names what they saw of it, which is compared in the transaction of that.
import type { OrderRow, Tables } from '../../store/index.ts';
import { grantOf, nameActor, type AccountActor } from '../context.ts';
import { findHolder, standingOf } from '../order-record.ts';

/** Nothing goes on: it has not ended or stands otherwise than was seen, or it went on as another order, unseen. */
export type NotGoingOn = { status: 'notStopped' } | { status: 'replaced'; by: string };

/** What of an ended order goes on, as it was seen. */
export interface SeenOrder {
  id: string;
  /** Its `standing`, as it was told; without: whatever it is, while it did not go on as another. */
  seen?: string | undefined;
}

/** Whoever reads the receipts of others sees their orders; anybody else sees their own. */
export const seesAll = (actor: AccountActor): boolean => grantOf(actor, 'readReceipts') === 'yes';

export function findOrderOf(tables: Tables, actor: AccountActor, id: string): OrderRow | undefined {
  const row = tables.orders.findByName(id);
  // What nobody has claimed is no order yet.
  if (row?.accountId !== actor.accountId || row.playerId === '') return undefined;
  return seesAll(actor) || row.actor === nameActor(actor) ? row : undefined;
}

const isMissing = ({ state }: OrderRow): boolean => state === 'stopped' || state === 'cancelled';

/** Why what is missing of it does not go on for whoever saw it so. */
export function refuseUnseen(tables: Tables, row?: OrderRow, seen?: string): NotGoingOn | undefined {
  if (!row || !isMissing(row)) return { status: 'notStopped' };
  const holder = findHolder(tables, row);
  if (seen === undefined ? holder === row : seen === standingOf(row, holder)) return undefined;
  return holder === row ? { status: 'notStopped' } : { status: 'replaced', by: holder.name };
}

/** It goes on as the order of this name: so does what is missing of the one that it went on as before. */
export function goOnAs(tables: Tables, row: OrderRow, by: string): void {
  const holder = findHolder(tables, row);
  // What is whole or goes on is wanted beside it, and nothing of that goes on as another.
  const isRest = isMissing(holder);
  if (isRest && holder.name !== by) tables.orders.replace(holder.id, by);
  if (holder !== row && (isRest || row.name !== by))
    tables.orders.replace(row.id, row.name === by ? null : by);
}
