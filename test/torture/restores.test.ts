import { expect, test } from 'vitest';

import { restoreUnderLoad } from './restores.ts';

test('a past that is restored spends nothing a second time, five times over', async () => {
  const { tried, violations } = await restoreUnderLoad({ count: 5, seed: 1 });
  expect(violations).toEqual([]);
  expect(tried['codes unverified']).toBeGreaterThan(0);
}, 120_000);
