// The words of headings one by one: what may stand beside a denomination, what names something else, what is of another sense.
import { expect, test } from 'vitest';

import {
  CODE_WORDS,
  COUNT_LABELS,
  COUNT_UNITS,
  createCurrencyGlance,
  isSideWord,
  mayName,
  OTHER_SENSES,
  saysEmpty,
  THOUSAND,
  TIMES,
} from './heading-words.ts';

test.each<[what: string, list: ReadonlySet<string>, words: string]>([
  [
    'names of codes',
    CODE_WORDS,
    'codes pin voucher key coupon cards коды кодов ваучеры пин ключи купоны карта',
  ],
  ['units of pieces', COUNT_UNITS, 'pcs piece units ea шт штук позиций единиц times раз'],
  ['labels of counts', COUNT_LABELS, 'qty quantity count total всего итого количество кол во amt'],
  ['thousands', THOUSAND, 'k к тыс тысяч thousand'],
  ['signs of factors', TIMES, 'x х × * ✕ ✖ ·'],
])('%s', (_what, list, words) => {
  expect(words.split(' ').filter((word) => !list.has(word))).toEqual([]);
  expect([list.has('word'), list.has('')]).toEqual([false, false]);
});

test.each(['denomination', 'take', 'держи', 'pack', 'пачка', 'for', 'по', 'codes', 'qty'])(
  '“%s” says nothing about what it stands beside',
  (word) => expect(isSideWord(word)).toBe(true),
);
test.each(['royal', 'pcs', 'uc', ''])('“%s” may', (word) => expect(isSideWord(word)).toBe(false));

test.each([
  ['royal pass', true],
  ['the smaller ones', true],
  ['next denomination', true],
  ['следующие', true],
  ['codes', false],
  ['the codes for you', true],
  ['here are the codes', false],
  ['thanks for royal', false],
  ['привет royal', false],
  ['держи royal', false],
  [Array<string>(12).fill('royal').join(' '), true],
  [Array<string>(13).fill('royal').join(' '), false],
])('“%s” may name something: %j', (words, may) => expect(mayName(words.split(' '))).toBe(may));
test('no words name nothing', () => expect(mayName([])).toBe(false));

test.each([
  'пусто',
  'НЕТ',
  'закончились',
  'Empty',
  'no codes',
  'out of stock',
  'no stock',
  'sold out',
  'n/a',
])('“%s” says that there are none', (line) =>
  expect([saysEmpty(`60 UC: ${line}`), saysEmpty(`60 UC ${line}x`)]).toEqual([true, line === 'закончились']),
);
test('what stands behind 160 characters says nothing', () => {
  expect([saysEmpty('empty'.padStart(160)), saysEmpty('empty'.padStart(161))]).toEqual([true, false]);
});

test.each<[keyof typeof OTHER_SENSES, line: string, rest: string]>([
  ['address', 'from https://shop.example/60 now', 'from _ now'],
  ['address', 't.me/shop60 660', '_ 660'],
  ['address', '@shop660 and a.b@c.example', '_ and _'],
  ['moment', '60 uc 21.11.2026 10:30', '60 uc _ _'],
  ['moment', '2026-11-21 660', '_ 660'],
  ['moment', '21 nov 2026, nov 21', '_, _'],
  ['moment', '60:70 and 1.800', '60:70 and 1.800'],
  ['phone', 'call +7 916 123-45-67', 'call _'],
  ['phone', '600+60', '600+60'],
  ['money', '660 for 5 $', '660 for _'],
  ['money', '660 за 500 руб.', '660 за _'],
  ['money', '$5.50 each, 10%', '_ each, _'],
  ['money', '660 uc 5 tons', '660 uc 5 tons'],
])('%s in %j', (sense, line, rest) => {
  expect(line.replaceAll(OTHER_SENSES[sense], '_')).toBe(rest);
});

test('a glance finds the currency in any case and in letters that only look Latin', () => {
  const glance = createCurrencyGlance('diamonds');
  expect(['60 Diamond', '60 DIAMONDS', '60 алмазов'].map((line) => glance.test(line))).toEqual([
    true,
    true,
    true,
  ]);
  expect(glance.test('60 uc')).toBe(false);
});
