// Ends of redemptions as the store writes them, with their attempt: for tests that go past the core.
import type { StoredReceipt, Tables } from '../../src/store/index.ts';

type Ledger = Pick<Tables, 'attempts' | 'redemptions'>;

/** Writes down that the code of a redemption was sent. */
export function sendOrder({ attempts }: Pick<Tables, 'attempts'>, redemptionId: number, now = 0): void {
  attempts.begin({
    ...{ redemptionId, n: 1, kind: 'order', upstream: 'sandbox-1', now },
    reference: `reference-${redemptionId}`,
  });
}

/** Sent, and redeemed at once; false where it was settled before. */
export function endRedeemed(tables: Ledger, id: number, receipt: StoredReceipt, now: number): boolean {
  if (!['pending', 'in_doubt'].includes(tables.redemptions.get(id).state)) return false;
  sendOrder(tables, id, now);
  tables.attempts.end(id, { spentBy: 1, proof: 'answer' }, now);
  return tables.redemptions.settleRedeemed(id, receipt, now);
}
