// An amount that no denomination has, made of those that there are: `720` is 660 + 60.
import { countCodes, MOST_CODES, type OrderItem } from './items.ts';

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
  let sums = new Map<number, OrderItem[]>([[0, []]]);
  for (const { denomination, count } of there.toSorted((a, b) => b.denomination - a.denomination)) {
    const more = new Map(sums);
    for (const [sum, items] of sums) {
      const codes = countCodes(items);
      const most = Math.min(count, MOST_CODES - codes, Math.floor((amount - sum) / denomination));
      for (let each = 1; each <= most; each += 1) {
        const total = sum + each * denomination;
        const known = more.get(total);
        if (!known || countCodes(known) > codes + each)
          more.set(total, [...items, { denomination, count: each }]);
      }
    }
    sums = more;
  }
  return sums.get(amount);
}
