// The small sizes of rows 21, 22 and of a crash loop (23); `npm run torture -- <row>` runs the full ones.
import { expect, test } from 'vitest';

import { failActions } from './actions-and-messages.ts';
import { crashInLoop } from './fairness/crash-loop.ts';
import { floodChats } from './rows/flood.ts';

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

test('what brings the service down is put aside, and everybody else is answered', async () => {
  const { answered, deaths, violations } = await crashInLoop(3);
  expect(violations).toEqual([]);
  expect({ answered, deaths }).toEqual({ answered: 3, deaths: 3 });
});
