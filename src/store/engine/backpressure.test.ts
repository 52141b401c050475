// Backpressure on the writer, step by step, for a log that is long and copied to its end.
import { expect, test } from 'vitest';

import { createBackpressure } from './backpressure.ts';
import type { Held } from './writer.ts';

const LONG = { pages: 8_001, copied: 8_001 };

function open() {
  const told: Held[] = [];
  const backpressure = createBackpressure((held) => told.push(held));
  return { backpressure, told, pass: (pass: typeof LONG) => backpressure.isAnotherPassDue(pass) };
}

test('a log of more than 8,000 pages is begun anew in three passes: bulk work is held back, then everything, then nothing', () => {
  const { pass, told } = open();
  expect([LONG, LONG, LONG].map(pass)).toEqual([true, true, false]);
  expect(told).toEqual(['bulk', 'everything', 'nothing']);
});

test('for one of 8,000 pages nothing is held back', () => {
  const { pass, told } = open();
  expect(pass({ pages: 8_000, copied: 8_000 })).toBe(false);
  expect(told).toEqual([]);
});

test('where somebody still reads what was before, or it is no longer needed, what was held back goes on, told once', () => {
  const { backpressure, pass, told } = open();
  expect([pass(LONG), pass({ pages: 8_001, copied: 8_000 })]).toEqual([true, false]);
  pass(LONG);
  backpressure.letGo();
  backpressure.letGo();
  expect(told).toEqual(['bulk', 'nothing', 'bulk', 'nothing']);
});
