// Statistics as people read them: what the picture shows, what stands under it, and all of it as text.
import type { Games, RangeStatistics } from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { describeOffset, LOCALES } from '../moments.ts';
import type { PictureAmount, PictureCounts, PictureDay, StatisticsPicture } from './pictures.ts';

/** The words of the language in which it is read. */
export type Wording = Pick<BotContext, 'language' | 'say' | 'label'>;

/** As many as the picture has room for, and as a message has. */
const MOST_AMOUNTS = { picture: 12, text: 25 } as const;

/** By label, in the order of games and amounts; of many only those used most, and the rest as one. */
export function mergeAmounts(
  ctx: Pick<BotContext, 'label'>,
  games: Pick<Games, 'find'>,
  { amounts }: Pick<RangeStatistics, 'amounts'>,
  most: number,
): PictureAmount[] {
  const merged = new Map<string, PictureAmount>();
  for (const { gameId, amount, redeemed, failed, open } of amounts) {
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

/** What the picture shows, in words of the language. `shop` is the name of the account. */
export function toPicture(
  ctx: Pick<BotContext, 'label' | 'language'>,
  games: Pick<Games, 'find'>,
  statistics: RangeStatistics,
  shop: string,
): StatisticsPicture {
  const { days, total } = statistics;
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
      ...{ redeemed, failed, open },
    };
  };
  return {
    words: {
      shop,
      range: ctx.label('stats-picture-range', {
        range: describeRange(ctx.language, days),
        days: days.length,
        zone: zoneOfDays(statistics),
      }),
      byDay: ctx.label('stats-picture-by-day'),
      byAmount: ctx.label('stats-picture-by-amount'),
      redeemed: ctx.label('stats-picture-redeemed'),
      failed: ctx.label('stats-picture-failed'),
      open: ctx.label('stats-picture-open'),
      // The fifth of January 1970 was a Monday.
      weekdays: [4, 5, 6, 7, 8, 9, 10].map((day) => weekday.format(day * DAY_MS)),
    },
    total,
    days: days.map(toDay),
    amounts: mergeAmounts(ctx, games, statistics, MOST_AMOUNTS.picture),
  };
}

/** `UTC+3`: that of the last day, where the clocks were changed meanwhile. */
function zoneOfDays({ days, timeZone }: RangeStatistics): string {
  return describeOffset(timeZone, Date.parse(days.at(-1)?.date ?? ''));
}

const DAY_MS = 24 * 60 * 60 * 1000;
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

function sum({ redeemed, failed, open }: PictureCounts): number {
  return redeemed + failed + open;
}

function add(into: Map<string, PictureAmount>, label: string, counts: PictureCounts): void {
  const counted = into.get(label) ?? { label, redeemed: 0, failed: 0, open: 0 };
  into.set(label, counted);
  counted.redeemed += counts.redeemed;
  counted.failed += counts.failed;
  counted.open += counts.open;
}
