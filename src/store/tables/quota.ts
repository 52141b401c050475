// The running total of each account and the ledger it is the sum of. Amounts are quarters of an activation.
// Invariant: quotas.used = sum(usages.daily) over usages of the account with at > windowStart that were not returned.
import type { usages } from '../schema/index.ts';
import type { Sql } from '../sql.ts';
import { keepsInMeta } from './meta.ts';

/** An account's balance with the window rolled to one moment. */
export interface RolledQuota {
  used: number;
  purchased: number;
  noticed80At: number;
  noticed100At: number;
}

export interface NewUsage {
  accountId: number;
  at: number;
  /** Where the window begins at this moment: what `roll` was told. */
  start: number;
  daily: number;
  purchased: number;
  kind: string;
  /** The key by which it was ordered. */
  apiKeyId?: number | undefined;
}

const EMPTY: RolledQuota = { used: 0, purchased: 0, noticed80At: 0, noticed100At: 0 };

/**
 * 300 activations: the last guard. A calendar that went back may hold more in one window, but nothing is added to it.
 */
const DAILY_LIMIT_QUARTERS = 1200;
/** What the window's index holds: purchased activations are in no window. */
const IN_WINDOW = 'returned_at is null and daily > 0';

type Account = { accountId: number };

/** The running totals, one row an account. Bound with `+ 0`, since they are read and written in every redemption. */
const totalsOf = (sql: Sql) => ({
  // The sum runs over the covering index of usages that count.
  find: sql.one<Account & { start: number }, RolledQuota & { expired: number }>(`
    select used, purchased, noticed_80_at, noticed_100_at, (
      select coalesce(sum(daily), 0) from usages where usages.account_id = quotas.account_id
      and ${IN_WINDOW} and at > quotas.window_start and at <= @start + 0) as expired
    from quotas where account_id = @accountId + 0`),
  open: sql.run<Account & { start: number }>(`
    insert into quotas (account_id, window_start, used, purchased) values (@accountId, @start, 0, 0)
    on conflict do nothing`),
  set: sql.run<Account & { used: number; start: number }>(
    'update quotas set used = @used, window_start = @start where account_id = @accountId + 0',
  ),
  add: sql.run<Account & { daily: number; purchased: number; start: number }>(`
    update quotas set used = used + @daily, purchased = purchased - @purchased, window_start = @start
    where account_id = @accountId + 0 and (@daily = 0 or used + @daily <= ${DAILY_LIMIT_QUARTERS})`),
  // A usage that left the window counts no more: only what is still in it is taken off the total.
  subtract: sql.run<Account & { at: number; daily: number; purchased: number }>(`
    update quotas set used = used - (case when @at > window_start then @daily else 0 end),
      purchased = purchased + @purchased
    where account_id = @accountId + 0`),
  credit: sql.run<Account & { quarters: number }>(
    'update quotas set purchased = purchased + @quarters where account_id = @accountId + 0',
  ),
  markNoticed: sql.run<Account & { noticed80At: number; noticed100At: number }>(`
    update quotas set noticed_80_at = @noticed80At, noticed_100_at = @noticed100At
    where account_id = @accountId + 0`),
});

type Usage = typeof usages.$inferSelect;

/** The ledger. */
const ledgerOf = (sql: Sql) => ({
  insert: sql.insert<Omit<NewUsage, 'start' | 'apiKeyId'> & { apiKeyId: number | null }>(`
    insert into usages (account_id, at, daily, purchased, kind, api_key_id)
    values (@accountId, @at, @daily, @purchased, @kind, @apiKeyId)`),
  listOfKey: sql.all<{ apiKeyId: number; start: number }, { at: number; quarters: number }>(`
    select at, daily + purchased as quarters from usages
    where api_key_id = @apiKeyId + 0 and returned_at is null and at > @start + 0 order by at`),
  usedAt: sql.one<{ id: number }, Pick<Usage, 'at'>>('select at from usages where id = @id + 0'),
  findReturned: sql.one<{ id: number }, Pick<Usage, 'id'>>(
    'select id from usages where id = @id + 0 and returned_at is not null',
  ),
  giveBack: sql.one<{ id: number; now: number }, Pick<Usage, 'accountId' | 'at' | 'daily' | 'purchased'>>(`
    update usages set returned_at = @now where id = @id + 0 and returned_at is null
    returning account_id, at, daily, purchased`),
  listAfter: sql.all<
    Account & { after: number; limit: number; skipped: number },
    Pick<Usage, 'at' | 'daily'>
  >(`
    select at, daily from usages
    where account_id = @accountId + 0 and ${IN_WINDOW} and at > @after + 0
    order by at limit @limit + 0 offset @skipped + 0`),
});

