// What is read as a currency, by the test of a single word and by the pattern: the two never differ.
import { expect, test } from 'vitest';

import { createCurrencyTest, currencyPattern } from './currencies.ts';

const read = (currency: string, word: string) => {
  const isIt = createCurrencyTest(currency)(word);
  const isFound = new RegExp(`^(?:${currencyPattern(currency)})$`, 'u').test(word.toLowerCase());
  expect(isFound, `${word} by the pattern`).toBe(isIt);
  return isIt;
};

test.each(['UC', 'uc', 'UCs', 'uС', 'юс', 'ЮСИ', 'ус', 'юсиков'])('%s means UC', (word) => {
  expect(read('UC', word)).toBe(true);
});

test.each(['diamonds', 'Diamond', 'алмазов', 'гемы'])('%s means diamonds', (word) => {
  expect(read('diamonds', word)).toBe(true);
});

test.each(['UCA', 'u', 'use', 'coin', 'алмаз'])('%s does not mean UC', (word) => {
  expect(read('UC', word)).toBe(false);
});

test.each([...'авекмнорстух'].map((letter, index) => [letter, 'abekmhopctyx'[index]!] as const))(
  'a Cyrillic %s is read as the Latin %s that it looks like, and as no other',
  (cyrillic, latin) => {
    expect(read(`Q${latin}Z`, `q${cyrillic}z`)).toBe(true);
    expect(read(`Q${latin === 'a' ? 'b' : 'a'}Z`, `q${cyrillic}z`)).toBe(false);
  },
);

test('a letter that no other looks like stands for itself alone', () => {
  const pattern = new RegExp(`^(?:${currencyPattern('GQ')})$`, 'i');
  expect(['GQ', 'gq'].map((word) => pattern.test(word))).toEqual([true, true]);
  expect([...'undefi'].filter((letter) => pattern.test(`G${letter}`))).toEqual([]);
});

test('a name with marks of its own is no pattern', () => {
  expect(read('C+', 'c+')).toBe(true);
  expect(read('C+', 'cc')).toBe(false);
});
