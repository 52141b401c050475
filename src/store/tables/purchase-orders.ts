// Purchase orders, what invoices ask money for: kept with the invoice, and known for as long as its payment may be
// told.
import type { purchaseOrders } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type PurchaseOrderRow = typeof purchaseOrders.$inferSelect;
/** `id`: opaque, the payload of the invoice. `count`: thousands of activations, or days of subscription. */
export type PurchaseOrder = Omit<PurchaseOrderRow, 'chargeId'>;

export function createPurchaseOrdersTable(sql: Sql) {
  const orders = purchaseOrdersOf(sql);
  return {
    save: (order: PurchaseOrder) => void orders.save(order),
    find: (id: string) => orders.find({ id }),
    /** Notes the first charge that was booked for an order; another one changes nothing. */
    markPaid: (id: string, chargeId: string) => void orders.markPaid({ id, chargeId }),
    prune: (until: number, limit: number) => orders.prune({ until, limit }),
  };
}

type OfId = { id: string };

const purchaseOrdersOf = (sql: Sql) => ({
  save: sql.run<PurchaseOrder>(`
    insert into purchase_orders (id, account_id, ordered_by, kind, count, currency, amount, at)
    values (@id, @accountId, @orderedBy, @kind, @count, @currency, @amount, @at)
    on conflict do nothing`),
  find: sql.one<OfId, PurchaseOrderRow>('select * from purchase_orders where id = @id'),
  markPaid: sql.run<OfId & { chargeId: string }>(
    'update purchase_orders set charge_id = @chargeId where id = @id and charge_id is null',
  ),
  prune: sql.run<{ until: number; limit: number }>(`
    delete from purchase_orders
    where id in (select id from purchase_orders where at <= @until order by at limit @limit)`),
});
