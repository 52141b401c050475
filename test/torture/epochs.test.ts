import { expect, test } from 'vitest';

import { beginEpochs } from './epochs.ts';

test('forty restores of every kind: nothing is given or spent twice, nothing that is known is lost', async () => {
  const { tried, violations } = await beginEpochs({ count: 40, seed: 1 });
  expect(violations).toEqual([]);
  for (const over of ['readable', 'unreadable', 'missing']) expect(tried[over]).toBeGreaterThan(0);
}, 120_000);
