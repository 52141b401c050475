// The small size of the day of a shop; `npm run torture -- day` lives a whole one.
import { expect, test } from 'vitest';

import { liveADay } from './day.ts';

test('whatever was ordered around a day without Telegram is done once and told, and what was paid is booked', async () => {
  const { tried, violations } = await liveADay({ count: 1, seed: 7, inHaste: true });
  expect(violations).toEqual([]);
  expect(tried.orders).toBeGreaterThan(0);
  expect(tried.paidUnheard).toBeGreaterThan(0);
});
