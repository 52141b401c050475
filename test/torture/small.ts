// Rows of the scorecard in a small size, as tests: nothing is found, and so much was tried that it says something.
import { expect, test } from 'vitest';

import type { Findings } from './findings.ts';

interface Small {
  run(): Promise<Findings>;
  atLeast: Record<string, number>;
}

/** Each waits for processes of its own. */
const TIMEOUT_MS = 300_000;

/** The test's name is what it holds, and which row it is of. */
export function holdSmall(rows: Record<string, Small>): void {
  test.each(Object.entries(rows))('%s', { timeout: TIMEOUT_MS }, async (_, { run, atLeast }) => {
    const { tried, violations } = await run();
    expect(violations).toEqual([]);
    for (const [what, least] of Object.entries(atLeast))
      expect(tried[what], what).toBeGreaterThanOrEqual(least);
  });
}
