// Statistics in words: every figure, the days on which something happened, and no more amounts than are asked for.
import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { RangeStatistics } from '../../core/index.ts';
import { createTexts } from '../texts.ts';
import { describeBeside, describeFigures, mergeAmounts, type Wording } from './stats.ts';

const texts = createTexts(TEST_GAMES);
const ctx: Wording = {
  language: 'en',
  say: (key, values) => texts.say('en', key, values),
  label: (key, values) => texts.label('en', key, values),
};
const counts = (redeemed = 0, failed = 0, open = 0) => ({ redeemed, failed, open });
const plain = (html: string) => html.replace(/<[^>]*>|[\u2066-\u2069]/g, '').split('\n');

const WEEKEND: RangeStatistics = {
  days: [
    { date: '2026-11-20', ...counts(2000, 1) },
    { date: '2026-11-21', ...counts() },
    { date: '2026-11-22', ...counts(0, 1, 3) },
  ],
  amounts: [
    { gameId: 'game_id_1', amount: 0, ...counts(0, 1) },
    { gameId: 'game_id_1', amount: 60, ...counts(1500, 1, 3) },
    { gameId: 'game_id_1', amount: 325, ...counts() },
    { gameId: 'game_id_1', amount: 660, ...counts(500) },
  ],
  total: counts(2000, 2, 3),
  timeZone: '+03:00',
};

describe('as text', () => {
  test('all figures, and only the days and amounts of which there are any', () => {
    expect(plain(describeFigures(ctx, TEST_GAMES, WEEKEND))).toEqual([
      'The last 3 days (UTC+3)',
      '✅ redeemed: 2000 · ❌ failed: 2',
      '❔ in doubt or under way: 3',
      '',
      'By denomination',
      '60 UC: ✅ 1500 · ❌ 1 · ❔ 3',
      '660 UC: ✅ 500',
      'amount not known: ✅ 0 · ❌ 1',
      '',
      'By day',
      '20 Nov: ✅ 2000 · ❌ 1',
      '22 Nov: ✅ 0 · ❌ 1 · ❔ 3',
    ]);
  });

  test('of nothing', () => {
    const nothing = { ...WEEKEND, days: WEEKEND.days.slice(1, 2), amounts: [], total: counts() };
    expect(plain(describeFigures(ctx, TEST_GAMES, nothing))).toEqual([
      'Today (UTC+3)',
      '✅ redeemed: 0 · ❌ failed: 0',
      '',
      'Nothing was redeemed in this time.',
    ]);
  });
});

test.each([
  [counts(), ['Nothing was redeemed in this time.']],
  [counts(5), ['']],
  [counts(1999, 1), ['Success rate: 99 %']],
  [counts(0, 1), ['Success rate: 0 %']],
  [counts(1, 1, 1), ['Success rate: 50 %', 'What is in doubt settles by itself. /find in doubt lists it.']],
])('beside the picture of %j', (total, lines) => {
  expect(plain(describeBeside(ctx, { ...WEEKEND, total }))).toEqual(lines);
});

test('of many amounts those used most are named, in their order, and the rest is one', () => {
  const amounts = [60, 325, 660, 1800].map((amount, index) => ({
    gameId: 'game_id_1',
    amount,
    ...counts([5, 1, 9, 2][index], 1),
  }));
  const merge = (most: number) => mergeAmounts(ctx, TEST_GAMES, { amounts }, most);
  expect(merge(4).map(({ label }) => label)).toEqual(['60 UC', '325 UC', '660 UC', '1800 UC']);
  expect(merge(3)).toEqual([
    { label: '60 UC', ...counts(5, 1) },
    { label: '660 UC', ...counts(9, 1) },
    { label: 'others', ...counts(3, 2) },
  ]);
});
