// The running total of each account and the ledger it is the sum of. Amounts are quarters of an activation.
// Invariant: quotas.used = sum(usages.daily) over usages of the account with at > windowStart that were not returned.
import type { Orm } from '../engine/drizzle.ts';
import { createIsReturned, prepareLedger, prepareScale, prepareTotals } from './quota-queries.ts';

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
}

const EMPTY: RolledQuota = { used: 0, purchased: 0, noticed80At: 0, noticed100At: 0 };

export function createQuotaTable(orm: Orm) {
  const totals = prepareTotals(orm);
  const ledger = prepareLedger(orm);
  const scale = prepareScale(orm);

  /** What counts at `now`, without writing: expired usages are subtracted, the rest stands. */
  function peek(accountId: number, start: number): RolledQuota {
    const row = totals.find.get({ accountId, start });
    return row ? { ...row, used: row.used - row.expired } : EMPTY;
  }

  return {
    peek,
    /**
     * Rolls the window of an account to begin at `start` (24 hours before now, on a scale that never goes back), and
     * tells the balance. The cost is that of the usages that expired since, never of the history.
     */
    roll(accountId: number, start: number): RolledQuota {
      const row = totals.find.get({ accountId, start });
      if (!row) {
        totals.open.run({ accountId, start });
        return EMPTY;
      }
      const used = row.used - row.expired;
      if (row.expired > 0) totals.set.run({ accountId, used, start });
      return { ...row, used };
    },
    /**
     * What is known of the scale of the usages: how far the calendar was ahead of it, and where the newest window
     * begins.
     */
    readScale(): { calendarAheadMs: number; newestStart: number } {
      const ahead = scale.find.get()?.value;
      return { calendarAheadMs: Number(ahead?.toString() ?? 0), newestStart: scale.newest.get()?.start ?? 0 };
    },
    saveScale: (calendarAheadMs: number) =>
      void scale.save.run({ value: Buffer.from(String(calendarAheadMs)) }),
    /** Books a usage. Call `roll` for the same moment first. Throws when the balance does not hold it. */
    book(usage: NewUsage): number {
      const { accountId, at, start, daily, purchased, kind } = usage;
      // The window's start moves with every usage: it tells what the scale has reached.
      if (totals.add.run({ accountId, daily, purchased, start }).changes !== 1) {
        throw new Error(`Account ${accountId} has no room for ${daily} quarters of its daily quota.`);
      }
      return Number(ledger.insert.run({ accountId, at, daily, purchased, kind }).lastInsertRowid);
    },
    /** Returns a usage, once: it counts in no window any more. False when it was returned before. */
    giveBack(usageId: number, now: number): boolean {
      const usage = ledger.giveBack.get({ id: usageId, now });
      if (usage) totals.subtract.run({ ...usage });
      return usage !== undefined;
    },
    isReturned: createIsReturned(orm),
    /** When a usage was booked, on the scale of the usages. */
    usedAt: (usageId: number): number | undefined => ledger.usedAt.get({ id: usageId })?.at,
    /** The usages that count after `start`, oldest first. */
    *listCounted(accountId: number, start: number): Generator<{ at: number; dailyQuarters: number }> {
      // Few rows are needed as a rule (a whole activation is at most four usages), so they are fetched a few at a time.
      for (let after = start, skipped = 0; ;) {
        const rows = ledger.listAfter.all({ accountId, after, skipped, limit: 16 });
        for (const row of rows) yield { at: row.at, dailyQuarters: row.daily };
        if (rows.length < 16) return;
        skipped += rows.length;
      }
    },
    /** Adds purchased activations (or takes them back, when negative; throws below zero). */
    credit(accountId: number, quarters: number) {
      totals.open.run({ accountId, start: 0 });
      totals.credit.run({ accountId, quarters });
    },
    markNoticed: (accountId: number, noticed: { noticed80At: number; noticed100At: number }) =>
      void totals.markNoticed.run({ accountId, ...noticed }),
  };
}
