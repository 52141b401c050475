// What an error says of why something failed.
import { expect, test } from 'vitest';

import { reasonOf } from './refusal.ts';

test('what was thrown says why in its own words, and what has none is unknown', () => {
  expect([reasonOf(new TypeError('no such file')), reasonOf('a text'), reasonOf(undefined)]).toEqual([
    'no such file',
    'unknown',
    'unknown',
  ]);
});
