// /stats [days]: a picture of redemptions and failures a day and by denomination; a button gives its figures as text.
import { InlineKeyboard } from 'grammy';

import { type Bar, type ChartTone, drawChart } from '../../chart.ts';
import {
  formatAmount,
  dayAt,
  formatIsoDay,
  type Games,
  MOST_DAYS,
  type RangeStatistics,
  type SupplierFigures,
} from '../../core/index.ts';
import { LOCALES } from '../../locales.ts';
import { drawable, FAMILY } from '../../pictures/font.ts';
import { renderPicture } from '../../pictures/render.ts';
import { INK, sheet, write } from '../../pictures/svg.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { among, button, type Feature, wholeNumber } from '../feature.ts';
import { createMemberView } from '../member-view.ts';
import { describeOffset } from '../moments.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import { type Outgoing, type Sending, toOutgoing, type View } from '../outgoing.ts';
import { reply } from '../replies.ts';
import { toPhoto } from '../telegram/photo.ts';
import { name } from '../texts.ts';

const USUAL_DAYS = 7;

export function createStatsFeature(deps: Pick<BotDeps, 'core' | 'store' | 'texts' | 'log'>): Feature {
  function show(ctx: BotContext, days: number): void {
    const of: StatisticsResult = { days };
    enqueueAnswer(ctx, { view: STATISTICS, of });
  }

  const run = (ctx: BotContext, text: string): unknown => {
    const days = parseDays(text, USUAL_DAYS, MOST_DAYS);
    if (days !== undefined) return show(ctx, days);
    return reply(ctx, ctx.say('stats-days-wrong', { most: String(MOST_DAYS) }));
  };

  return {
    commands: { stats: { needs: 'seeStatistics', run } },
    buttons: {
      stats: button('seeStatistics', [among('7', '30', '90')], (ctx, days) => show(ctx, Number(days))),
      'stats:text': button('seeStatistics', [wholeNumber(2)], (ctx, days) => {
        const of: StatisticsResult = { days: Math.min(MOST_DAYS, Math.max(1, days)) };
        return enqueueAnswer(ctx, { view: STATISTICS_FIGURES, of });
      }),
    },
    views: createStatisticsViews(deps),
  };
}

/** A number of days from 1 to `most`; `usual` when nothing is given, undefined when it is none. */
function parseDays(text: string, usual: number, most: number): number | undefined {
  const given = text.trim();
  if (given === '') return usual;
  const days = /^[0-9]{1,4}$/.test(given) ? Number(given) : 0;
  return days >= 1 && days <= most ? days : undefined;
}

// What /stats shows, as results that are brought by the chat queue: the picture is drawn when it is sent, and again
// where it is sent again; no row of the outbox holds a figure.

/** The picture, and under it what it does not show. */
const STATISTICS = 'statistics';
/** The figures as text. */
const STATISTICS_FIGURES = 'statistics-figures';

interface StatisticsResult {
  days: number;
}

const OFFERED_DAYS = [7, 30, 90] as const;

type Deps = Pick<BotDeps, 'core' | 'texts' | 'log'>;

/** What is shown, looked up with the rights of whoever asked, as they are by now. */
interface Found {
  words: Wording;
  statistics: RangeStatistics;
  suppliers: SupplierFigures[];
  shop: PictureShop;
}

function createStatisticsViews(deps: Deps): Record<string, View> {
  const { core } = deps;
  const forMembers = (show: (found: Found) => Outgoing | Sending | Promise<Outgoing | Sending>): View =>
    createMemberView<StatisticsResult>(deps, async ({ actor, ...words }, { days }) => {
      const statistics = await core.rangeStatistics(actor, days);
      const suppliers = await core.suppliers.count(actor, days);
      const { name = '', createdAt = 0 } = core.accounts.find(actor.accountId) ?? {};
      return show({ words, statistics, suppliers, shop: { name, openedAt: createdAt } });
    });
  return {
    [STATISTICS]: forMembers((found) => showPicture(deps, found)),
    [STATISTICS_FIGURES]: forMembers((found) => showFigures(deps, found)),
  };
}

function showFigures({ core }: Deps, { words, statistics, suppliers }: Found): Outgoing {
  const figures = [describeFigures(words, core.games, statistics), ...describeSuppliers(words, suppliers)];
  return toOutgoing(figures.join('\n'), offerDays(words));
}

/** The figures alone are an answer, too. */
async function showPicture(deps: Deps, found: Found): Promise<Outgoing | Sending> {
  const { words, statistics, suppliers, shop } = found;
  const figures = showFigures(deps, found);
  try {
    const png = await drawStatistics(toPicture(words, deps.core.games, statistics, shop));
    const asText = InlineKeyboard.text(words.label('stats-as-text'), `stats:text:${statistics.days.length}`);
    const keyboard = offerDays(words).row(asText);
    const beside = [describeBeside(words, statistics), ...describeSuppliers(words, suppliers)];
    return toPhoto(png, 'statistics.png', toOutgoing(beside.join('\n').trim(), keyboard), figures);
  } catch (error) {
    deps.log.error({ error: describeError(error) }, 'the picture of the statistics could not be drawn');
    return figures;
  }
}

