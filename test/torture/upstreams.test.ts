// The small size of row 28; `npm run torture -- 28` has 100,000 seeds.
import { expect, test } from 'vitest';

import { failUpstreams } from './upstreams.ts';

test('five upstreams that fail in every way: no code is spent twice, and no doubt is for ever', async () => {
  const { tried, violations } = await failUpstreams({ count: 100, seed: 199 });
  expect(violations).toEqual([]);
  expect(tried['seeds']).toBe(100);
  expect(tried['second orders']).toBeGreaterThan(0);
});
