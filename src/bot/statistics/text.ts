// Statistics as people read them: what the picture shows, what stands under it, and all of it as text.
import { DAY_MS } from '../../clock.ts';
import {
  dayAt,
  formatIsoDay,
  type Games,
  type RangeStatistics,
  type SupplierFigures,
} from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { LOCALES } from '../../locales.ts';
import { describeOffset } from '../moments.ts';
import { name } from '../texts.ts';
import type { PictureAmount, PictureCounts, PictureDay, StatisticsPicture } from './pictures.ts';

/** The words of the language in which it is read. */
export type Wording = Pick<BotContext, 'language' | 'say' | 'label'>;

/** As many as the picture has room for, and as a message has. */
const MOST_AMOUNTS = { picture: 8, text: 25 } as const;
const MOST_SUPPLIERS = 10;
/** More of them are shown by weeks. */
const MOST_LEAVES = 31;

/**
 * By label, in the order of games and amounts; of many only those used most, and the rest as one. What is not known
 * stands last.
 */
export function mergeAmounts(
  ctx: Pick<BotContext, 'label'>,
  games: Pick<Games, 'find'>,
  { amounts }: Pick<RangeStatistics, 'amounts'>,
  most: number,
): PictureAmount[] {
  const merged = new Map<string, PictureAmount>();
  for (const { gameId, amount, redeemed, failed, open } of amounts.toSorted(knownFirst)) {
    if (redeemed + failed + open === 0) continue;
    const currency = games.find(gameId)?.currency ?? '';
    const label = amount === 0 ? ctx.label('past-amount-unknown') : `${amount} ${currency}`.trim();
    add(merged, label, { redeemed, failed, open });
  }
  if (merged.size <= most) return [...merged.values()];
  const used = [...merged.values()].sort((a, b) => sum(b) - sum(a));
  const kept = new Set(used.slice(0, most - 1));
  const rest = new Map<string, PictureAmount>();
  for (const one of merged.values()) if (!kept.has(one)) add(rest, ctx.label('stats-others'), one);
  return [...[...merged.values()].filter((one) => kept.has(one)), ...rest.values()];
}

const knownFirst = (a: { amount: number }, b: { amount: number }) =>
  Number(a.amount === 0) - Number(b.amount === 0);

/** All figures: in all, by denomination, by day. HTML. */
export function describeFigures(
  ctx: Wording,
  games: Pick<Games, 'find'>,
  statistics: RangeStatistics,
): string {
  const { total, days } = statistics;
  const line = (what: string, { redeemed, failed, open }: PictureCounts) =>
    ctx.say('stats-line', { what, redeemed, failed, open });
  const lines = [
    ctx.say('stats-title', { days: days.length, zone: zoneOfDays(statistics) }),
    ctx.say('stats-total', { redeemed: String(total.redeemed), failed: String(total.failed) }),
  ];
  if (total.open > 0) lines.push(ctx.say('stats-open', { open: String(total.open) }));
  if (sum(total) === 0) return [...lines, '', ctx.say('stats-none')].join('\n');
  const amounts = mergeAmounts(ctx, games, statistics, MOST_AMOUNTS.text);
  const format = new Intl.DateTimeFormat(LOCALES[ctx.language], { ...UTC, day: 'numeric', month: 'short' });
  lines.push('', ctx.say('stats-by-amount'), ...amounts.map((amount) => line(amount.label, amount)));
  const busy = days.filter((day) => sum(day) > 0);
  lines.push(
    '',
    ctx.say('stats-by-day'),
    ...busy.map((day) => line(format.format(Date.parse(day.date)), day)),
  );
  return lines.join('\n');
}

/** What the picture does not show: HTML, often nothing. */
export function describeBeside(ctx: Pick<BotContext, 'say'>, { total }: RangeStatistics): string {
  if (sum(total) === 0) return ctx.say('stats-none');
  const lines: string[] = [];
  if (total.failed > 0) {
    // Never rounded up to all.
    const share = Math.floor((100 * total.redeemed) / (total.redeemed + total.failed));
    lines.push(ctx.say('stats-share', { share: String(share) }));
  }
  if (total.open > 0) lines.push(ctx.say('stats-settles'));
  return lines.join('\n');
}

/** How the codes of each supplier turned out; nothing where none is named. */
export function describeSuppliers(
  { say }: Pick<BotContext, 'say'>,
  figures: readonly SupplierFigures[],
): string[] {
  const tried = figures.filter(({ redeemed, bad }) => redeemed + bad > 0).slice(0, MOST_SUPPLIERS);
  const lines = tried.map(({ name: supplier, redeemed, bad }) => {
    // Never rounded down to none.
    const share = Math.ceil((100 * bad) / (redeemed + bad));
    const counts = { redeemed: String(redeemed), bad: String(bad), share: String(share) };
    return say('stats-supplier', { supplier: name(supplier), ...counts });
  });
  return lines.length > 0 ? ['', say('stats-by-supplier'), ...lines] : [];
}

