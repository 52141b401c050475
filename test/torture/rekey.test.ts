import { expect, test } from 'vitest';

import { rekeyUnderLoad } from './rows/rekey.ts';

test('a rekey is killed four times under load: nobody is refused, and the older key opens nothing', async () => {
  const { tried, violations } = await rekeyUnderLoad({ count: 1_500, kills: 4, seed: 1 });
  expect(violations).toEqual([]);
  expect(tried.kills).toBeGreaterThanOrEqual(4);
  expect(tried.repeats).toBeGreaterThan(0);
}, 300_000);
