// Ends of redemptions as the store writes them, with their attempt: for tests that go past the core.
import type { StoredReceipt, Tables } from '../../src/store/index.ts';

type Ledger = Pick<Tables, 'attempts' | 'redemptions'>;

/** Writes down that the code of a redemption was sent. */
export function sendOrder({ attempts }: Pick<Tables, 'attempts'>, redemptionId: number, now = 0): void {
  attempts.begin({ redemptionId, upstream: 'sandbox-1', reference: `reference-${redemptionId}`, now });
}

/** Sent, and redeemed at once; false where it was settled before. */
export function endRedeemed(tables: Ledger, id: number, receipt: StoredReceipt, now: number): boolean {
  if (!['pending', 'in_doubt'].includes(tables.redemptions.get(id).state)) return false;
  sendOrder(tables, id, now);
  tables.attempts.spend(id, 'answer', now);
  return tables.redemptions.settleRedeemed(id, receipt, now);
}
