import { expect, test } from 'vitest';

import { isCalendarDate, parseInstant } from './instants.ts';

const at = Date.parse('2026-01-13T08:27:18.520Z');

test.each([
  ['2026-01-13T08:27:18.520Z', at],
  ['2026-01-13t08:27:18.520z', at],
  ['2026-01-13T08:27:18.520000Z', at],
  ['2026-01-13T08:27:18,520Z', at],
  ['2026-01-13T08:27:18.520', at],
  ['2026-01-13T11:27:18.520+03:00', at],
  ['2026-01-13T11:27:18.520 03:00', at],
  ['2026-01-13T02:57:18.520-0530', at],
  ['2026-01-13T08:27:18Z', at - 520],
  ['2026-01-13T08:27Z', at - 18_520],
  ['2024-02-29', Date.parse('2024-02-29T00:00:00Z')],
  ['2026-01-13T23:59:59Z', Date.parse('2026-01-14T00:00:00Z') - 1_000],
  ['2026-01-13T23:59:00+23:59', Date.parse('2026-01-13T00:00:00Z')],
])('%s is a moment', (text, ms) => {
  expect(parseInstant(text)).toBe(ms);
});

test('a moment finer than a millisecond keeps its fraction', () => {
  expect(parseInstant('2026-01-13T08:27:18.5205Z')).toBeCloseTo(at + 0.5, 3);
});

test.each([
  '',
  'now',
  '2026',
  '2026-02-29',
  '2026-01-13T24:00:00Z',
  '2026-01-13T08:60:00Z',
  '2026-01-13T08:60Z',
  '2026-01-13T23:59:60Z',
  '2026-01-13T08:27:18.Z',
  '2026-01-13T08:27:18+24:00',
  '2026-01-13T08:27:18-00:60',
  'x2026-01-13',
  '2026-01-13 08:27:18Z',
  '+2026-01-13',
  '2026-01-13T08:27:18Z\n',
])('%j is none', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test('days are days of the calendar', () => {
  expect(['2024-02-29', '2026-12-31'].every(isCalendarDate)).toBe(true);
  expect(['2026-02-29', '2026-04-31', '2026-1-1', '2026-01-13T00:00:00Z', ''].some(isCalendarDate)).toBe(
    false,
  );
});
