// /stats [days]: a picture of redemptions and failures a day and by denomination; a button gives its figures as text.
import { MOST_DAYS } from '../../core/index.ts';
import { requires } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { answerTap, reply } from '../replies.ts';
import { createPictures } from './pictures.ts';
import {
  createStatisticsViews,
  STATISTICS,
  STATISTICS_FIGURES,
  type StatisticsResult,
} from './result-views.ts';

const USUAL_DAYS = 7;

export function createStatsFeature(deps: Pick<BotDeps, 'core' | 'store' | 'texts' | 'log'>): Feature {
  const pictures = createPictures();
  const handlers = new Handlers();

  function show(ctx: BotContext, days: number): Promise<void> {
    const of: StatisticsResult = { days };
    return enqueueAnswer(deps, ctx, { view: STATISTICS, of });
  }

  handlers.command('stats', requires('seeStatistics'), async (ctx) => {
    const days = parseDays(ctx.match, USUAL_DAYS, MOST_DAYS);
    if (days === undefined) await reply(ctx, ctx.say('stats-days-wrong', { most: String(MOST_DAYS) }));
    else await show(ctx, days);
  });

  handlers.callbackQuery(/^stats:(7|30|90)$/, requires('seeStatistics'), async (ctx) => {
    answerTap(ctx);
    await show(ctx, Number(ctx.match[1]));
  });

  handlers.callbackQuery(/^stats:text:([1-9][0-9]?)$/, requires('seeStatistics'), async (ctx) => {
    answerTap(ctx);
    const of: StatisticsResult = { days: Math.min(MOST_DAYS, Number(ctx.match[1])) };
    await enqueueAnswer(deps, ctx, { view: STATISTICS_FIGURES, of });
  });

  return {
    commands: [{ name: 'stats', for: 'seeStatistics' }],
    handlers,
    background: [{ start: () => undefined, stop: pictures.stop }],
    views: createStatisticsViews(deps, pictures),
  };
}

/** A number of days from 1 to `most`; `usual` when nothing is given, undefined when it is none. */
function parseDays(text: string, usual: number, most: number): number | undefined {
  const given = text.trim();
  if (given === '') return usual;
  const days = /^[0-9]{1,4}$/.test(given) ? Number(given) : 0;
  return days >= 1 && days <= most ? days : undefined;
}
