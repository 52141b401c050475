// The small size of row 3; `npm run torture -- 3` runs the full one.
import { expect, test } from 'vitest';

import { hideOutcomes } from './unknown-outcomes.ts';

test(
  'a timeout that hides a success or a failure frees no spent code and takes no second one',
  { timeout: 120_000 },
  async () => {
    const { tried, violations } = await hideOutcomes({ count: 40, seed: 20_252 });
    expect(violations).toEqual([]);
    expect(tried.unknown).toBe(40);
    expect(tried.hiddenFailures).toBeGreaterThan(4);
  },
);
