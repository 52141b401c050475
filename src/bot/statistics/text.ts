// Statistics as people read them: the figures as text, and what the picture shows.
import type { Games, RangeStatistics } from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { LOCALES } from '../moments.ts';
import type { StatisticsPicture } from './pictures.ts';

/** Counts of one denomination, as `60 UC`. */
export interface LabelledCounts {
  label: string;
  redeemed: number;
  failed: number;
}

/** The words of the language in which it is read. */
export type Wording = Pick<BotContext, 'language' | 'say' | 'label'>;

const MOST_AMOUNTS = 12;

/** By label, in the order of games and amounts; of many only those used most, and the rest as one. */
export function mergeAmounts(
  ctx: Pick<BotContext, 'label'>,
  games: Games,
  { amounts }: RangeStatistics,
): LabelledCounts[] {
  const merged = new Map<string, LabelledCounts>();
  for (const { gameId, amount, redeemed, failed } of amounts) {
    if (redeemed + failed === 0) continue;
    const currency = games.find(gameId)?.currency ?? '';
    const label = amount === 0 ? ctx.label('past-amount-unknown') : `${amount} ${currency}`.trim();
    add(merged, label, { redeemed, failed });
  }
  if (merged.size <= MOST_AMOUNTS) return [...merged.values()];
  const most = [...merged.values()].sort((a, b) => b.redeemed + b.failed - a.redeemed - a.failed);
  const kept = new Set(most.slice(0, MOST_AMOUNTS - 1));
  const result = [...merged.values()].filter((one) => kept.has(one));
  const rest = new Map<string, LabelledCounts>();
  for (const one of merged.values()) if (!kept.has(one)) add(rest, ctx.label('stats-others'), one);
  return [...result, ...rest.values()];
}

/** The figures: in all, by denomination, by day. HTML. */
export function describeFigures(
  ctx: Pick<BotContext, 'say' | 'language'>,
  statistics: RangeStatistics,
  amounts: readonly LabelledCounts[],
): string {
  const { total, days } = statistics;
  const busy = days.filter((day) => day.redeemed + day.failed > 0);
  const line = (what: string, { redeemed, failed }: { redeemed: number; failed: number }) =>
    ctx.say('stats-line', { what, redeemed: String(redeemed), failed: String(failed) });
  const open = total.open > 0 ? [ctx.say('stats-open', { open: String(total.open) })] : [];
  const lines = [
    ctx.say('stats-title', { days: days.length }),
    ctx.say('stats-total', { redeemed: String(total.redeemed), failed: String(total.failed) }),
    ...open,
  ];
  if (busy.length === 0) return [...lines, '', ctx.say('stats-none')].join('\n');
  const byAmount = amounts.map((amount) => line(amount.label, amount));
  const byDay = busy.map((day) => line(formatDate(ctx.language, day.date), day));
  lines.push('', ctx.say('stats-by-amount'), ...byAmount, '', ctx.say('stats-by-day'), ...byDay);
  return lines.join('\n');
}

/** What the picture shows, in words of the language. */
export function toPicture(
  ctx: Pick<BotContext, 'label' | 'language'>,
  { total, days }: RangeStatistics,
  amounts: readonly LabelledCounts[],
): StatisticsPicture {
  return {
    words: {
      byDay: ctx.label('stats-picture-by-day'),
      byAmount: ctx.label('stats-picture-by-amount'),
      redeemed: ctx.label('stats-picture-redeemed', { count: String(total.redeemed) }),
      failed: ctx.label('stats-picture-failed', { count: String(total.failed) }),
    },
    days: days.map(({ date, redeemed, failed }) => ({
      label: formatDate(ctx.language, date),
      redeemed,
      failed,
    })),
    amounts: amounts.length > 0 ? amounts : [{ label: '—', redeemed: 0, failed: 0 }],
  };
}

function add(into: Map<string, LabelledCounts>, label: string, counts: Omit<LabelledCounts, 'label'>): void {
  const sum = into.get(label) ?? { label, redeemed: 0, failed: 0 };
  into.set(label, sum);
  sum.redeemed += counts.redeemed;
  sum.failed += counts.failed;
}

/** `21 Nov` */
function formatDate(language: BotContext['language'], date: string): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
  });
  return format.format(Date.parse(date));
}
