// The small size of what row 19 does to the real process.
import { expect, test } from 'vitest';

import { killTheService } from './bulk-kills.ts';

test('bulk work of a process that is killed loses no code and hands none out twice', async () => {
  const { tried, violations } = await killTheService({ count: 2, seed: 19 });
  expect(violations).toEqual([]);
  expect(tried['rounds of the real process']).toBe(2);
}, 180_000);
