// Lines one by one: a heading, `!` where it names the currency; asked about; or none. Behind codes, directly under a heading, and
// beside codes.
import { expect, test } from 'vitest';

import { pasteGame } from '../../../test/harness/paste-game.ts';
import { hasUnknownWords, isHeadingLike, readHeading, type HeadingContext } from './heading.ts';
import { createVocabulary } from './vocabulary.ts';

const vocabulary = createVocabulary(pasteGame([60, 325, 660, 1800, 3850, 8100]));

function read(line: string, context: HeadingContext): string {
  const found = readHeading(line, vocabulary, context);
  return found.kind === 'heading' ? `${found.denomination}${found.certain ? '!' : ''}` : found.kind;
}

test.each([
  ['60', '60', '60', '60'],
  ['60 UC', '60!', '60!', '60!'],
  ['60 UC 60', '60!', '60!', '60!'],
  ['660 codes', '660', '660', '660'],
  ['60 codes, 325 rub', 'asked', 'asked', 'asked'],
  ['60 UC codes, 5 rub', '60!', '60!', '60!'],
  ['60 325', 'asked', 'asked', 'asked'],
  ['60 ?', 'asked', 'asked', 'asked'],
  ['60 UC used', 'asked', 'asked', 'asked'],
  ['60 $', 'none', 'none', 'none'],
  ['61', 'asked', 'asked', 'none'],
  ['61 UC', 'asked', 'asked', 'asked'],
  ['UC', 'asked', 'none', 'asked'],
  ['UC codes', 'asked', 'none', 'asked'],
  ['5 apples', 'asked', 'asked', 'none'],
  ['☆ ½', 'asked', 'asked', 'none'],
  ['used', 'asked', 'asked', 'none'],
  ['one two three four 7', 'asked', 'asked', 'none'],
  ['one two three four five 7', 'none', 'none', 'none'],
  ['1 2 3 4 5 6', 'none', 'none', 'none'],
  ['100 codes', 'asked', 'none', 'none'],
  ['100 pcs', 'asked', 'none', 'none'],
  ['Royal pass', 'asked', 'none', 'none'],
  ['Next ones:', 'asked', 'none', 'none'],
  ['=== more ===', 'asked', 'none', 'none'],
  ['[others]', 'asked', 'none', 'none'],
  ['codes', 'none', 'none', 'none'],
  ['codes:', 'none', 'none', 'none'],
  ['hello there', 'none', 'none', 'none'],
])('%j: behind codes %s, under a heading %s, beside codes %s', (line, behind, beneath, beside) => {
  expect([
    read(line, { fresh: false }),
    read(line, { fresh: true }),
    read(line, { fresh: false, beside: true }),
  ]).toEqual([behind, beneath, beside]);
});

test('of sixty pieces and 160 characters at most', () => {
  const behind = { fresh: false };
  expect([read(`60 UC ${'- '.repeat(58)}`, behind), read(`60 UC ${'- '.repeat(59)}`, behind)]).toEqual([
    '60!',
    'asked',
  ]);
  const blanks = (length: number) => `60 UC${' '.repeat(length - 5)}`;
  expect([read(blanks(160), behind), read(blanks(161), behind)]).toEqual(['60!', 'asked']);
});

test.each(['660', 'UC1800', '1800uc', '1801uc', '660x100', 'x660', '1.8k', '1,800', '60+600', '６６０'])(
  '%s is like a heading',
  (word) => expect(isHeadingLike(word, vocabulary)).toBe(true),
);
test.each(['uc', '1801', 'abc660', '660abc', 'x1801', '1.9k'])('%s is not', (word) =>
  expect(isHeadingLike(word, vocabulary)).toBe(false),
);
test('nothing longer than 32 characters is', () => {
  const word = (length: number) => `660${'-'.repeat(length - 3)}`;
  expect([32, 33].map((length) => isHeadingLike(word(length), vocabulary))).toEqual([true, false]);
});

test.each([
  ['60 UC', false],
  ['60 ?', false],
  ['codes 60', false],
  ['60 word', true],
  ['word', true],
])('%j has unknown words: %j', (line, has) => expect(hasUnknownWords(line, vocabulary)).toBe(has));