function offerDays({ label }: Pick<Wording, 'label'>): InlineKeyboard {
  return new InlineKeyboard([
    OFFERED_DAYS.map((days) => InlineKeyboard.text(label('stats-days', { days }), `stats:${days}`)),
  ]);
}

// The picture of /stats, an SVG: whose it is and of which days, the sums with their marks, and the charts.

/** What it shows, in words that are ready to be drawn. */
export interface StatisticsPicture {
  shop: string;
  range: string;
  /** The last has the longest words. */
  sums: readonly { tone: ChartTone; count: number; words: string }[];
  charts: readonly { heading: string; bars: readonly Bar[] }[];
}

/** As wide as a phone shows without shrinking letters away. */
export const WIDTH = 800;
/** Finer than it is measured, for screens that are. */
const SCALE = 1.6;
const MARGIN = 40;
const INNER = WIDTH - 2 * MARGIN;
const SUM_WIDTHS: Record<ChartTone, number> = { good: 225, bad: 165, doubt: 330 };
const CHART = { width: INNER, height: 320, size: 22 };
const SECTION = CHART.height + 90;

/** Contrast with paper at least 4.5 to 1; told apart by who sees no red or no green, too. */
export const COLORS: Record<ChartTone, string> = { good: '#0b668a', bad: '#b5410c', doubt: '#5f5b80' };
/** What was redeemed is solid, what failed hatched, what is not known yet dotted. */
const LOOKS = `<style>
line { stroke: ${INK.line}; stroke-width: 1.5 }
.chart text { font-family: ${FAMILY}; font-weight: 700 }
.chart text.label { fill: ${INK.faint}; font-weight: 400 }
rect { stroke-width: 1.5 }
rect.good { fill: ${COLORS.good}; stroke: ${COLORS.good} }
rect.bad { fill: url(#bad); stroke: ${COLORS.bad} }
rect.doubt { fill: url(#doubt); stroke: ${COLORS.doubt} }
text.good { fill: ${COLORS.good} }
text.bad { fill: ${COLORS.bad} }
text.doubt { fill: ${COLORS.doubt} }
</style>
<pattern id="bad" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0h9v9h-9z" fill="#fbe5da"/><path d="M0 0h4.5v9h-4.5z" fill="${COLORS.bad}"/></pattern>
<pattern id="doubt" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0h9v9h-9z" fill="#e6e4f1"/><circle cx="4.5" cy="4.5" r="2.2" fill="${COLORS.doubt}"/></pattern>`;

/** A PNG. */
const drawStatistics = (picture: StatisticsPicture): Promise<Buffer> =>
  renderPicture(composeStatistics(picture), WIDTH * SCALE);

export function composeStatistics({ shop, range, sums, charts }: StatisticsPicture): string {
  const height = 250 + charts.length * SECTION;
  let left = MARGIN;
  const counted = sums.map(({ tone, count, words }) => {
    const x = left;
    left += SUM_WIDTHS[tone];
    const room = SUM_WIDTHS[tone] - 20;
    return (
      write(String(count), x, 184, { size: 54, room, weight: 700, color: COLORS[tone] }) +
      `<rect class="${tone}" x="${x}" y="200" width="22" height="22"/>` +
      write(words, x + 32, 219, { size: 22, room: room - 32 })
    );
  });
  const drawn = charts.map(({ heading, bars }, index) => {
    const y = 250 + index * SECTION;
    return (
      `<line x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y}" y2="${y}"/>` +
      write(heading, MARGIN, y + 44, { size: 28, room: INNER, weight: 700 }) +
      `<g class="chart" transform="translate(${MARGIN} ${y + 62})">${drawChart(bars, CHART)}</g>`
    );
  });
  return sheet(WIDTH, height, [
    LOOKS,
    `<path d="M0 0h${WIDTH}v${height}h-${WIDTH}z" fill="${INK.paper}"/>`,
    write(drawable(shop) || '—', MARGIN, 66, { size: 36, room: INNER, weight: 700 }),
    write(range, MARGIN, 104, { size: 24, room: INNER, color: INK.faint }),
    ...counted,
    ...drawn,
  ]);
}

// Statistics as people read them: what the picture shows, what stands under it, and all of it as text.

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
    const label = amount === 0 ? ctx.label('past-amount-unknown') : formatAmount(amount, games.find(gameId));
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
function describeSuppliers({ say }: Pick<BotContext, 'say'>, figures: readonly SupplierFigures[]): string[] {
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
