// The small sizes of rows 21 and 22; `npm run torture -- <row>` runs the full ones.
import { expect, test } from 'vitest';

import { failActions } from './actions-and-messages.ts';
import { floodChats } from './flood.ts';

test('an action is done once and told, whatever Telegram does', async () => {
  const { tried, violations } = await failActions({ count: 12, seed: 7, inHaste: true });
  expect(violations).toEqual([]);
  expect(tried.faultsMet).toBeGreaterThan(0);
});

test('who asks much is answered, in order, within what Telegram takes', async () => {
  const { tried, violations } = await floodChats({ count: 4, seed: 7, inHaste: true });
  expect(violations).toEqual([]);
  expect(tried.questions).toBeGreaterThan(0);
});
