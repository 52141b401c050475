// /stats [days]: a picture of redemptions and failures a day and by denomination; a button gives its figures as text.
import { MOST_DAYS } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import { among, button, wholeNumber, type Feature } from '../feature.ts';
import { reply } from '../replies.ts';
import {
  createStatisticsViews,
  STATISTICS,
  STATISTICS_FIGURES,
  type StatisticsResult,
} from './result-views.ts';

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
