import { describe, expect, test } from 'vitest';

import { addDays, dayAt, isDay, parseTimeZone, startOfDay, type Day } from './zones.ts';

describe('a zone is named', () => {
  test.each([
    ['utc', 'UTC'],
    ['UTC+0', 'UTC'],
    ['UTC+3', '+03:00'],
    ['gmt -4:30', '-04:30'],
    ['+0530', '+05:30'],
    ['−5', '-05:00'],
    ['Europe/Moscow', 'Europe/Moscow'],
    ['europe/moscow', 'Europe/Moscow'],
    ['moscow', 'Europe/Moscow'],
    ['New York', 'America/New_York'],
  ])('%s is %s', (text, zone) => expect(parseTimeZone(text)).toBe(zone));

  test('by an older name', () => {
    const zone = parseTimeZone('Europe/Kiev')!;
    expect(dayAt(zone, Date.UTC(2026, 6, 1, 21, 30))).toEqual({ year: 2026, month: 7, day: 2 });
  });

  test.each([
    '',
    ' ',
    'Mars/Phobos',
    'UTC+15',
    'UTC-13',
    'UTC+3:75',
    '3',
    '../etc',
    'a'.repeat(500),
    '60 50',
  ])('%j is none', (text) => expect(parseTimeZone(text)).toBeUndefined());
});

const HOUR_MS = 60 * 60 * 1000;

test.each([
  'UTC',
  '+03:00',
  '-09:30',
  'Europe/Moscow',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Havana',
  'Pacific/Apia',
])('in %s every day follows the one before without a gap, and is the day of all its moments', (zone) => {
  let day: Day = { year: 2025, month: 12, day: 30 };
  for (let n = 0; n < 400; n += 1) {
    const next = addDays(day, 1);
    const [from, until] = [startOfDay(zone, day), startOfDay(zone, next)];
    const length = (until - from) / HOUR_MS;
    expect([23, 24, 25], JSON.stringify(day)).toContain(length);
    expect([dayAt(zone, from), dayAt(zone, until - 1), dayAt(zone, from - 1)]).toEqual([
      day,
      day,
      addDays(day, -1),
    ]);
    day = next;
  }
});

test('days that the calendar has', () => {
  expect(isDay({ year: 2028, month: 2, day: 29 })).toBe(true);
  for (const [year, month, day] of [
    [2026, 2, 29],
    [2026, 13, 1],
    [2026, 4, 31],
    [2026, 1, 0],
    [26, 1, 1],
  ] as const)
    expect(isDay({ year, month, day })).toBe(false);
  expect(addDays(dayAt('UTC', Date.UTC(2026, 0, 1)), -1)).toEqual({ year: 2025, month: 12, day: 31 });
  expect(startOfDay('+03:00', { year: 2026, month: 1, day: 2 })).toBe(Date.UTC(2026, 0, 2) - 3 * HOUR_MS);
});
