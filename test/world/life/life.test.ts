// The loops over the life of a shop, each a small part of it; `npm run torture -- loops` goes through all. Here time,
// requests and threads of the process are simulated for good: it is nobody else's.
import { expect, test } from 'vitest';

import { LOOPS, sweep, takeThisProcess, type LoopName } from './sweep.ts';

/** Every how manieth of all that can be struck, in any of the ways, is: some twelve seconds of the processor in all. */
const STRIDES = { commits: 31, power: 41, restores: 307, statements: 397, telegram: 43, platform: 19 };

takeThisProcess();

test.each(Object.keys(LOOPS) as LoopName[])('%s', { timeout: 300_000 }, async (name) => {
  const { tried, violations } = await sweep(name, { stride: STRIDES[name] });
  console.log(`${name}: ${JSON.stringify(tried)}, every ${STRIDES[name]}th`);
  expect(violations).toEqual([]);
  expect(tried.struck).toBeGreaterThan(2);
});
