// The small size of row 26, by a plain copy; `npm run torture -- 26` takes over 200 times, by Litestream.
import { expect, test } from 'vitest';

import { takeOverByCopy } from './rows/takeover.ts';

test('a takeover: each order has one code, each its own, and no code has two buyers', async () => {
  const { tried, violations } = await takeOverByCopy({ count: 1, seed: 1 });
  expect(violations).toEqual([]);
  expect(tried).toMatchObject({ takeovers: 1 });
  expect(tried['answered orders of players that are lost']).toBeGreaterThan(0);
}, 120_000);
