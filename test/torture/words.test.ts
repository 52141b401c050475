// The small size of row 21; `npm run torture -- 21` runs the full one.
import { expect, test } from 'vitest';

import { failActions } from './actions-and-messages.ts';

test('an action is done once and told, whatever Telegram does', async () => {
  const { tried, violations } = await failActions({ count: 12, seed: 7, inHaste: true });
  expect(violations).toEqual([]);
  expect(tried.faultsMet).toBeGreaterThan(0);
});
