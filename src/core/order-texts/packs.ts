// An amount that no denomination has, made of those that there are: `720` is 660 + 60.
import { composeAmount } from './composition.ts';
import { MOST_CODES, type OrderItem } from './items.ts';

/** Whether so much can be made of these at all, in one order. */
export const addsUp = (amount: number, denominations: readonly number[]): boolean =>
  makeUp(
    amount,
    denominations.map((denomination) => ({ denomination, count: MOST_CODES })),
  ) !== undefined;

/**
 * The fewest codes that are exactly so much, of no more than there are of each; undefined where nothing adds up to it.
 */
export function makeUp(amount: number, there: readonly OrderItem[]): OrderItem[] | undefined {
  const most = Math.max(0, ...there.map(({ denomination }) => denomination)) * MOST_CODES;
  if (amount < 1 || amount > most) return undefined;
  const stock = new Map(there.map(({ denomination, count }) => [denomination, count]));
  const composed = composeAmount(amount, stock, MOST_CODES);
  return composed.status === 'composed' ? composed.items : undefined;
}