/** Whose it is: the name of the account, and when it was opened. */
export interface PictureShop {
  name: string;
  openedAt: number;
}

/** What the picture shows, in words of the language. */
export function toPicture(
  ctx: Pick<BotContext, 'label' | 'language'>,
  games: Pick<Games, 'find'>,
  statistics: RangeStatistics,
  shop: PictureShop,
): StatisticsPicture {
  const { days, total, timeZone } = statistics;
  const openedOn = formatIsoDay(dayAt(timeZone, shop.openedAt));
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[ctx.language], { ...UTC, ...options });
  const month = format({ month: 'short' });
  const weekday = format({ weekday: 'short' });
  const toDay = ({ date, redeemed, failed, open }: RangeStatistics['days'][number]): PictureDay => {
    const at = new Date(date);
    return {
      day: String(at.getUTCDate()),
      month: month.format(at),
      weekday: (at.getUTCDay() + 6) % 7,
      weekdayLabel: weekday.format(at),
      isBefore: date < openedOn && redeemed + failed + open === 0,
      ...{ redeemed, failed, open },
    };
  };
  return {
    words: {
      shop: shop.name,
      range: ctx.label('stats-picture-range', {
        range: describeRange(ctx.language, days),
        days: days.length,
        zone: zoneOfDays(statistics),
      }),
      byDay: ctx.label('stats-picture-by-day'),
      byWeek: ctx.label('stats-picture-by-week'),
      byAmount: ctx.label('stats-picture-by-amount'),
      redeemed: ctx.label('stats-picture-redeemed'),
      failed: ctx.label('stats-picture-failed'),
      open: ctx.label('stats-picture-open'),
      // The fifth of January 1970 was a Monday.
      weekdays: [4, 5, 6, 7, 8, 9, 10].map((day) => weekday.format(day * DAY_MS)),
    },
    total,
    days: days.map(toDay),
    weeks:
      days.length > MOST_LEAVES
        ? toWeeks(ctx.language, days).filter((week) => week.until >= openedOn || sum(week) > 0)
        : [],
    amounts: mergeAmounts(ctx, games, statistics, MOST_AMOUNTS.picture),
  };
}

/** Those that begin on Mondays; the first and the last may be parts of one. */
function toWeeks(
  language: BotContext['language'],
  days: RangeStatistics['days'],
): (PictureAmount & { until: string })[] {
  const weeks: RangeStatistics['days'][] = [];
  for (const day of days) {
    const last = weeks.at(-1);
    if (last && new Date(day.date).getUTCDay() !== 1) last.push(day);
    else weeks.push([day]);
  }
  const month = { day: 'numeric', month: 'short' } as const;
  return weeks.map((week) => ({
    label: formatRange(language, week, month),
    until: week.at(-1)?.date ?? '',
    ...week.reduce(plus, { redeemed: 0, failed: 0, open: 0 }),
  }));
}

const plus = (a: PictureCounts, b: PictureCounts): PictureCounts => ({
  redeemed: a.redeemed + b.redeemed,
  failed: a.failed + b.failed,
  open: a.open + b.open,
});

/** `UTC+3`: that of the last day, where the clocks were changed meanwhile. */
function zoneOfDays({ days, timeZone }: RangeStatistics): string {
  return describeOffset(timeZone, Date.parse(days.at(-1)?.date ?? ''));
}

const UTC = { timeZone: 'UTC' } as const;

/** `16–22 Nov 2026`; of one day `22 Nov 2026`. */
const describeRange = (language: BotContext['language'], days: RangeStatistics['days']): string =>
  formatRange(language, days, {
    day: 'numeric',
    month: language === 'ru' ? 'long' : 'short',
    year: 'numeric',
  });

function formatRange(
  language: BotContext['language'],
  days: RangeStatistics['days'],
  options: Intl.DateTimeFormatOptions,
): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], { ...UTC, ...options });
  const [from, until] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''].map(Date.parse) as [number, number];
  const range = format.formatRange(from, until).replaceAll(/\s?г\./gu, '');
  // Days of one month stand close.
  return range.replace(/^(\d+)\s–\s(?=\d)/u, '$1–');
}

function sum({ redeemed, failed, open }: PictureCounts): number {
  return redeemed + failed + open;
}

function add(into: Map<string, PictureAmount>, label: string, counts: PictureCounts): void {
  const counted = into.get(label) ?? { label, redeemed: 0, failed: 0, open: 0 };
  into.set(label, counted);
  Object.assign(counted, plus(counted, counts));
}
