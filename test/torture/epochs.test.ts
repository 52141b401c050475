import { expect, test } from 'vitest';

import { beginEpochs } from './epochs.ts';

test('twelve restores of every kind: nothing is given or spent twice, and no past is given up unasked', async () => {
  const { tried, violations } = await beginEpochs({ count: 12, seed: 1 });
  expect(violations).toEqual([]);
  for (const over of ['sound', 'unreadable', 'missing', 'refused']) expect(tried[over]).toBeGreaterThan(0);
}, 120_000);