/** What the next process needs to measure ages as this one does. */
const scaleOf = (sql: Sql) => ({
  ...keepsInMeta<number>(sql, 'calendar_ahead'),
  newest: sql.one<void, { start: number }>('select coalesce(max(window_start), 0) as start from quotas'),
});

export function createQuotaTable(sql: Sql) {
  const totals = totalsOf(sql);
  const ledger = ledgerOf(sql);
  const scale = scaleOf(sql);

  /** What counts at `now`, without writing: expired usages are subtracted, the rest stands. */
  function peek(accountId: number, start: number): RolledQuota {
    const row = totals.find({ accountId, start });
    return row ? { ...row, used: row.used - row.expired } : EMPTY;
  }

  return {
    peek,
    /**
     * Rolls the window of an account to begin at `start` (24 hours before now, on a scale that never goes back), and
     * tells the balance. The cost is that of the usages that expired since, never of the history.
     */
    roll(accountId: number, start: number): RolledQuota {
      const row = totals.find({ accountId, start });
      if (!row) {
        totals.open({ accountId, start });
        return EMPTY;
      }
      const used = row.used - row.expired;
      if (row.expired > 0) totals.set({ accountId, used, start });
      return { ...row, used };
    },
    /**
     * What is known of the scale of the usages: how far the calendar was ahead of it, and where the newest window
     * begins.
     */
    readScale(): { calendarAheadMs: number; newestStart: number } {
      return { calendarAheadMs: scale.find() ?? 0, newestStart: scale.newest()?.start ?? 0 };
    },
    saveScale: scale.save,
    /** Books a usage. Call `roll` for the same moment first. Throws when the balance does not hold it. */
    book(usage: NewUsage): number {
      const { accountId, at, start, daily, purchased, kind, apiKeyId = null } = usage;
      // The window's start moves with every usage: it tells what the scale has reached.
      if (totals.add({ accountId, daily, purchased, start }) !== 1) {
        throw new Error(`Account ${accountId} has no room for ${daily} quarters of its daily quota.`);
      }
      return ledger.insert({ accountId, at, daily, purchased, kind, apiKeyId });
    },
    /** Returns a usage, once: it counts in no window any more. False when it was returned before. */
    giveBack(usageId: number, now: number): boolean {
      const usage = ledger.giveBack({ id: usageId, now });
      if (usage) totals.subtract(usage);
      return usage !== undefined;
    },
    isReturned: (usageId: number): boolean => ledger.findReturned({ id: usageId }) !== undefined,
    /** When a usage was booked, on the scale of the usages. */
    usedAt: (usageId: number): number | undefined => ledger.usedAt({ id: usageId })?.at,
    /** The usages that count after `start`, oldest first. */
    *listCounted(accountId: number, start: number): Generator<{ at: number; dailyQuarters: number }> {
      // Few rows are needed as a rule (a whole activation is at most four usages), so they are fetched a few at a time.
      for (let after = start, skipped = 0; ;) {
        const rows = ledger.listAfter({ accountId, after, skipped, limit: 16 });
        for (const row of rows) yield { at: row.at, dailyQuarters: row.daily };
        if (rows.length < 16) return;
        skipped += rows.length;
      }
    },
    /** What a key has used after `start`, daily and purchased alike, oldest first. */
    listOfKey: (apiKeyId: number, start: number) => ledger.listOfKey({ apiKeyId, start }),
    /** Adds purchased activations (or takes them back, when negative; throws below zero). */
    credit(accountId: number, quarters: number) {
      totals.open({ accountId, start: 0 });
      totals.credit({ accountId, quarters });
    },
    markNoticed: (accountId: number, noticed: { noticed80At: number; noticed100At: number }) =>
      void totals.markNoticed({ accountId, ...noticed }),
  };
}
