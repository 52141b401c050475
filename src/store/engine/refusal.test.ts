// What an error says of why something failed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { reasonOf } from './refusal.ts';

test('what was thrown says why in its own words, and what has none is unknown', () => {
  expect([reasonOf(new TypeError('no such file')), reasonOf('a text'), reasonOf(undefined)]).toEqual([
    'no such file',
    'unknown',
    'unknown',
  ]);
});

test.each([
  [() => readFileSync('/none/of it, here'), 'ENOENT: no such file or directory'],
  [() => readFileSync('/'), 'EISDIR: illegal operation on a directory'],
])('what the system says is told without its call', (fail, told) => {
  let reason = '';
  try {
    fail();
  } catch (error) {
    reason = reasonOf(error);
  }
  expect(reason).toBe(told);
});
