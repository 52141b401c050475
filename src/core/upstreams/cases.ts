// Cases: what an upstream has to answer for. Nothing of what was settled changes by one: the host is told, once, and it
// stands in the audit log.
import type { Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { writeNotice, type Notice } from '../notices/notices.ts';

type UpstreamCase = Extract<Notice, { kind: 'upstreamCase' }>;

/** Tells the host of a case. Call it once a redemption. */
export function tellCase(
  tables: Tables,
  told: Pick<UpstreamCase, 'upstream' | 'redemptionId' | 'ofAccount' | 'why'>,
  at: number,
): void {
  writeNotice(tables, { kind: 'upstreamCase', accountId: null, ...told }, at);
  const { upstream: object, redemptionId, why } = told;
  record(
    tables,
    { kind: 'service' },
    'upstreamCase',
    { object, after: { redemption: redemptionId, why } },
    at,
  );
}

/**
 * A code turns out to be used that an earlier redemption had sent, and believed not spent: that is a case. Call it where
 * a code of a stock is put aside as used.
 */
export function tellBelied(
  tables: Tables,
  used: { id: number; accountId: number; gameId: string; code: string },
  at: number,
): void {
  const belied = tables.attemptFigures.findBelied(used);
  if (belied) tellCase(tables, { ...belied, why: 'wasSpent', ofAccount: used.accountId }, at);
}
