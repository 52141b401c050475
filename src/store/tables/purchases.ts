// Payments that were credited, each once, and their refunds.
import { asc, bound, desc, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { purchases } from '../schema/index.ts';

export type PurchaseRow = typeof purchases.$inferSelect;

export interface NewPurchase {
  accountId: number;
  /** The payment provider's id of the charge. */
  chargeId: string;
  kind: 'activations' | 'subscription';
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  activationsQuarters: number;
  subscriptionDays: number;
  paidBy: string;
  at: number;
}

/** Some of them, by the number of one; of all accounts where none is named. */
export interface PurchasePage {
  accountId?: number | undefined;
  id: number;
  limit: number;
}

export function createPurchasesTable(orm: Orm) {
  const insert = orm
    .insert(purchases)
    .values({
      accountId: ph('accountId'),
      chargeId: ph('chargeId'),
      kind: ph('kind'),
      currency: ph('currency'),
      amount: ph('amount'),
      activationsQuarters: ph('activationsQuarters'),
      subscriptionDays: ph('subscriptionDays'),
      paidBy: ph('paidBy'),
      at: ph('at'),
    })
    .onConflictDoNothing()
    .prepare();
  const find = orm
    .select()
    .from(purchases)
    .where(eq(purchases.chargeId, ph('chargeId')))
    .prepare();
  const pages = preparePages(orm);
  const sumBought = orm
    .select({ quarters: sql<number>`coalesce(sum(activations_quarters - refunded_quarters), 0)` })
    .from(purchases)
    .where(sql`account_id = ${ph('accountId')}+0`)
    .prepare();
  const refund = orm
    .update(purchases)
    .set({
      refundedAt: bound('now'),
      refundedQuarters: bound('quarters'),
    })
    .where(sql`charge_id = ${ph('chargeId')} and refunded_at is null`)
    .prepare();

  return {
    /** False when this charge is booked already. */
    insert: (purchase: NewPurchase) => insert.run({ ...purchase }).changes === 1,
    find: (chargeId: string) => find.get({ chargeId }),
    /** Quarters of activations bought in all, without what was taken back. */
    sumBought: (accountId: number): number => sumBought.get({ accountId })?.quarters ?? 0,
    list: (accountId: number, limit: number) =>
      pages.beforeOf.all({ accountId, id: Number.MAX_SAFE_INTEGER, limit }),
    /** By its own number. */
    get: (id: number) => pages.get.get({ id }),
    /** Newest first, those older than one; of one account or of all. */
    listBefore: (of: PurchasePage) =>
      of.accountId === undefined
        ? pages.before.all({ ...of })
        : pages.beforeOf.all({ ...of, accountId: of.accountId }),
    /** Oldest first, those newer than one. */
    listAfter: (of: PurchasePage) =>
      of.accountId === undefined
        ? pages.after.all({ ...of })
        : pages.afterOf.all({ ...of, accountId: of.accountId }),
    /** Marks a purchase as refunded with what was taken back; false when it was already. */
    markRefunded: (chargeId: string, quarters: number, now: number) =>
      refund.run({ chargeId, quarters, now }).changes === 1,
  };
}

function preparePages(orm: Orm) {
  const ofAccount = sql`account_id = ${ph('accountId')}+0`;
  const older = sql`id < ${ph('id')}+0`;
  const newer = sql`id > ${ph('id')}+0`;
  const page = () => orm.select().from(purchases);
  return {
    get: page()
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    before: page().where(older).orderBy(desc(purchases.id)).limit(ph('limit')).prepare(),
    after: page().where(newer).orderBy(asc(purchases.id)).limit(ph('limit')).prepare(),
    beforeOf: page()
      .where(sql`${ofAccount} and ${older}`)
      .orderBy(desc(purchases.id))
      .limit(ph('limit'))
      .prepare(),
    afterOf: page()
      .where(sql`${ofAccount} and ${newer}`)
      .orderBy(asc(purchases.id))
      .limit(ph('limit'))
      .prepare(),
  };
}
