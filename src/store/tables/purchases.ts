// Payments that were credited, each once, and their refunds.
import type { purchases } from '../schema/index.ts';
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
