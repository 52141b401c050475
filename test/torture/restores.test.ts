import { expect, test } from 'vitest';

import { restoreUnderLoad } from './restores.ts';

test('a past that is restored spends nothing a second time, and a sound one is not given up, five times over', async () => {
  const { tried, violations } = await restoreUnderLoad({ count: 5, seed: 1 });
  expect(violations).toEqual([]);
  expect(tried['codes unverified']).toBeGreaterThan(0);
  expect(tried.refused).toBe(5);
}, 120_000);
