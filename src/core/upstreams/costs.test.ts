// What redemptions have cost, summed exactly.
import { expect, test } from 'vitest';

import { sumCosts } from './costs.ts';

test.each<[string[], string[]]>([
  [[], []],
  [['0.10 USD', '0.20 USD'], ['0.30 USD']],
  [
    ['1 USD', '0.000001 USD', '2.5 EUR'],
    ['1.000001 USD', '2.50 EUR'],
  ],
  [['12 USD', '0.125 USD'], ['12.125 USD']],
  [Array.from({ length: 5_000 }, () => '999999999.999999 USD'), ['4999999999999.995 USD']],
])('%#', (prices, sums) => expect(sumCosts(prices)).toEqual(sums));
