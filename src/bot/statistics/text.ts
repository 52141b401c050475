// Statistics as people read them: what the picture shows, what stands under it, and all of it as text.
import type { Bar } from '../../chart.ts';
import {
  dayAt,
  formatIsoDay,
  type Games,
  type RangeStatistics,
  type SupplierFigures,
} from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { LOCALES } from '../../locales.ts';
import { drawable } from '../../pictures/font.ts';
import { describeOffset } from '../moments.ts';
import { name } from '../texts.ts';
import type { StatisticsPicture } from './picture.ts';

/** The words of the language in which it is read. */
export type Wording = Pick<BotContext, 'language' | 'say' | 'label'>;

type Counts = RangeStatistics['total'];
type LabeledCounts = Counts & { label: string };

const KINDS = [
  ['redeemed', 'good'],
  ['failed', 'bad'],
  ['open', 'doubt'],
] as const;
/** As many as the picture has room for, and as a message has. */
const MOST_AMOUNTS = { picture: 8, text: 25 } as const;
const MOST_SUPPLIERS = 10;
/** More days are named by their months. */
const MOST_WEEKDAYS = 14;

/**
 * By label, in the order of games and amounts; of many only those used most, and the rest as one. What is not known
 * stands last.
 */
export function mergeAmounts(
  ctx: Pick<BotContext, 'label'>,
  games: Pick<Games, 'find'>,
  { amounts }: Pick<RangeStatistics, 'amounts'>,
  most: number,
): LabeledCounts[] {
  const merged = new Map<string, LabeledCounts>();
  for (const { gameId, amount, redeemed, failed, open } of amounts.toSorted(knownFirst)) {
    if (redeemed + failed + open === 0) continue;
    const currency = games.find(gameId)?.currency ?? '';
    const label = amount === 0 ? ctx.label('past-amount-unknown') : `${amount} ${currency}`.trim();
    add(merged, label, { redeemed, failed, open });
  }
  if (merged.size <= most) return [...merged.values()];
  const used = [...merged.values()].sort((a, b) => sum(b) - sum(a));
  const kept = new Set(used.slice(0, most - 1));
  const rest = new Map<string, LabeledCounts>();
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
  const line = (what: string, { redeemed, failed, open }: Counts) =>
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

/** What the picture shows, in words of the language: nothing of days before the shop was opened. */
export function toPicture(
  ctx: Pick<BotContext, 'label' | 'language'>,
  games: Pick<Games, 'find'>,
  statistics: RangeStatistics,
  shop: PictureShop,
): StatisticsPicture {
  const { days, total, timeZone } = statistics;
  const { label, language } = ctx;
  const openedOn = formatIsoDay(dayAt(timeZone, shop.openedAt));
  const named: Intl.DateTimeFormatOptions =
    days.length > MOST_WEEKDAYS ? { month: 'short' } : { weekday: 'short' };
  const format = new Intl.DateTimeFormat(LOCALES[language], { ...UTC, day: 'numeric', ...named });
  const ofDays = days.filter((day) => day.date >= openedOn || sum(day) > 0);
  const byDay = ofDays.map((day) => toBar(format.format(Date.parse(day.date)).replace(',', ''), day));
  const byAmount = mergeAmounts(ctx, games, statistics, MOST_AMOUNTS.picture).map((one) =>
    toBar(drawable(one.label), one),
  );
  const range = { range: describeRange(language, days), days: days.length, zone: zoneOfDays(statistics) };
  return {
    shop: shop.name,
    range: label('stats-picture-range', range),
    sums: KINDS.filter(([kind]) => kind !== 'open' || total.open > 0).map(([kind, tone]) => ({
      ...{ tone, count: total[kind], words: label(`stats-picture-${kind}`) },
    })),
    charts: [
      // Of one day the sums have said it.
      { heading: label('stats-picture-by-day'), bars: byDay.length > 1 && sum(total) > 0 ? byDay : [] },
      { heading: label('stats-picture-by-amount'), bars: byAmount },
    ].filter(({ bars }) => bars.length > 0),
  };
}

const toBar = (label: string, counts: Counts): Bar => ({
  label,
  parts: KINDS.map(([kind, tone]) => ({ tone, count: counts[kind] })),
});

const plus = (a: Counts, b: Counts): Counts => ({
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
function describeRange(language: BotContext['language'], days: RangeStatistics['days']): string {
  const month = language === 'ru' ? 'long' : 'short';
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    ...UTC,
    day: 'numeric',
    month,
    year: 'numeric',
  });
  const [from, until] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''].map(Date.parse) as [number, number];
  const range = format.formatRange(from, until).replaceAll(/\s?г\./gu, '');
  // Days of one month stand close.
  return range.replace(/^(\d+)\s–\s(?=\d)/u, '$1–');
}

function sum({ redeemed, failed, open }: Counts): number {
  return redeemed + failed + open;
}

function add(into: Map<string, LabeledCounts>, label: string, counts: Counts): void {
  const counted = into.get(label) ?? { label, redeemed: 0, failed: 0, open: 0 };
  into.set(label, counted);
  Object.assign(counted, plus(counted, counts));
}
