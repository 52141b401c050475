// Purchase orders, what invoices ask money for: kept with the invoice, and known for as long as its payment may be
// told.
import { bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { purchaseOrders } from '../schema/index.ts';

export interface PurchaseOrder {
  /** Opaque; the payload of the invoice. */
  id: string;
  accountId: number;
  /** The Telegram id of the member who asked. */
  orderedBy: number;
  kind: 'activations' | 'subscription';
  /** Thousands of activations, or days of subscription. */
  count: number;
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  at: number;
}

export function createPurchaseOrdersTable(orm: Orm) {
  const queries = prepareOrders(orm);
  return {
    save: (order: PurchaseOrder) => void queries.save.run({ ...order }),
    find(id: string): (PurchaseOrder & { chargeId: string | null }) | undefined {
      return queries.find.get({ id });
    },
    /** Notes the first charge that was booked for an order; another one changes nothing. */
    markPaid: (id: string, chargeId: string) => void queries.markPaid.run({ id, chargeId }),
    prune: (until: number, limit: number) => queries.prune.run({ until, limit }).changes,
  };
}

function prepareOrders(orm: Orm) {
  return {
    save: orm
      .insert(purchaseOrders)
      .values({
        id: ph('id'),
        accountId: ph('accountId'),
        orderedBy: ph('orderedBy'),
        kind: ph('kind'),
        count: ph('count'),
        currency: ph('currency'),
        amount: ph('amount'),
        at: ph('at'),
      })
      .onConflictDoNothing()
      .prepare(),
    find: orm
      .select()
      .from(purchaseOrders)
      .where(eq(purchaseOrders.id, ph('id')))
      .prepare(),
    markPaid: orm
      .update(purchaseOrders)
      .set({ chargeId: bound('chargeId') })
      .where(sql`id = ${ph('id')} and charge_id is null`)
      .prepare(),
    prune: orm
      .delete(purchaseOrders)
      .where(
        sql`id in (select id from purchase_orders where at <= ${ph('until')} order by at limit ${ph('limit')})`,
      )
      .prepare(),
  };
}
