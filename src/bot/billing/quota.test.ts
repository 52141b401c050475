// How much of the quota is used, drawn.
import { expect, test } from 'vitest';

import { drawBar } from './quota.ts';

test.each([
  [0, '▱▱▱▱▱▱▱▱▱▱▱▱'],
  [0.0001, '▰▱▱▱▱▱▱▱▱▱▱▱'],
  [0.12, '▰▱▱▱▱▱▱▱▱▱▱▱'],
  [0.13, '▰▰▱▱▱▱▱▱▱▱▱▱'],
  [0.5, '▰▰▰▰▰▰▱▱▱▱▱▱'],
  [0.9999, '▰▰▰▰▰▰▰▰▰▰▰▱'],
  [1, '▰▰▰▰▰▰▰▰▰▰▰▰'],
  [1.5, '▰▰▰▰▰▰▰▰▰▰▰▰'],
])('a share of %d is drawn as %s', (share, bar) => {
  expect(drawBar(share)).toBe(bar);
});
