// The small size of row 19; `npm run torture -- 19` goes on for 2,000 rounds.
import { expect, test } from 'vitest';

import { interruptJobs } from './bulk-jobs.ts';

test('bulk work that is interrupted in every way loses no code and hands none out twice', async () => {
  const { tried, violations } = await interruptJobs({ count: 20, seed: 19 });
  expect(violations).toEqual([]);
  expect(tried.rounds).toBe(19);
  expect(tried['codes handed out']).toBeGreaterThan(1_000);
  expect(tried.kill).toBeGreaterThan(5);
}, 180_000);
