// /stats [days]: a picture of redemptions and failures a day and by denomination, with the figures as text.
import { Composer, InlineKeyboard, InputFile } from 'grammy';

import { MOST_DAYS, type RangeStatistics } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import type { Feature } from '../feature.ts';
import type { Later } from '../delivery/later.ts';
import { createPictures } from './pictures.ts';
import { answerTap, HTML, reply } from '../replies.ts';
import { describeFigures, mergeAmounts, toPicture } from './text.ts';

const USUAL_DAYS = 7;
const OFFERED_DAYS = [7, 30, 90] as const;
const LONGEST_CAPTION = 1024;

export function createStats(deps: Pick<BotDeps, 'core' | 'log'>, later: Later): Feature {
  const { core, log } = deps;
  const pictures = createPictures();
  const handlers = new Composer<BotContext>();

  async function show(ctx: BotContext, days: number): Promise<void> {
    const statistics = await core.rangeStatistics(actorOf(ctx), days);
    const amounts = mergeAmounts(ctx, core.games, statistics);
    const keyboard = new InlineKeyboard([
      OFFERED_DAYS.map((offered) =>
        InlineKeyboard.text(ctx.label('stats-days', { days: offered }), `stats:${offered}`),
      ),
    ]);
    const figures = describeFigures(ctx, statistics, amounts);
    const png = await draw(ctx, statistics, amounts);
    if (!png) {
      await reply(ctx, figures, keyboard);
      return;
    }
    const fits = figures.length <= LONGEST_CAPTION;
    await ctx.replyWithPhoto(new InputFile(png, 'statistics.png'), {
      parse_mode: HTML.parse_mode,
      caption: fits ? figures : ctx.say('stats-title', { days }),
      ...(fits && { reply_markup: keyboard }),
    });
    if (!fits) await reply(ctx, figures, keyboard);
  }

  /** The figures alone are an answer, too. */
  async function draw(
    ctx: BotContext,
    statistics: RangeStatistics,
    amounts: ReturnType<typeof mergeAmounts>,
  ): Promise<Buffer | undefined> {
    try {
      return await pictures.drawStatistics(toPicture(ctx, statistics, amounts));
    } catch (error) {
      log.error({ error: describeError(error) }, 'the picture of the statistics could not be drawn');
      return undefined;
    }
  }

  handlers.command('stats', requires('seeStatistics'), async (ctx) => {
    const days = parseDays(ctx.match, USUAL_DAYS, MOST_DAYS);
    if (days === undefined) await reply(ctx, ctx.say('stats-days-wrong', { most: String(MOST_DAYS) }));
    else later.begin(ctx, () => show(ctx, days));
  });

  handlers.callbackQuery(/^stats:(7|30|90)$/, requires('seeStatistics'), async (ctx) => {
    await answerTap(ctx);
    later.begin(ctx, () => show(ctx, Number(ctx.match[1])));
  });

  return {
    commands: [{ name: 'stats', for: 'seeStatistics' }],
    handlers,
    background: [{ start: () => undefined, stop: pictures.stop }],
  };
}

/** A number of days from 1 to `most`; `usual` when nothing is given, undefined when it is none. */
export function parseDays(text: string, usual: number, most: number): number | undefined {
  const given = text.trim();
  if (given === '') return usual;
  const days = /^[0-9]{1,4}$/.test(given) ? Number(given) : 0;
  return days >= 1 && days <= most ? days : undefined;
}
