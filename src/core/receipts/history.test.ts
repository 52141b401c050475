// How much of a code a list shows.
import { expect, test } from 'vitest';

import { tailOf } from './history.ts';

test.each([
  ['', ''],
  ['A', ''],
  ['AB', 'B'],
  ['ABCDE', 'DE'],
  ['ABCDEFGHIJK', 'GHIJK'],
  ['ABCDEFGHIJKL', 'GHIJKL'],
  ['ABCDEFGHIJKLMNOP', 'KLMNOP'],
])('of %j no more than half is shown, and six at most: %j', (code, tail) => expect(tailOf(code)).toBe(tail));
