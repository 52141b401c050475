// The prepared statements of quota.ts.
import { bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import { quotas, usages } from '../schema/index.ts';
import { prepareMeta } from './meta.ts';

const ofAccount = sql`account_id = ${ph('accountId')}+0`;
/**
 * 300 activations: the last guard. A calendar that went back may hold more in one window, but nothing is added to it.
 */
const DAILY_LIMIT_QUARTERS = 1200;
const COUNTED = sql.raw('returned_at is null');
/** What the window's index holds: purchased activations are in no window. */
const IN_WINDOW = sql.raw('returned_at is null and daily > 0');

/** The running totals, one row an account. */
export function prepareTotals(orm: Orm) {
  return {
    // The sum runs over the covering index of usages that count.
    find: orm
      .select({
        used: quotas.used,
        purchased: quotas.purchased,
        noticed80At: quotas.noticed80At,
        noticed100At: quotas.noticed100At,
        expired: sql<number>`(select coalesce(sum(daily), 0) from ${usages} where usages.account_id = quotas.account_id
          and ${IN_WINDOW} and at > quotas.window_start and at <= ${ph('start')}+0)`,
      })
      .from(quotas)
      .where(ofAccount)
      .prepare(),
    open: orm
      .insert(quotas)
      .values({ accountId: ph('accountId'), windowStart: ph('start'), used: 0, purchased: 0 })
      .onConflictDoNothing()
      .prepare(),
    set: orm
      .update(quotas)
      .set({ used: bound('used'), windowStart: bound('start') })
      .where(ofAccount)
      .prepare(),
    add: orm
      .update(quotas)
      .set({
        used: sql`used + ${ph('daily')}`,
        purchased: sql`purchased - ${ph('purchased')}`,
        windowStart: bound('start'),
      })
      .where(
        sql`${ofAccount} and (${ph('daily')} = 0 or used + ${ph('daily')} <= ${sql.raw(String(DAILY_LIMIT_QUARTERS))})`,
      )
      .prepare(),
    // A usage that left the window counts no more: only what is still in it is taken off the total.
    subtract: orm
      .update(quotas)
      .set({
        used: sql`used - (case when ${ph('at')} > window_start then ${ph('daily')} else 0 end)`,
        purchased: sql`purchased + ${ph('purchased')}`,
      })
      .where(ofAccount)
      .prepare(),
    credit: orm
      .update(quotas)
      .set({ purchased: sql`purchased + ${ph('quarters')}` })
      .where(ofAccount)
      .prepare(),
    markNoticed: orm
      .update(quotas)
      .set({ noticed80At: bound('noticed80At'), noticed100At: bound('noticed100At') })
      .where(ofAccount)
      .prepare(),
  };
}

/** What the next process needs to measure ages as this one does. */
export function prepareScale(orm: Orm) {
  return {
    ...prepareMeta(orm, 'calendar_ahead'),
    newest: orm
      .select({ start: sql<number>`coalesce(max(window_start), 0)` })
      .from(quotas)
      .prepare(),
  };
}

/** The ledger. */
export function prepareLedger(orm: Orm) {
  return {
    insert: orm
      .insert(usages)
      .values({
        accountId: ph('accountId'),
        at: ph('at'),
        daily: ph('daily'),
        purchased: ph('purchased'),
        kind: ph('kind'),
      })
      .prepare(),
    usedAt: orm
      .select({ at: usages.at })
      .from(usages)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    giveBack: orm
      .update(usages)
      .set({ returnedAt: bound('now') })
      .where(sql`id = ${ph('id')}+0 and ${COUNTED}`)
      .returning({
        accountId: usages.accountId,
        at: usages.at,
        daily: usages.daily,
        purchased: usages.purchased,
      })
      .prepare(),
    listAfter: orm
      .select({ at: usages.at, daily: usages.daily })
      .from(usages)
      // Written out, since a bound limit without its `+` would be compiled anew at every call.
      .where(
        sql`${ofAccount} and ${IN_WINDOW} and at > ${ph('after')}+0
            order by at limit +${ph('limit')} offset +${ph('skipped')}`,
      )
      .prepare(),
  };
}

/** Whether a usage was returned, so that it counts in no window. */
export function createIsReturned(orm: Orm): (usageId: number) => boolean {
  const find = orm
    .select({ id: usages.id })
    .from(usages)
    .where(sql`id = ${ph('id')}+0 and returned_at is not null`)
    .prepare();
  return (id) => find.get({ id }) !== undefined;
}
