// Which words are read as codes in groups, and which are left as they are.
import { expect, test } from 'vitest';

import { readCode } from './written-codes.ts';

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
