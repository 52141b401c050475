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

describe('days', () => {
  const spanOf = (text: string) => {
    const { days, words } = read(text);
    const [first, last] = [days?.first, days?.last].map((day) => day && `${day.month}-${day.day}`);
    return words.length === 0 ? `${first} ${last}` : words;
  };

  test.each([
    ['18.11-20.11', '11-18 11-20'],
    ['18.11 – 20.11', '11-18 11-20'],
    ['18-20.11', '11-18 11-20'],
    ['18.11.2026-20.11.2026', '11-18 11-20'],
    ['18-20 ноября', '11-18 11-20'],
    ['с 18.11 по 20.11', '11-18 11-20'],
    ['from 18.11 to 20.11', '11-18 11-20'],
    ['20.11-30.11', '11-20 11-30'],
    ['30.12-2.1', '12-30 1-2'],
    ['this week', '11-16 11-22'],
    ['last week', '11-9 11-15'],
    ['На прошлой неделе', '11-9 11-15'],
    ['last month', '10-1 10-31'],
    ['в этом месяце', '11-1 11-30'],
    ['7 days', '11-15 11-21'],
    ['за последние 3 дня', '11-19 11-21'],
    ['последний 1 день', ['последний']],
  ])('%s are from the first to the last: %j', (text, span) => expect(spanOf(text)).toEqual(span));

  test.each(['18-31.2', '0 days', '18-20', '1-2-3', 'week'])('%s are none', (text) =>
    expect(read(text).days).toBeUndefined(),
  );
});

describe('an hour', () => {
  const at = (day: number, hour: number, minute: number) => Date.UTC(2026, 10, day, hour, minute);

  test.each([
    ['10:47', 'UTC', at(21, 10, 47)],
    ['21:59', 'UTC', at(21, 21, 59)],
    ['22:01', 'UTC', at(20, 22, 1)],
    ['вчера в 0:10', 'UTC', at(20, 0, 10)],
    ['9.11 10:47', '+03:00', at(9, 7, 47)],
    ['10:47', '+03:00', at(21, 7, 47)],
  ])('%s in %s is half an hour before it and after', (text, timeZone, moment) => {
    const { days, minute, words } = read(text, timeZone);
    expect([days?.from, days?.until, words]).toEqual([moment - 1_800_000, moment + 1_800_000, []]);
    expect(minute).toBeDefined();
  });

  test.each(['24:00', '10:60', '10:4', '1:2:3'])('%s is none', (text) =>
    expect(read(text).words).toEqual([text]),
  );
});

describe('an outcome', () => {
  test.each([
    ['failed', 'failed'],
    ['Ошибки', 'failed'],
    ['не удалось', 'failed'],
    ['in doubt', 'in_doubt'],
    ['под вопросом', 'in_doubt'],
    ['успешные', 'redeemed'],
  ])('%s is %s', (text, state) => expect(read(text)).toEqual({ state, words: [] }));

  test.each([
    ['failed', 'failed, fail, fails, failure, failures, error, errors, unsuccessful, not redeemed'],
    ['failed', 'неудача, неудачи, неудачные, неудачная, неудачный, неудачно, неуспешные, неуспешно'],
    ['failed', 'ошибка, ошибки, ошибок, ошибкой, с ошибкой, сбой, сбои, не удалось, не удались'],
    ['failed', 'не активировано, не активирован, не прошло, не прошла, не прошли, не прошёл'],
    ['in_doubt', 'in doubt, in-doubt, in_doubt, doubt, doubts, doubtful, not certain, uncertain, unclear'],
    ['in_doubt', 'под вопросом, в сомнении, сомнение, сомнения, сомнительные, сомнительная, неясно, неясные'],
    ['in_doubt', 'не ясно, пока не ясно'],
    ['redeemed', 'redeemed, success, successful, succeeded'],
    ['redeemed', 'успешно, успешные, успешная, успех, активировано, активированные'],
  ])('%s may be said as %s', (state, sayings) => {
    for (const saying of sayings.split(', ')) expect(read(saying), saying).toEqual({ state, words: [] });
  });

  test('stands beside everything else', () => {
    expect(read('вчера Анна failed')).toMatchObject({
      state: 'failed',
      days: { first: { day: 20 } },
      words: ['Анна'],
    });
    expect(read('key 3 не прошло 21 ноября')).toMatchObject({
      state: 'failed',
      apiKeyId: 3,
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
