// Which words are read as codes in groups, and which are left as they are.
import { expect, test } from 'vitest';

import { foldCode, foldWritten, readCode } from './folding.ts';

const isCode = (word: string) => /^[A-Za-z0-9]{12,32}$/.test(word);

test.each([
  ['AB12CD34EF56', 'AB12CD34EF56'],
  ['AB12-CD34-EF56', 'AB12CD34EF56'],
  ['AB12–CD34–EF56–gh78', 'AB12CD34EF56gh78'],
  ['ABC-DEF-GH1-JK2', 'ABCDEFGH1JK2'],
])('%s is %s', (written, code) => {
  expect(readCode(written, isCode)).toBe(code);
});

test.each([
  ['letters alone', 'ABCD-EFGH-IJKL'],
  ['digits alone: a card', '1234-5678-9012-3456'],
  ['groups of several lengths', '550e8400-e29b-41d4-a716-446655440000'],
  ['two groups', 'AB12CD-34EF56'],
  ['two kinds of dashes', 'AB12-CD34–EF56'],
  ['a mark that is no dash', 'AB12_CD34_EF56'],
  ['too short in all', 'AB1-CD2-EF3'],
  ['a dash at the end', 'AB12-CD34-EF56-'],
])('%s is no code', (_why, written) => {
  expect(readCode(written, isCode)).toBeUndefined();
});

test('groups that are codes themselves stay apart', () => {
  expect(readCode('AB12-CD34-EF56', (word) => [4, 12].includes(word.length))).toBeUndefined();
});

test('what cannot be seen is not there, and digits of all scripts and full width are those of ASCII', () => {
  expect(
    ['Q1W2E3\u200bU7I8O9', '٥١٢٤٧٨٠١٣١', '５１２４', '۵۱۲', '𝟔𝟔𝟎', 'ＫＱ７', '५१२', 'plain 1'].map(
      foldWritten,
    ),
  ).toEqual(['Q1W2E3U7I8O9', '5124780131', '5124', '512', '660', 'KQ7', '512', 'plain 1']);
});

test('a code in any writing is one code, and what is none is left for its reader to refuse', () => {
  const pattern = /^[A-Za-z0-9]{12,32}$/;
  const writings = [
    'K7QZ-2MXB-9TRW-4HNE',
    ' K7QZ2MXB9TRW4HNE ',
    'K7QZ2MXB\u200b9TRW4HNE',
    'K7QZ–2MXB–9TRW–4HNE',
    'K7QZ 2MXB  9TRW 4HNE',
  ];
  expect(new Set(writings.map((each) => foldCode(each, pattern)))).toEqual(new Set(['K7QZ2MXB9TRW4HNE']));
  expect(foldCode('1111-2222-3333-4444', pattern)).toBe('1111222233334444');
  expect(foldCode('K7QZ_2MXB', pattern)).toBe('K7QZ_2MXB');
});
