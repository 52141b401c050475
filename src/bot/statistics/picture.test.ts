// The picture of /stats before it is painted: every word inside the picture and beside the others, every figure that has
// room that of the statistics.
import { describe, expect, test } from 'vitest';

import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { RangeStatistics } from '../../core/index.ts';
import { createTexts, LANGUAGES, type Language } from '../texts.ts';
import { measure } from '../../pictures/font.ts';
import { INK } from '../../pictures/svg.ts';
import { COLORS, composeStatistics, describeFigures, toPicture, WIDTH } from './stats.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LAST_DAY = Date.UTC(2026, 10, 22);
const texts = createTexts(TEST_GAMES);

type Counts = RangeStatistics['total'];
const NONE: Counts = { redeemed: 0, failed: 0, open: 0 };
const plus = (a: Counts, b: Counts): Counts => ({
  redeemed: a.redeemed + b.redeemed,
  failed: a.failed + b.failed,
  open: a.open + b.open,
});

function statisticsOf(count: number, countsOf: (index: number) => Counts, amounts = 3): RangeStatistics {
  const days = Array.from({ length: count }, (_, index) => ({
    date: new Date(LAST_DAY - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
    ...countsOf(index),
  }));
  return {
    days,
    total: days.reduce(plus, NONE),
    amounts: Array.from({ length: amounts }, (_, index) => ({
      gameId: 'game_id_1',
      amount: (index + 1) * 1_111,
      ...countsOf(index),
    })),
    timeZone: 'UTC',
  };
}

const quiet = () => NONE;
const usual = (index: number) => ({
  redeemed: (index * 7) % 41,
  failed: index % 3 === 0 ? 1 + (index % 5) : 0,
  open: index % 4 === 1 ? 2 : 0,
});
const crowd = (index: number) => ({ redeemed: 9_000 + index * 997, failed: 700 + index, open: 10 + index });
const broken = (index: number) => ({ redeemed: 0, failed: 100 + index, open: 0 });

const CASES: [string, RangeStatistics][] = [
  ['one day', statisticsOf(1, usual)],
  ['7 days', statisticsOf(7, usual)],
  ['7 days without a redemption', statisticsOf(7, quiet, 0)],
  ['7 days of failures', statisticsOf(7, broken)],
  ['14 days', statisticsOf(14, usual)],
  ['14 crowded days', statisticsOf(14, crowd, 12)],
  ['30 days', statisticsOf(30, usual, 40)],
  ['90 crowded days', statisticsOf(90, crowd, 12)],
];
const SHOPS = ['Falcon', 'Магазин «Сокол» & <сыновья>', 'W'.repeat(100), '🎮'];
const EVERY = LANGUAGES.flatMap((language) =>
  CASES.map(([name, statistics]) => [name, language, statistics] as const),
);

const wording = (language: Language) => ({
  language,
  say: texts.say.bind(undefined, language),
  label: texts.label.bind(undefined, language),
});
const pictureOf = (language: Language, statistics: RangeStatistics, name = 'Falcon', openedAt = 0) =>
  toPicture(wording(language), TEST_GAMES, statistics, { name, openedAt });

interface Word {
  words: string;
  left: number;
  right: number;
  y: number;
  size: number;
}

/** Of the picture itself, and of its charts where those stand. */
function readWords(svg: string): Word[] {
  const chart = /<g class="chart" transform="translate\((\d+) (\d+)\)">(.*?)<\/g>/g;
  const charts = [...svg.matchAll(chart)].flatMap(([, x, y, inside = '']) =>
    readTexts(inside).map((word) => moved(word, Number(x), Number(y))),
  );
  return [...readTexts(svg.replace(chart, '')), ...charts];
}

const moved = (word: Word, x: number, y: number): Word => ({
  ...word,
  ...{ left: word.left + x, right: word.right + x, y: word.y + y },
});

function readTexts(svg: string): Word[] {
  const shape =
    /<text (?:class="(\w+)" )?x="([\d.-]+)" y="([\d.-]+)" (.*?)text-anchor="(\w+)">(.*?)<\/text>/g;
  return [...svg.matchAll(shape)].map(([, look, x, y, style = '', anchor, escaped = '']) => {
    const words = escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const size = Number(/font-size="([\d.]+)"/.exec(style)?.[1]);
    const isBold = look === undefined ? style.includes('"700"') : look !== 'label';
    const width = measure(words, size, isBold ? 'bold' : 'plain');
    const left = Number(x) - width * { start: 0, middle: 0.5 }[anchor as 'start'];
    return { words, left, right: left + width, y: Number(y), size };
  });
}

describe('every word', () => {
  test.each(EVERY)('of %s in %s stands inside the picture and on no other', (_, language, statistics) => {
    for (const shop of SHOPS) {
      const svg = composeStatistics(pictureOf(language, statistics, shop));
      const height = Number(/height="(\d+)"/.exec(svg)?.[1]);
      const words = readWords(svg);
      expect(words).toHaveLength(svg.split('<text ').length - 1);
      for (const word of words) {
        expect(word.left, word.words).toBeGreaterThanOrEqual(0);
        expect(word.right, word.words).toBeLessThanOrEqual(WIDTH);
        expect(word.y, word.words).toBeLessThan(height);
        expect(word.size, word.words).toBeGreaterThanOrEqual(12);
        const beneath = words.find(
          (other) =>
            other !== word &&
            Math.abs(other.y - word.y) < 0.7 * Math.min(word.size, other.size) &&
            other.left < word.right - 0.5 &&
            word.left < other.right - 0.5,
        );
        expect(beneath && `${word.words} on ${beneath.words}`).toBeUndefined();
      }
      // A phone shows it without making a ladder of it.
      expect(height).toBeLessThan(1.75 * WIDTH);
    }
  });
});

const NARROW = EVERY.filter(([, , { days }]) => days.length <= 14);

describe('every figure', () => {
  test.each(NARROW)('of %s in %s is that of the statistics', (_, language, statistics) => {
    const drawn = readWords(composeStatistics(pictureOf(language, statistics))).map(({ words }) => words);
    const { days, amounts } = statistics;
    const parts = [...(days.length === 1 ? [] : days), ...(amounts.length > 8 ? [] : amounts)];
    const figures = (mark: string, kind: keyof Counts) =>
      parts.flatMap((counts) => (counts[kind] > 0 ? [`${mark}${counts[kind]}`] : []));
    const missing = [
      ...figures('', 'redeemed'),
      ...figures('✕\u2009', 'failed'),
      ...figures('?\u2009', 'open'),
    ];
    const left = [...drawn];
    for (const words of [String(statistics.total.redeemed), String(statistics.total.failed), ...missing]) {
      expect(left, words).toContain(words);
      left.splice(left.indexOf(words), 1);
    }
  });

  test('of many days gives way to a scale, which the highest day reaches', () => {
    const { charts } = pictureOf(
      'en',
      statisticsOf(90, (index) => ({ redeemed: index, failed: 0, open: 0 }), 0),
    );
    expect(charts[0]?.bars).toHaveLength(90);
    const words = readWords(composeStatistics(pictureOf('en', statisticsOf(90, usual, 0)))).slice(8);
    const scale = words
      .filter(({ words: each }) => /^\d+$/.test(each))
      .map(({ words: each }) => Number(each));
    expect(scale).toEqual([10, 20, 30, 40]);
  });

  test('of many denominations is kept: the rest is one column in the picture, and all rows in the text', () => {
    const statistics = statisticsOf(30, usual, 24);
    const bars = pictureOf('en', statistics).charts[1]?.bars ?? [];
    expect(bars).toHaveLength(8);
    const counted = (tone: string) =>
      bars.flatMap(({ parts }) => parts.filter((each) => each.tone === tone).map(({ count }) => count));
    const total = (counts: number[]) => counts.reduce((all, each) => all + each, 0);
    const { redeemed, failed, open } = statistics.amounts.reduce(plus, NONE);
    expect([total(counted('good')), total(counted('bad')), total(counted('doubt'))]).toEqual([
      redeemed,
      failed,
      open,
    ]);
    const text = describeFigures(wording('en'), TEST_GAMES, statistics);
    for (const { amount, redeemed, failed, open } of statistics.amounts.slice(1)) {
      const figures = `✅ ${redeemed}${failed > 0 ? ` · ❌ ${failed}` : ''}${open > 0 ? ` · ❔ ${open}` : ''}`;
      expect(text).toContain(`${amount} UC: ${figures}\n`);
    }
  });

  test('as text has room in one message, in the fullest 90 days', () => {
    for (const language of LANGUAGES) {
      const text = describeFigures(wording(language), TEST_GAMES, statisticsOf(90, crowd, 60));
      expect(text.length).toBeLessThan(4_096);
    }
  });
});

test('a day without any stands in its place, and none before the shop was opened', () => {
  const some = (index: number) => (index === 5 ? { redeemed: 3, failed: 0, open: 0 } : NONE);
  const named = (openedAt: number) =>
    pictureOf('en', statisticsOf(7, some, 0), 'Falcon', openedAt).charts[0]?.bars.map(({ label }) => label);
  expect(named(0)).toEqual(['Mon 16', 'Tue 17', 'Wed 18', 'Thu 19', 'Fri 20', 'Sat 21', 'Sun 22']);
  expect(named(LAST_DAY - DAY_MS)).toEqual(['Sat 21', 'Sun 22']);
});

test.each([
  ['en', ['29 Oct', '4 Nov', '10 Nov', '16 Nov', '22 Nov']],
  ['ru', ['29 окт.', '6 нояб.', '14 нояб.', '22 нояб.']],
] as const)('in %s of many days as many are named as have room, the last among them', (language, named) => {
  const words = readWords(composeStatistics(pictureOf(language, statisticsOf(30, usual, 0))));
  expect(
    words.filter(({ words: text }) => /^\d+ \p{L}+\.?$/u.test(text)).map(({ words: text }) => text),
  ).toEqual(named);
});

test('what is not known stands last', () => {
  const statistics = statisticsOf(7, usual, 3);
  statistics.amounts.unshift({ gameId: 'game_id_1', amount: 0, redeemed: 0, failed: 1, open: 0 });
  expect(pictureOf('en', statistics).charts[1]?.bars.at(-1)?.label).toBe('amount not known');
});

// To look at: whoever changes the picture looks at them, too (`vitest -u` draws them anew).
test.each<[file: string, language: Language, statistics: RangeStatistics, shop?: string]>([
  ['one-day', 'en', statisticsOf(1, usual)],
  ['few-days', 'ru', statisticsOf(3, broken, 1), 'W'.repeat(100)],
  ['week', 'ru', statisticsOf(7, usual)],
  ['quiet-week', 'en', statisticsOf(7, quiet, 0), '🎮'],
  ['fortnight', 'en', statisticsOf(14, usual)],
  ['crowded', 'en', statisticsOf(14, crowd, 12)],
  ['month', 'ru', statisticsOf(30, usual, 40)],
  ['quarter', 'en', statisticsOf(90, usual, 4)],
])('the picture is the one in pictures/%s.svg', async (file, language, statistics, shop) => {
  const svg = composeStatistics(pictureOf(language, statistics, shop));
  await expect(svg.replaceAll('><', '>\n<')).toMatchFileSnapshot(`pictures/${file}.svg`);
});

test('the title is the shop and its days', () => {
  const titleOf = (language: Language, count: number, shop: string) =>
    readWords(composeStatistics(pictureOf(language, statisticsOf(count, usual), shop)))
      .slice(0, 2)
      .map(({ words }) => words);
  expect(titleOf('en', 7, 'Falcon 🎮')).toEqual(['Falcon', '16–22 Nov 2026 · 7 days (UTC)']);
  expect(titleOf('en', 1, 'A & <B>')).toEqual(['A & <B>', '22 Nov 2026 · today (UTC)']);
  expect(titleOf('en', 1, '\u0000\u0001\ud83d\u202eСоколиный и\u0306 дом\n2')[0]).toBe('Соколиный й дом 2');
  expect(titleOf('en', 1, '王')[0]).toBe('—');
  expect(titleOf('ru', 2, 'Сокол')).toEqual(['Сокол', '21–22 ноября 2026 · 2 дня (UTC)']);
});

test('what is told apart by colour is told apart by pattern, and is dark enough on its ground', () => {
  const svg = composeStatistics(pictureOf('en', statisticsOf(7, usual)));
  const fills = { good: COLORS.good, bad: 'url(#bad)', doubt: 'url(#doubt)' };
  for (const [tone, fill] of Object.entries(fills)) expect(svg).toContain(`rect.${tone} { fill: ${fill}`);
  for (const color of [...Object.values(COLORS), INK.faint])
    expect(contrast(color, INK.paper)).toBeGreaterThan(4.5);
});

/** As WCAG counts it. */
function contrast(a: string, b: string): number {
  const luminance = (color: string) =>
    [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((light, part, index) => light + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}
