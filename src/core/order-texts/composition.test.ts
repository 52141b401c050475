// Compositions against brute force: each is exact, of the fewest codes, and of what most is left; where there is none,
// the nearest are.
import { expect, test } from 'vitest';

import { createSeeded } from '../../../test/harness/seeded.ts';
import { composeAmount, makeUp } from './composition.ts';

const DENOMINATIONS = [60, 325, 660, 1800, 3850, 8100];
const MOST = 50;

/** Of every sum up to `limit` the least of (codes, less what is left), by trying all counts. */
function tryAll(
  stock: ReadonlyMap<number, number>,
  limit: number,
): Map<number, { codes: number; left: number }> {
  let sums = new Map([[0, { codes: 0, left: 0 }]]);
  for (const [denomination, count] of stock) {
    const next = new Map<number, { codes: number; left: number }>();
    for (const [sum, { codes, left }] of sums)
      for (let n = 0, more = 0; n <= count && codes + n <= MOST && sum + n * denomination <= limit; n += 1) {
        more += n === 0 ? 0 : count - n;
        const key = sum + n * denomination;
        const known = next.get(key);
        const found = { codes: codes + n, left: left + more };
        const isBetter =
          !known || found.codes < known.codes || (found.codes === known.codes && found.left > known.left);
        if (isBetter) next.set(key, found);
      }
    sums = next;
  }
  return sums;
}

test.each([1, 2, 3, 4])('every amount to 3,000 over random stocks, seed %i', (seed) => {
  const random = createSeeded(seed);
  const stock = new Map(DENOMINATIONS.map((each) => [each, random.between(0, 6)]));
  const all = tryAll(stock, 3_000 + 8_100);
  const sums = [...all.keys()].filter((each) => each > 0).sort((a, b) => a - b);
  for (let amount = 1; amount <= 3_000; amount += 1) {
    const found = composeAmount(amount, stock, MOST);
    const best = all.get(amount);
    if (found.status === 'none') {
      expect(best).toBeUndefined();
      const largest = Math.max(0, ...[...stock].filter(([, count]) => count > 0).map(([each]) => each));
      const above = sums.find((each) => each > amount && each <= amount + largest);
      expect([found.below, found.above]).toEqual([sums.findLast((each) => each < amount), above]);
      continue;
    }
    const total = found.items.reduce((sum, { denomination, count }) => sum + denomination * count, 0);
    const codes = found.items.reduce((sum, { count }) => sum + count, 0);
    const left = found.items
      .flatMap(({ denomination, count }) =>
        Array.from({ length: count }, (_, n) => (stock.get(denomination) ?? 0) - n - 1),
      )
      .reduce((sum, each) => sum + each, 0);
    expect({ total, codes, left }).toEqual({ total: amount, ...best });
    for (const { denomination, count } of found.items)
      expect(count).toBeLessThanOrEqual(stock.get(denomination) ?? 0);
  }
});

test('of two as short ones that of what most is left', () => {
  expect(
    composeAmount(
      120,
      new Map([
        [60, 2],
        [50, 9],
        [70, 9],
      ]),
      MOST,
    ),
  ).toEqual({
    status: 'composed',
    items: [
      { denomination: 70, count: 1 },
      { denomination: 50, count: 1 },
    ],
  });
});

test('no more codes than an order may have, and nothing of nothing', () => {
  expect(composeAmount(60 * 51, new Map([[60, 100]]), MOST)).toEqual({ status: 'none', below: 3_000 });
  expect(composeAmount(60, new Map(), MOST)).toEqual({ status: 'none' });
  expect(composeAmount(60, new Map([[60, 0]]), MOST)).toEqual({ status: 'none' });
});

const stockOf = (counts: Record<number, number>) =>
  Object.entries(counts).map(([denomination, count]) => ({ denomination: Number(denomination), count }));
const wordMakeUp = (amount: number, counts: Record<number, number>) =>
  makeUp(amount, stockOf(counts))
    ?.map(({ denomination, count }) => `${denomination}x${count}`)
    .join(' ');

test.each([
  [720, { 60: 9, 325: 9, 660: 9 }, '660x1 60x1'],
  [985, { 60: 9, 325: 9, 660: 9 }, '660x1 325x1'],
  [120, { 60: 2, 325: 9 }, '60x2'],
  [720, { 60: 12, 325: 1 }, undefined],
  [720, { 60: 0, 660: 1 }, undefined],
  [61, { 60: 9, 325: 9 }, undefined],
  [660, { 60: 10, 330: 2 }, '330x2'],
  [600, { 60: 99 }, '60x10'],
])('%i is made of the fewest codes that there are: %j', (amount, counts, expected) => {
  expect(wordMakeUp(amount, counts as Record<number, number>)).toBe(expected);
});
