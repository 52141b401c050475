// What the bot of an earlier version kept of money among the things a restore throws away: charges that could not be booked,
// refunds that came before their payment, and orders (all of today are rows of their own). And the updates that tell of either.
import type { Secrets } from '../engine/secrets.ts';

/** The drafts that are papers of money, as a list of SQL. */
export const MONEY_PAPERS = "'invoice', 'unbooked-charge', 'refunded-charge'";

/** Whether a stored update of Telegram says that somebody paid, or got money back. */
export function saysThatMoneyMoved(secrets: Secrets, updateId: number, sealed: Buffer): boolean {
  try {
    const update = JSON.parse(secrets.open(`inbox:${updateId}`, sealed)) as {
      message?: { successful_payment?: unknown; refunded_payment?: unknown };
    };
    return update.message?.successful_payment !== undefined || update.message?.refunded_payment !== undefined;
  } catch {
    return false;
  }
}

/** An order for an account that has another number now; undefined where it is of none of them, or cannot be read. */
export function readdressOrder(
  secrets: Secrets,
  { id, sealed }: { id: string; sealed: Buffer },
  numbers: ReadonlyMap<number, number>,
): Buffer | undefined {
  try {
    const order = JSON.parse(secrets.open(`draft:${id}`, sealed)) as { accountId?: number };
    const accountId = order.accountId === undefined ? undefined : numbers.get(order.accountId);
    if (accountId === undefined) return undefined;
    return secrets.seal(`draft:${id}`, JSON.stringify({ ...order, accountId }));
  } catch {
    return undefined;
  }
}
