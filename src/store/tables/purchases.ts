// Payments that were credited, each once, and their refunds; what invoices ask for, and charges that belong to none.
import type { purchases, purchaseOrders } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

export type PurchaseRow = typeof purchases.$inferSelect;
/** `chargeId`: the payment provider's id of the charge. `amount`: in the currency's smallest unit. */
export type NewPurchase = Omit<PurchaseRow, 'id' | 'refundedAt' | 'refundedQuarters'>;

type Page = { id: number; limit: number };
type OfAccount = { accountId: number };

/** Some of them, by the number of one; of all accounts where none is named. */
export type PurchasePage = Page & { accountId?: number | undefined };

export function createPurchasesTable(sql: Sql) {
  const insert = sql.run<NewPurchase>(`
    insert into purchases (account_id, charge_id, kind, currency, amount, activations_quarters,
      subscription_days, paid_by, at)
    values (@accountId, @chargeId, @kind, @currency, @amount, @activationsQuarters, @subscriptionDays,
      @paidBy, @at)
    on conflict do nothing`);
  const find = sql.one<{ chargeId: string }, PurchaseRow>(
    'select * from purchases where charge_id = @chargeId',
  );
  const get = sql.one<{ id: number }, PurchaseRow>('select * from purchases where id = @id');
  const before = sql.all<Page, PurchaseRow>(
    'select * from purchases where id < @id order by id desc limit @limit',
  );
  const beforeOf = sql.all<Page & OfAccount, PurchaseRow>(`
    select * from purchases where account_id = @accountId and id < @id order by id desc limit @limit`);
  const after = sql.all<Page, PurchaseRow>('select * from purchases where id > @id order by id limit @limit');
  const afterOf = sql.all<Page & OfAccount, PurchaseRow>(`
    select * from purchases where account_id = @accountId and id > @id order by id limit @limit`);
  const sumBought = sql.one<OfAccount, { quarters: number }>(`
    select coalesce(sum(activations_quarters - refunded_quarters), 0) as quarters
    from purchases where account_id = @accountId`);
  const refund = sql.run<{ chargeId: string; quarters: number; now: number }>(`
    update purchases set refunded_at = @now, refunded_quarters = @quarters
    where charge_id = @chargeId and refunded_at is null`);

  return {
    /** False when this charge is booked already. */
    insert: (purchase: NewPurchase) => insert(purchase) === 1,
    find: (chargeId: string) => find({ chargeId }),
    /** Quarters of activations bought in all, without what was taken back. */
    sumBought: (accountId: number): number => sumBought({ accountId })?.quarters ?? 0,
    list: (accountId: number, limit: number) => beforeOf({ accountId, id: Number.MAX_SAFE_INTEGER, limit }),
    /** By its own number. */
    get: (id: number) => get({ id }),
    /** Newest first, those older than one; of one account or of all. */
    listBefore: ({ accountId, ...page }: PurchasePage) =>
      accountId === undefined ? before(page) : beforeOf({ ...page, accountId }),
    /** Oldest first, those newer than one. */
    listAfter: ({ accountId, ...page }: PurchasePage) =>
      accountId === undefined ? after(page) : afterOf({ ...page, accountId }),
    /** Marks a purchase as refunded with what was taken back; false when it was already. */
    markRefunded: (chargeId: string, quarters: number, now: number) =>
      refund({ chargeId, quarters, now }) === 1,
  };
}

type PurchaseOrderRow = typeof purchaseOrders.$inferSelect;
/** `id`: opaque, the payload of the invoice. `count`: thousands of activations, or days of subscription. */
export type PurchaseOrder = Omit<PurchaseOrderRow, 'chargeId'>;

/** What invoices ask money for: kept with the invoice, and known for as long as its payment may be told. */
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

export interface ChargeNote {
  chargeId: string;
  /** `unbooked`: it was taken and belongs to no order. `refunded`: it went back. */
  kind: 'unbooked' | 'refunded';
  /** The Telegram id of whoever paid. */
  payerId: number;
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  at: number;
}

/** What Telegram told of charges that no payment is booked for: known for good, told once. */
export function createChargeNotesTable(sql: Sql) {
  const save = sql.run<ChargeNote>(`
    insert into charge_notes (charge_id, kind, payer_id, currency, amount, at)
    values (@chargeId, @kind, @payerId, @currency, @amount, @at)
    on conflict do nothing`);
  const find = sql.one<Pick<ChargeNote, 'chargeId' | 'kind'>, ChargeNote>(`
    select * from charge_notes where charge_id = @chargeId and kind = @kind`);
  return {
    /** The same again changes nothing. */
    save: (note: ChargeNote) => void save(note),
    find: (chargeId: string, kind: ChargeNote['kind']) => find({ chargeId, kind }),
  };
}
