// Tables with a header that names the column of the codes: what is a header, what is a row, and what is read of each.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { findTable, readAmount, readRow, splitCells } from './table.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(pasteGame([60, 325, 660, 1800]));
const [A, B] = ['AAAA1111bbbb2222', 'BBBB3333cccc4444'];

test.each<[header: string, codes: number[], denomination: number | undefined, product?: number]>([
  ['code;denomination', [0], 1],
  ['denomination\tcode', [1], 0],
  ['code|denomination', [0], 1],
  ['"code","denomination"', [0], 1],
  ['code;pin;denomination', [0, 1], 2],
  ['code;product', [0], undefined, 1],
  ['code;date', [0], undefined],
  ['code;denomination;anything', [0], 1],
  [`code;denomination;${'x'.repeat(982)}`, [0], 1],
])('%.30s is a header', (header, codeColumns, denominationColumn, productColumn) => {
  expect(findTable(header, vocabulary)).toMatchObject({
    width: splitCells(header, /[;\t|,]/.exec(header)![0]).length,
    codeColumns,
    denominationColumn,
    productColumn,
  });
});

test.each([
  'code',
  'Codes, please:',
  'code;anything',
  'code;',
  'denomination;date',
  'code 1;denomination',
  `code;denomination;${'x'.repeat(983)}`,
])('%.30s is none', (line) => expect(findTable(line, vocabulary)).toBeUndefined());

/** `60 CODE (as it was written)`, `! text` for what is malformed. */
function read(header: string, row: string, heading?: number): string[] | undefined {
  return readRow(row, findTable(header, vocabulary)!, heading, vocabulary)?.map((token) => {
    if (token.kind === 'malformed') return `! ${token.text} ${token.denomination ?? '?'}`;
    if (token.kind !== 'code') return token.kind;
    return `${token.denomination ?? '?'} ${token.code}${token.own === undefined ? '' : ` (${token.own})`}`;
  });
}

test.each<[row: string, found: string[] | undefined]>([
  [`${A};60`, [`60 ${A} (60)`]],
  [`"${A}";"60 UC"`, [`60 ${A} (60 UC)`]],
  [`${A} ok;60`, [`60 ${A} (60)`]],
  [`${A} ${B};60`, [`60 ${A} (60)`, `60 ${B} (60)`]],
  ['n/a;60', ['! n/a 60']],
  ['ABC-123 ok;60', ['! ABC-123 60']],
  [`${'n/a '.repeat(100)};60`, [`! ${'n/a '.repeat(64)} 60`]],
  [';60', []],
  [`${A};`, [`325 ${A}`]],
  [`${A};77`, [`? ${A} (77)`]],
  [`${A};60 ${'x'.repeat(40)}`, [`? ${A} (60 ${'x'.repeat(29)})`]],
  [`${A};60;`, [`60 ${A} (60)`]],
  [`${A};60;more`, undefined],
  [A, undefined],
  [`${A},60`, undefined],
  [`${A};${B}`, undefined],
  [`${A};60${' '.repeat(1_981)}`, [`60 ${A} (60)`]],
  [`${A};60${' '.repeat(1_982)}`, undefined],
])('%.30s under code;denomination', (row, found) => {
  expect(read('code;denomination', row, 325)).toEqual(found);
});

test('a row has the cells of its header, and a product says something by its number alone', () => {
  expect(read('code;denomination;date', `${A};60`)).toBeUndefined();
  expect(read('code;denomination;date', `${A};60;`)).toEqual([`60 ${A} (60)`]);
  expect(read('code;pin;denomination', `${A};${B};60`)).toEqual([`60 ${A} (60)`, `60 ${B} (60)`]);
  expect(read('code;product', `${A};60 UC`, 325)).toEqual([`60 ${A} (60 UC)`]);
  expect(read('code;product', `${A};Gift card`, 325)).toEqual([`325 ${A}`]);
  expect(read('code;date', `${A};tomorrow`)).toEqual([`? ${A}`]);
});

test.each<[cell: string, amount: number | undefined]>([
  ['60', 60],
  ['325.00', 325],
  ['325,0', 325],
  ['1 800', 1800],
  ['1,800', 1800],
  ["1'800", 1800],
  ['60 ', 60],
  ['60 UC', 60],
  ['60 юс', 60],
  ['77', undefined],
  ['60.5', undefined],
  ['anything', undefined],
  ['', undefined],
  [`60${' '.repeat(30)}`, 60],
  [`60${' '.repeat(31)}`, undefined],
])('the cell %j says %s', (cell, amount) => expect(readAmount(cell, vocabulary)).toBe(amount));

test.each<[line: string, cells: string[]]>([
  ['a; b ;c', ['a', 'b', 'c']],
  ['a;"b;c";d', ['a', 'b;c', 'd']],
  ['"a";b"c;', ['a', 'b"c', '']],
  ['"x""y;""";z', ['x"y;"', 'z']],
  ['"open;b', ['"open', 'b']],
  [' \ufeff"a;b";c', ['a;b', 'c']],
  ['', ['']],
  [';', ['', '']],
])('%j has its cells', (line, cells) => expect(splitCells(line, ';')).toEqual(cells));
