// The numbers of a line one by one: amounts, those with their currency as `60!`, how many count pieces, and every sense of each.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { readAmounts } from './heading-amounts.ts';
import { cutPieces } from './heading-pieces.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(pasteGame([60, 325, 660, 1800, 3850, 8100]));

function read(line: string) {
  const { text, pieces } = cutPieces(line);
  return readAmounts(text, pieces, vocabulary);
}

test.each<[line: string, amounts: string, counts: number, numbers: number[]]>([
  ['60', '60', 0, [60]],
  ['60 UC', '60!', 0, [60]],
  ['UC: 60', '60!', 0, [60]],
  ['uc=60', '60!', 0, [60]],
  ['uc#60', '60!', 0, [60]],
  ['uc=:60', '60', 0, [60]],
  ['660-UC', '660!', 0, [660]],
  ['660 "UC"', '660!', 0, [660]],
  ['660_"UC', '660', 0, [660]],
  ['60+UC', '60', 0, [60]],
  ['60 for UC', '60', 0, [60]],
  ['UC 60 UC 325', '60! 325', 0, [60, 325]],
  ['60 UC 325 UC', '60! 325!', 0, [60, 325]],
  ['660ucx10', '660!', 1, [660, 10]],
  ['660ucx', '660!', 0, [660]],
  ['1,800', '1800', 0, [1, 1800]],
  ['1 800 UC', '1800!', 0, [1, 1800]],
  ['1 801', '1 801', 0, [1, 1801, 801]],
  ['1 801 UC', '1801!', 0, [1, 1801]],
  ['1 801-UC', '1801!', 0, [1, 1801]],
  ['0 800', '0 800', 0, [0, 800]],
  ['1 8000', '1 8000', 0, [1, 8000]],
  ['12 345 678', '12 345 678', 0, [12, 12_345, 345, 345_678, 678]],
  ['123 456 789 UC', '123 456789!', 0, [123, 123_456, 456, 456_789]],
  ['1,  800', '1 800', 0, [1, 800]],
  ['1k', '1000', 0, [1, 1000]],
  ['3k uc', '3000!', 0, [3, 3000]],
  ['1.8k', '1800', 0, [1, 1800]],
  ['1,8к', '1800', 0, [1, 1800]],
  ['1 .8k', '1 8000', 0, [1, 8, 8000]],
  ['1.8005k', '1 8005000', 0, [1, 8005, 8_005_000]],
  ['x10 660 UC', '660!', 1, [10, 660]],
  ['x1 800 UC', '800!', 1, [1, 800]],
  ['60.00 UC', '60!', 0, [60]],
  ['60,0 UC 325', '60! 325', 0, [60, 325]],
  ['60.000 UC', '60000!', 0, [60, 60_000]],
  ['60.00', '60 0', 0, [60, 0]],
  ['60 .00 UC', '60 0!', 0, [60, 0]],
  ['60.01 UC', '60 1!', 0, [60, 1]],
  ['600+60', '660', 0, [600, 60, 660]],
  ['600+60 UC', '660!', 0, [600, 60, 660]],
  ['1234567', '1234567', 0, [1_234_567]],
  ['12345678', 'NaN', 0, [NaN]],
  ['60 pcs', '', 1, [60]],
  ['60 UC 100 codes', '60!', 1, [60, 100]],
  ['qty: 100', '', 1, [100]],
  ['qty 60 UC', '60!', 0, [60]],
  ['1. 60 UC', '60!', 0, [1, 60]],
  ['1) 325', '325', 0, [1, 325]],
  ['1.60', '1 60', 0, [1, 60]],
  ['999) 60 UC', '60!', 0, [999, 60]],
  ['1000) 60 UC', '1000 60!', 0, [1000, 60]],
  ['60 - 100', '60', 1, [60, 100]],
  ['10 x 60', '60', 1, [10, 60]],
  ['60 x 10 UC', '10!', 1, [60, 10]],
  ['60 x 325', '60 325', 0, [60, 325]],
  ['60 UC x 325', '60!', 1, [60, 325]],
  ['x100', '', 1, [100]],
  ['x100 60 UC', '60!', 1, [100, 60]],
  ['60 UC x', '60!', 0, [60]],
])('%j holds the amounts %j, %i counts, of the numbers %j', (line, amounts, counts, numbers) => {
  const found = read(line);
  expect(found.amounts.map(({ value, certain }) => `${value}${certain ? '!' : ''}`).join(' ')).toBe(amounts);
  expect([found.counts, found.numbers]).toEqual([counts, numbers]);
});

test.each<[line: string, told: string[]]>([
  ['60', []],
  ['60 UC', ['hasCurrency']],
  ['660ucx10', ['hasCurrency']],
  ['60 UC x', ['hasCurrency']],
  ['(60)', []],
  ['60 codes', ['isCodesNamed']],
  ['60 UC 100 codes', ['hasCurrency']],
  ['60 ?', ['unknown']],
  ['600 + ?', ['unknown']],
  ['60 word', ['unknown', 'unknownWords']],
  ['60 UC word', ['hasCurrency', 'unknown', 'unknownWords']],
])('%j is said to be %j', (line, told) => {
  const flags = Object.entries(read(line)).filter(([, value]) => value === true);
  expect(flags.map(([name]) => name)).toEqual(told);
});

test('behind eighty pieces only the numbers are looked at', () => {
  expect(read(`${'.'.repeat(79)} 60`).amounts).toEqual([{ value: 60, certain: false }]);
  expect(read(`${'.'.repeat(80)} 60 UC`)).toMatchObject({ amounts: [], numbers: [60], hasCurrency: false });
});
