// What is asked for a price.
import { expect, test } from 'vitest';

import { toTerms } from './invoices.ts';

test.each([
  [1000, 77, 770],
  [1000, 77.5, 775],
  [999, 77, 770],
  [1, 1, 1],
  [0, 77, 0],
])('%i cents at %d Stars a dollar are %i Stars, rounded up', (cents, starsPerUsd, amount) => {
  expect(toTerms(cents, starsPerUsd)).toEqual({ currency: 'XTR', amount });
  expect(toTerms(cents, 0)).toEqual({ currency: 'USD', amount: cents });
});
