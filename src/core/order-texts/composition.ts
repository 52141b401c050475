// Composition of an amount from denominations: exactly, by the fewest codes, and among those of what most is left.
// Pure.

export type Composition =
  | { status: 'composed'; items: { denomination: number; count: number }[] }
  /** The nearest sums that there are, where there are any. */
  | { status: 'none'; below?: number; above?: number };

/** A code weighs more than all that can be left of its denomination. */
const CODE = 2 ** 40;

/** `stock`: how many codes there are of each denomination. At most `most` codes in all. */
export function composeAmount(amount: number, stock: ReadonlyMap<number, number>, most: number): Composition {
  const kinds = [...stock]
    .filter(([denomination, count]) => denomination > 0 && count > 0)
    .map(([denomination, count]) => ({ denomination, count }))
    .sort((a, b) => b.denomination - a.denomination);
  const [largest] = kinds;
  if (!largest) return { status: 'none' };
  const step = kinds.map(({ denomination }) => denomination).reduce(commonDivisor);
  const sums = Math.floor((amount + largest.denomination) / step) + 1;
  const { costs, counts } = weigh(kinds, { step, sums, most });
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

/**
 * What each sum costs at least, in steps: its codes, less what is left of their denominations; and how many of each
 * kind that takes.
 */
function weigh(
  kinds: readonly { denomination: number; count: number }[],
  { step, sums, most }: { step: number; sums: number; most: number },
): { costs: Float64Array; counts: Uint8Array[] } {
  const costs = new Float64Array(sums).fill(Infinity);
  costs[0] = 0;
  const counts = kinds.map(({ denomination, count }) => {
    const size = denomination / step;
    const used = new Uint8Array(sums);
    for (let sum = sums - 1; sum >= size; sum -= 1) {
      const limit = Math.min(count, most, Math.floor(sum / size));
      let weight = 0;
      for (let n = 1; n <= limit; n += 1) {
        weight += CODE - (count - n);
        const cost = (costs[sum - n * size] ?? Infinity) + weight;
        if (cost < (costs[sum] ?? Infinity) && cost <= most * CODE) {
          costs[sum] = cost;
          used[sum] = n;
        }
      }
    }
    return used;
  });
  return { costs, counts };
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
