// The small size of row 11; `npm run torture -- 11` goes on for an hour.
import { expect, test } from 'vitest';

import { beHostile } from './rows/hostile.ts';

test(
  'hostile requests do no harm, and a well-behaved client beside them is served',
  { timeout: 120_000 },
  async () => {
    const { tried, violations } = await beHostile({ count: 3, seed: 20_256 });
    expect(violations).toEqual([]);
    expect(tried.attacks).toBeGreaterThan(25);
    expect(tried.judged).toBeGreaterThan(30);
    expect(tried.friendly).toBeGreaterThan(5);
  },
);
