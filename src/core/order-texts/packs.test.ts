import { expect, test } from 'vitest';

import { makeUp } from './packs.ts';

const of = (counts: Record<number, number>) =>
  Object.entries(counts).map(([denomination, count]) => ({ denomination: Number(denomination), count }));
const word = (amount: number, counts: Record<number, number>) =>
  makeUp(amount, of(counts))
    ?.map(({ denomination, count }) => `${denomination}x${count}`)
    .join(' ');

test.each([
  [720, { 60: 9, 325: 9, 660: 9 }, '660x1 60x1'],
  [985, { 60: 9, 325: 9, 660: 9 }, '660x1 325x1'],
  [120, { 60: 2, 325: 9 }, '60x2'],
  [720, { 60: 12, 325: 1 }, undefined],
  [720, { 60: 0, 660: 1 }, undefined],
  [61, { 60: 9, 325: 9 }, undefined],
  [660, { 60: 10, 330: 2 }, '330x2'],
  [600, { 60: 99 }, '60x10'],
])('%i is made of the fewest codes that there are: %j', (amount, counts, expected) => {
  expect(word(amount, counts as Record<number, number>)).toBe(expected);
});
