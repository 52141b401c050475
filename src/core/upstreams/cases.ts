// Cases: what an upstream has to answer for. Nothing of what was settled changes by one: the host is told, and sees them
// at the upstream.
import type { Tables, UpstreamCase } from '../../store/index.ts';
import { writeNotice } from '../notices/notices.ts';

/** The newest that are kept of each. */
const KEPT = 20;

/** Books a case, and tells the host; once a redemption. How many of its kind the upstream has now, 0: it was booked. */
export function bookCase(
  tables: Tables,
  upstream: string,
  { ofAccount, ...booked }: UpstreamCase & { ofAccount: number },
): number {
  const all = tables.upstreamCases.find();
  const own = all[upstream] ?? [];
  const { redemptionId, why, at } = booked;
  if (own.some((each) => each.redemptionId === redemptionId)) return 0;
  const next = [...own, booked].slice(-KEPT);
  tables.upstreamCases.save({ ...all, [upstream]: next });
  writeNotice(tables, { kind: 'upstreamCase', accountId: null, ofAccount, redemptionId, upstream, why }, at);
  return next.filter((each) => each.why === why).length;
}

/**
 * A code turns out to be used that an earlier redemption had sent, and believed not spent: that is a case. Call it where
 * a code of a stock is put aside as used.
 */
export function bookBelied(
  tables: Tables,
  used: { id: number; accountId: number; gameId: string; code: string },
  at: number,
): void {
  const belied = tables.upstreamCases.findBelied(used);
  if (!belied) return;
  const { upstream, redemptionId } = belied;
  bookCase(tables, upstream, { redemptionId, why: 'wasSpent', at, ofAccount: used.accountId });
}
