// The small sizes of row 1; `npm run torture -- 1` runs the full one.
import { describe, expect, test } from 'vitest';

import { BOUNDARIES, killAtEveryBoundary, killAtRandom } from './rows/crash.ts';

const SEED = 20_251;

describe('a process that is killed', () => {
  test(
    'at any boundary of a redemption loses nothing and spends nothing twice',
    { timeout: 180_000 },
    async () => {
      const { tried, violations } = await killAtEveryBoundary(SEED);
      expect(violations).toEqual([]);
      expect(tried.boundaries).toBe(BOUNDARIES.length);
    },
  );

  test(
    'at random moments under load loses nothing and spends nothing twice',
    { timeout: 180_000 },
    async () => {
      const { tried, violations } = await killAtRandom({ count: 36, seed: SEED });
      expect(violations).toEqual([]);
      expect(tried.struck).toBeGreaterThanOrEqual(36);
      // Without these the three upstreams would have proved nothing.
      expect((tried.sentOn ?? 0) + (tried.sentAgain ?? 0)).toBeGreaterThan(0);
    },
  );
});
