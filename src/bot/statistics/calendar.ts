// Many days as leaves of a calendar, a week a row, each month beginning one: each with its figures and a bar of them,
// all at one scale.
import { measure, shrink } from '../../pictures/font.ts';
import {
  COLORS,
  dot,
  figure,
  INK,
  INNER,
  lyingBar,
  lyingScale,
  MARGIN,
  round,
  sum,
  write,
} from './svg-drawing.ts';
import type { Drawn, PictureDay } from './pictures.ts';

/** Left of the weeks, for the names of months. */
const GUTTER = 68;
const GAP = 6;
const WIDTH = (INNER - GUTTER + GAP) / 7 - GAP;
const PADDING = 7;
const ROOM = WIDTH - 2 * PADDING;
const BAR = 10;
/** Room of the day's own number beside the figure. */
const DAY = 27;
const BETWEEN = 7;

/** Alike for all leaves. */
interface Form {
  scale: number;
  /** The figure has a line of its own, under the day's number. */
  apart: boolean;
  figureSize: number;
  restSize: number;
  /** Every other month has another ground. */
  grounds: ReadonlyMap<string, string>;
}

export function drawCalendar(days: readonly PictureDay[], weekdays: readonly string[], top: number): Drawn {
  const form = chooseForm(days);
  const parts = weekdays.map((weekday, index) =>
    write(leftOf(index) + WIDTH / 2, top + 20, weekday, { size: 20, color: INK.faint, anchor: 'middle' }),
  );
  let y = top + 32;
  let named: string | undefined;
  for (const week of toWeeks(days.filter(({ isBefore }) => !isBefore))) {
    const height = 52 + (form.apart ? 24 : 0) + (week.some((day) => restOf(day).length > 0) ? 26 : 0);
    const month = week[0]?.month ?? '';
    if (month !== named) {
      const size = shrink(month, GUTTER - 8, 20, 'bold');
      parts.push(write(MARGIN, y + 24, month, { size, weight: 'bold', color: INK.faint }));
    }
    named = month;
    for (const day of week) parts.push(drawLeaf(day, y, height, form));
    y += height + GAP;
  }
  return { svg: parts.join(''), bottom: y };
}

function chooseForm(days: readonly PictureDay[]): Form {
  const sizeFor = (room: number) =>
    Math.min(...days.map((day) => shrink(figure('redeemed', day.redeemed), room, 24, 'bold')));
  const apart = sizeFor(ROOM - DAY) < 20;
  const months = [...new Set(days.map((day) => day.month))];
  return {
    scale: lyingScale(days, ROOM),
    apart,
    figureSize: sizeFor(apart ? ROOM : ROOM - DAY),
    restSize: Math.min(20, ...days.map(restSizeOf)),
    grounds: new Map(months.map((month, index) => [month, index % 2 === 0 ? INK.bed : INK.otherBed])),
  };
}

function drawLeaf(day: PictureDay, top: number, height: number, form: Form): string {
  const left = leftOf(day.weekday);
  const right = left + WIDTH - PADDING;
  const feet = top + 27 + (form.apart ? 24 : 0);
  const ground = form.grounds.get(day.month) ?? INK.bed;
  const parts = [
    `<rect x="${round(left)}" y="${round(top)}" width="${round(WIDTH)}" height="${height}" rx="6" fill="${ground}"/>`,
    write(left + PADDING, top + 24, day.day, { size: 18, color: INK.faint }),
  ];
  const style = { size: form.figureSize, weight: 'bold', color: COLORS.redeemed, anchor: 'end' } as const;
  if (day.redeemed > 0) parts.push(write(right, feet, figure('redeemed', day.redeemed), style));
  else if (sum(day) === 0) parts.push(dot(right - 3, feet - 7));
  let x = right;
  for (const { kind, words } of restOf(day).reverse()) {
    const style = { size: form.restSize, weight: 'bold', anchor: 'end' } as const;
    parts.push(write(x, feet + 25, words, { ...style, color: COLORS[kind] }));
    x -= measure(words, form.restSize, 'bold') + BETWEEN;
  }
  parts.push(lyingBar(day, left + PADDING, top + height - BAR - 6, BAR, form.scale));
  return parts.join('');
}

/** What was not simply redeemed, with its figures. */
const restOf = (day: PictureDay) =>
  (['failed', 'open'] as const)
    .filter((kind) => day[kind] > 0)
    .map((kind) => ({ kind, words: figure(kind, day[kind]) }));

/** At which the rest of a day has room on its line. */
function restSizeOf(day: PictureDay): number {
  const rest = restOf(day);
  const gaps = BETWEEN * Math.max(0, rest.length - 1);
  return shrink(rest.map(({ words }) => words).join(''), ROOM - gaps, 20, 'bold');
}

const leftOf = (weekday: number) => MARGIN + GUTTER + weekday * (WIDTH + GAP);

/**
 * Cut before every Monday, and before the first of a month: so that each row is of the month that is named beside it.
 */
function toWeeks(days: readonly PictureDay[]): PictureDay[][] {
  const weeks: PictureDay[][] = [];
  for (const day of days) {
    const last = weeks.at(-1);
    if (last && day.weekday !== 0 && day.day !== '1') last.push(day);
    else weeks.push([day]);
  }
  return weeks;
}
