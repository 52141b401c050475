// Watches the database of the service and says in words what changed. It reads only, and knows nothing but the rows.
import type { DatabaseView, RedemptionSnapshot } from './database-view.ts';
import {
  formatBatch,
  formatExtraction,
  formatLookUp,
  formatPurchase,
  formatRedemption,
  type Told,
} from './wording.ts';

export interface ChangeWatcher {
  /** What changed since the last look. */
  check(): Told[];
  /** Redemptions whose end is not on disk. */
  countPending(): number;
}

const LOOK_UPS_WATCHED = 20;

/** Begins with the database as it stands: what is past is not told. `startedAt`: when the service was started last. */
export function createChangeWatcher(database: DatabaseView, startedAt: () => number): ChangeWatcher {
  /** Usages of look-ups that may be given back. */
  const lookUps = new Set<number>();
  const open = new Map<number, RedemptionSnapshot['state']>();
  const batches = new Map(database.batches().map((row) => [row.id, { ...row, told: true }]));
  const refunds = new Map(database.purchases().map(({ id, refundedAt }) => [id, refundedAt]));
  let lastRedemption = 0;
  let lastUsage = database.usages(0, []).at(-1)?.id ?? 0;
  let lastExtraction = database.extractions(0).at(-1)?.id ?? 0;
  checkRedemptions();

  function checkRedemptions(): Told[] {
    return database.redemptions(lastRedemption, [...open.keys()]).flatMap((row) => {
      const before = open.get(row.id);
      lastRedemption = Math.max(lastRedemption, row.id);
      if (row.state === 'pending' || row.state === 'in_doubt') open.set(row.id, row.state);
      else open.delete(row.id);
      return formatRedemption(before, row, row.createdAt < startedAt());
    });
  }

  function checkLookUps(): Told[] {
    const rows = database.usages(lastUsage, [...lookUps]);
    lastUsage = Math.max(lastUsage, ...rows.map(({ id }) => id));
    return rows.flatMap((row) => {
      if (row.kind === 'redeem' || (lookUps.has(row.id) && !row.returned)) return [];
      if (row.returned) lookUps.delete(row.id);
      else lookUps.add(row.id);
      // What is not given back soon is not given back at all.
      if (lookUps.size > LOOK_UPS_WATCHED) lookUps.delete(Math.min(...lookUps));
      return [formatLookUp(row)];
    });
  }

  function checkPurchases(): Told[] {
    return database.purchases().flatMap((row) => {
      if (refunds.get(row.id) === row.refundedAt) return [];
      refunds.set(row.id, row.refundedAt);
      return [formatPurchase(row)];
    });
  }

  // A batch grows slice by slice: it is told when it stands still.
  function checkBatches(): Told[] {
    return database.batches().flatMap((row) => {
      const before = batches.get(row.id);
      const still = before?.added === row.added && before.undoneAt === row.undoneAt;
      batches.set(row.id, { ...row, told: still });
      return still && !before.told && row.added > 0 ? [formatBatch(row)] : [];
    });
  }

  function checkExtractions(): Told[] {
    const rows = database.extractions(lastExtraction);
    lastExtraction = rows.at(-1)?.id ?? lastExtraction;
    return rows.map(formatExtraction);
  }

  return {
    check: () => [
      ...checkBatches(),
      ...checkPurchases(),
      ...checkLookUps(),
      ...checkRedemptions(),
      ...checkExtractions(),
    ],
    countPending: () => [...open.values()].filter((state) => state === 'pending').length,
  };
}
