// The free quota as the interface promises it.
import { expect, test } from 'vitest';

import { DAILY_LIMIT, DAILY_LIMIT_QUARTERS, WINDOW_MS } from './window.ts';

test('300 activations, in quarters, in 24 hours', () => {
  expect([DAILY_LIMIT, DAILY_LIMIT_QUARTERS, WINDOW_MS]).toEqual([300, 1_200, 86_400_000]);
});
