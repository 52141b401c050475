// One amount among words: what it is worth, how sure that is, and where reading goes on.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { findAmount } from './amounts.ts';
import { createVocabulary } from './vocabulary.ts';
import { findWords } from './words.ts';

const game = pasteGame([60, 325, 660, 1800]);
const vocabulary = createVocabulary(game);

/** The amount of the nth word in short: `!` certain, `:` opens, `.` marker, `^` leads; and the word after it. */
function read(line: string, index = 0): string {
  const found = findAmount(line, findWords(line), index, vocabulary);
  if (!found) return 'none';
  const { value, certain, opens, marker, leads } = found.amount;
  const marks = [certain && '!', opens && ':', marker && '.', leads && '^'].filter(Boolean).join('');
  return `${value}${marks} ${found.next}`;
}

test.each([
  ['60', '60^ 1'],
  ['60 UC', '60!^ 2'],
  ['60uc', '60!^ 1'],
  ['60юс', '60!^ 1'],
  ['UC 60', '60!^ 2'],
  ['60:', '60:^ 1'],
  ['60 UC :', '60!:^ 2'],
  ['60)', '60.^ 1'],
  ['60.', '60.^ 1'],
  ['60 UC)', '60!^ 2'],
  ['(60)', '60^ 1'],
  ['1800', '1800^ 1'],
  ['1 800', '1800^ 2'],
  ['1 800 UC', '1800!^ 3'],
  ['1 800UC', '1800!^ 2'],
  ['1,800', '1800^ 2'],
  ['1.800 UC', '1800!^ 2'],
  ["1'800 UC", '1800!^ 3'],
  ['1\u00a0800 UC', '1800!^ 3'],
  ['2 500 UC', '2500!^ 3'],
  ['2 500 000 UC', '2500000!^ 4'],
  ['2  500 UC', '2^ 1'],
  ['2 50 UC', '2^ 1'],
  ['12345', '12345^ 1'],
  ['123456', 'none'],
  ['325 660', '325^ 1'],
  ['60 $', 'none'],
  ['$60', 'none'],
  ['60 pcs', 'none'],
  ['60%', 'none'],
  ['60 ABCD1234EFGH', '60^ 1'],
  ['word', 'none'],
  ['ABCD1234EFGH', 'none'],
])('%j', (line, said) => {
  expect(read(line)).toBe(said);
});

test('behind a word it leads nothing, and marks nothing', () => {
  expect([read('ABCD1234EFGH 60)', 1), read('ABCD1234EFGH 60 UC', 1), read('x 2 500 UC y', 1)]).toEqual([
    '60 2',
    '60! 3',
    '2500! 4',
  ]);
});

test('a word that is a code is no amount, although it ends as the currency is called', () => {
  const others = createVocabulary({ ...game, currency: 'Diamonds' });
  const valueOf = (line: string) => findAmount(line, findWords(line), 0, others)?.amount.value;
  expect([valueOf('60diamonds'), valueOf('12345diamonds')]).toEqual([60, undefined]);
});
