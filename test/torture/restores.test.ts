import { expect, test } from 'vitest';

import { restoreUnderLoad } from './rows/restores.ts';

test('a past that is restored spends nothing a second time, and a sound one is not given up, twice over', async () => {
  const { tried, violations } = await restoreUnderLoad({ count: 2, seed: 1 });
  expect(violations).toEqual([]);
  expect(tried['codes unverified']).toBeGreaterThan(0);
  expect(tried.refused).toBe(2);
}, 120_000);
