// Row 29 of the scorecard, orders: random days of a shop that lives by orders against a plain model of them, with kills
// at every moment that others hear of, and restores. What is promised is what rows say, and receipts are codes.
import { liveByOrders } from '../model/orders/lives.ts';
import type { Findings, TortureOptions } from './findings.ts';

const AT_ONCE = 100;

/** `count` lives from `seed` on; of those that share a beginning the first that breaks a promise is told. */
export async function liveOrders({ count, seed, tell }: TortureOptions): Promise<Findings> {
  const violations: string[] = [];
  for (let done = 0; done < count; done += AT_ONCE) {
    const runs = Math.min(AT_ONCE, count - done);
    await liveByOrders(runs, seed + done).catch((error: unknown) => {
      const { message, cause } = error as Error;
      violations.push(`${message}\n${cause instanceof Error ? cause.message : ''}`);
    });
    tell?.(`${done + runs} of ${count}`);
  }
  return { tried: { lives: count }, violations };
}
