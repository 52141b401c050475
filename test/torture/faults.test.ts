// The small size of row 10; `npm run torture -- 10` runs the full one.
import { describe, expect, test } from 'vitest';

import { fillTheDisk } from './io-faults.ts';

const SEED = 20_253;
const LONG = { timeout: 120_000 };

describe('a disk that fails', () => {
  test('by being full is survived, and what was in the air is settled when space returns', LONG, async () => {
    const { tried, violations } = await fillTheDisk({ rounds: 2, seed: SEED });
    expect(violations).toEqual([]);
    expect(tried.refused).toBeGreaterThan(0);
  });
});
