// Composition of an amount from denominations: exactly, by the fewest codes, and among those of what most is left.
// Pure.
import { MOST_CODES, type OrderItem } from './items.ts';

export type Composition =
  | { status: 'composed'; items: { denomination: number; count: number }[] }
  /** The nearest sums that there are, where there are any. */
  | { status: 'none'; below?: number; above?: number };

/** A code weighs more than all that can be left of its denomination. */
const CODE = 2 ** 40;

interface Kind {
  denomination: number;
  count: number;
}

/** `stock`: how many codes there are of each denomination. At most `most` codes in all. */
export function composeAmount(amount: number, stock: ReadonlyMap<number, number>, most: number): Composition {
  const kinds = [...stock]
    .filter(([denomination, count]) => denomination > 0 && count > 0)
    .map(([denomination, count]) => ({ denomination, count }))
    .sort((a, b) => b.denomination - a.denomination);
  const [largest] = kinds;
  if (!largest) return { status: 'none' };
  const step = kinds.map(({ denomination }) => denomination).reduce(commonDivisor);
  const { low, high, codes } = fill(kinds, amount, most);
  const sums = Math.floor(Math.min(high, amount + largest.denomination) / step) + 1;
  const { costs, counts } = weigh(kinds, { step, low: low / step, sums, most: codes });
  const isSum = (index: number) => (costs[index] ?? Infinity) < Infinity;

  const wanted = amount / step;
  if (Number.isInteger(wanted) && isSum(wanted)) {
    const items: { denomination: number; count: number }[] = [];
    let left = wanted;
    for (let kind = kinds.length - 1; kind >= 0; kind -= 1) {
      const count = counts[kind]?.[left] ?? 0;
      const { denomination } = kinds[kind] ?? largest;
      if (count > 0) items.unshift({ denomination, count });
      left -= (count * denomination) / step;
    }
    return { status: 'composed', items };
  }
  let below = Math.ceil(wanted) - 1;
  while (below > 0 && !isSum(below)) below -= 1;
  let above = Math.floor(wanted) + 1;
  while (above < sums && !isSum(above)) above += 1;
  return {
    status: 'none',
    ...(below > 0 && { below: below * step }),
    ...(above < sums && { above: above * step }),
  };
}

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

/**
 * The largest first, as far as they fit: the nearest sum below is that or more, the nearest above is one more code or
 * less. Where that is exact already, none is made of more codes.
 */
function fill(
  kinds: readonly Kind[],
  amount: number,
  most: number,
): { low: number; high: number; codes: number } {
  let [low, codes, next] = [0, 0, Infinity];
  for (const { denomination, count } of kinds) {
    const taken = Math.min(count, most - codes, Math.floor((amount - low) / denomination));
    codes += taken;
    low += taken * denomination;
    if (taken < count) next = denomination;
  }
  if (low === amount) return { low, high: low, codes };
  return { low, high: codes < most ? low + next : Infinity, codes: most };
}

/**
 * What each sum from `low` costs at least, in steps: its codes, less what is left of their denominations; and how many
 * of each kind that takes. What the codes that may follow do not lift to `low` goes no further.
 */
function weigh(
  kinds: readonly Kind[],
  { step, low, sums, most }: { step: number; low: number; sums: number; most: number },
): { costs: Float64Array; counts: Uint8Array[] } {
  const costs = new Float64Array(sums).fill(Infinity);
  costs[0] = 0;
  const counts = kinds.map(({ denomination, count }) => {
    const size = denomination / step;
    const used = new Uint8Array(sums);
    const least = Math.max(0, low - most * size);
    // Downwards: what a sum is made of is of larger kinds yet.
    for (let from = sums - 1; from >= least; from -= 1) {
      const base = costs[from] ?? Infinity;
      const room = most - Math.ceil(base / CODE);
      if (base === Infinity || from + room * size < low) continue;
      const limit = Math.min(count, room, Math.floor((sums - 1 - from) / size));
      let cost = base;
      for (let n = 1, sum = from + size; n <= limit; n += 1, sum += size) {
        cost += CODE - (count - n);
        if (cost >= (costs[sum] ?? Infinity)) continue;
        costs[sum] = cost;
        used[sum] = n;
      }
    }
    return used;
  });
  return { costs, counts };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
