import { expect, test } from 'vitest';

import {
  describeOffset,
  formatDate,
  formatDay,
  formatMoment,
  formatShort,
  formatShortDate,
  formatTime,
} from './moments.ts';

const AT = Date.UTC(2026, 10, 21, 22, 5);
const SUMMER = Date.UTC(2026, 6, 1, 22, 5);

test.each([
  ['UTC', '21 Nov 2026, 22:05 UTC', '21 ноября 2026, 22:05 UTC'],
  ['+03:00', '22 Nov 2026, 01:05 UTC+3', '22 ноября 2026, 01:05 UTC+3'],
  ['-04:30', '21 Nov 2026, 17:35 UTC−4:30', '21 ноября 2026, 17:35 UTC−4:30'],
  ['Europe/Moscow', '22 Nov 2026, 01:05 UTC+3', '22 ноября 2026, 01:05 UTC+3'],
  ['Europe/Berlin', '21 Nov 2026, 23:05 UTC+1', '21 ноября 2026, 23:05 UTC+1'],
])('in %s a moment is %s', (zone, english, russian) => {
  expect(formatMoment('en', AT, zone)).toBe(english);
  expect(formatMoment('ru', AT, zone)).toBe(russian);
});

test('every form is a part of the same one', () => {
  expect(formatDay('en', AT, 'Europe/Moscow')).toBe('22 Nov 2026');
  expect(formatDay('ru', AT)).toBe('21 ноября 2026');
  expect(formatShort('en', AT, '+03:00')).toBe('22 Nov, 01:05');
  expect(formatShort('ru', AT)).toBe('21 ноября, 22:05');
  expect(formatTime(AT, '+05:30')).toBe('03:35');
  expect(formatDate('ru', { year: 2026, month: 3, day: 8 })).toBe('8 марта 2026');
  expect(formatShortDate('en', { year: 2026, month: 3, day: 8 })).toBe('8 Mar');
});

test('a zone has the offset of the moment', () => {
  expect([AT, SUMMER].map((at) => describeOffset('Europe/Berlin', at))).toEqual(['UTC+1', 'UTC+2']);
});
