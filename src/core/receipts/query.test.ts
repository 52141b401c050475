import { describe, expect, test } from 'vitest';

import { readAsked } from './query.ts';

/** A Saturday, already the 22nd in Moscow. */
const NOW = Date.UTC(2026, 10, 21, 21, 30);
const read = (text: string, timeZone = 'UTC') => readAsked(text, { timeZone, now: NOW });
const dayOf = (text: string, timeZone = 'UTC') => {
  const { days, words } = read(text, timeZone);
  return days && words.length === 0 ? [days.first.year, days.first.month, days.first.day].join('-') : words;
};

describe('a day', () => {
  test.each([
    ['21.11', '2026-11-21'],
    ['21.11.', '2026-11-21'],
    ['21.11.2026', '2026-11-21'],
    ['21.11.26', '2026-11-21'],
    ['1/2', '2026-2-1'],
    ['11/21', '2026-11-21'],
    ['21/11/2026', '2026-11-21'],
    ['21-11-2026', '2026-11-21'],
    ['2026-11-21', '2026-11-21'],
    ['24.12', '2025-12-24'],
    ['29.2.2028', '2028-2-29'],
    ['today', '2026-11-21'],
    ['Yesterday', '2026-11-20'],
    ['вчера', '2026-11-20'],
    ['Сегодня!', '2026-11-21'],
    ['позавчера', '2026-11-19'],
    ['за вчера', '2026-11-20'],
    ['21 ноября', '2026-11-21'],
    ['21 ноября 2025', '2025-11-21'],
    ['Nov 3', '2026-11-3'],
    ['3rd november', '2026-11-3'],
  ])('%s is %s', (text, day) => expect(dayOf(text)).toBe(day));

  test.each([
    [1, 'jan january янв января январь'],
    [2, 'feb february фев февр февраля февраль'],
    [3, 'mar march мар марта март'],
    [4, 'apr april апр апреля апрель'],
    [5, 'may мая май'],
    [6, 'jun june июн июня июнь'],
    [7, 'jul july июл июля июль'],
    [8, 'aug august авг августа август'],
    [9, 'sep sept september сен сент сентября сентябрь'],
    [10, 'oct october окт октября октябрь'],
    [11, 'nov november ноя нояб ноября ноябрь'],
    [12, 'dec december дек декабря декабрь'],
  ])('may be of month %d: %s', (month, names) => {
    for (const name of names.split(' '))
      expect(read(`3 ${name} 2025`).days?.first, name).toEqual({ year: 2025, month, day: 3 });
  });

  test.each([
    '31.11',
    '32.13',
    '29.2.2027',
    '0.5',
    '99.99',
    '5170925570',
    '20261121',
    'march',
    '21',
    'мара 5',
    '1.2.3.4',
  ])('%s is none', (text) => expect(read(text).days).toBeUndefined());

  test('is that of the account’s time zone, from its first moment to its last', () => {
    expect(dayOf('вчера', 'Europe/Moscow')).toBe('2026-11-21');
    expect(read('21.11', 'UTC').days).toMatchObject({
      from: Date.UTC(2026, 10, 21),
      until: Date.UTC(2026, 10, 22),
    });
    expect(read('21.11', '+03:00').days).toMatchObject({
      from: Date.UTC(2026, 10, 20, 21),
      until: Date.UTC(2026, 10, 21, 21),
    });
    // Where clocks go back it has 25 hours.
    const { from = 0, until = 0 } = read('25.10', 'Europe/Berlin').days ?? {};
    expect(until - from).toBe(25 * 60 * 60 * 1000);
  });

  test('may be several, from the first to the last', () => {
    expect(read('20.11 18.11').days).toMatchObject({
      first: { day: 18 },
      last: { day: 20 },
      until: Date.UTC(2026, 10, 21),
    });
  });
});

describe('an outcome', () => {
  test.each([
    ['failed', 'failed'],
    ['Ошибки', 'failed'],
    ['ошибка', 'failed'],
    ['неудачные', 'failed'],
    ['не удалось', 'failed'],
    ['in doubt', 'in_doubt'],
    ['под вопросом', 'in_doubt'],
    ['в сомнении', 'in_doubt'],
    ['не ясно', 'in_doubt'],
  ])('%s is %s', (text, state) => expect(read(text)).toEqual({ state, words: [] }));

  test('stands beside everything else', () => {
    expect(read('вчера Анна failed')).toMatchObject({
      state: 'failed',
      days: { first: { day: 20 } },
      words: ['Анна'],
    });
    expect(read('не удалось 21 ноября')).toMatchObject({
      state: 'failed',
      words: [],
      days: { first: { day: 21 } },
    });
    expect(read('ID 5170925570, вчера')).toMatchObject({
      words: ['5170925570'],
      days: { first: { day: 20 } },
    });
  });
});

test.each([
  'id uid player code receipt by from operator for on of at in to',
  'ид айди игрок игрока код чек чека от оператор за для на в с по до',
])('%s say nothing beside something', (fillers) => {
  for (const filler of fillers.split(' '))
    expect(read(`${filler} 5170925570`), filler).toEqual({ words: ['5170925570'] });
});

test('a number after its word is that of a receipt', () => {
  for (const text of ['receipt 5571', 'чек №5571', 'Чека 5571'])
    expect(read(text), text).toEqual({ words: ['#5571'] });
});

test('the rest is words; those that say nothing count only where there is nothing else', () => {
  expect(read('ID: 5170925570')).toEqual({ words: ['5170925570'] });
  expect(read('id')).toEqual({ words: ['id'] });
  expect(read('"failed" «вчера»')).toEqual({ words: ['failed', 'вчера'] });
  expect(read('')).toEqual({ words: [] });
  expect(read('constructor __proto__ toString')).toEqual({ words: ['constructor', '__proto__', 'toString'] });
  expect(read('x '.repeat(5_000)).words).toHaveLength(40);
});
