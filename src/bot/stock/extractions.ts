// The last extractions, as /extract_codes begins: each can be had again as a file, whoever ordered it, in the chat or
// over HTTP.
import { InlineKeyboard } from 'grammy';

import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { labelActor } from '../actor.ts';
import { formatMoment, zoneOf } from '../moments.ts';
import { reply } from '../replies.ts';
import { labelStockKey } from './code-order.ts';

const LISTED = 10;

/** Says nothing where there are none. */
export async function replyExtractions({ core }: Pick<BotDeps, 'core'>, ctx: BotContext): Promise<void> {
  const recent = core.extractionHistory.listRecent(actorOf(ctx), LISTED);
  if (recent.length === 0) return;
  const timeZone = zoneOf({ core }, ctx.actor);
  const keyboard = new InlineKeyboard();
  const blocks = recent.map(({ id, createdAt, gameId, denomination, count, actorLabel }) => {
    const batch = String(id);
    keyboard.text(ctx.label('extractions-again', { batch }), `extract:again:${id}`).row();
    const game = core.games.find(gameId);
    const stockKey = game ? labelStockKey(ctx, game, denomination) : String(denomination);
    const when = formatMoment(ctx.language, createdAt, timeZone);
    return ctx.say('extractions-one', {
      batch,
      game: gameId,
      when,
      who: labelActor(ctx.label, actorLabel),
      count,
      stockKey,
    });
  });
  await reply(ctx, [ctx.say('extractions-title'), ...blocks].join('\n\n'), keyboard);
}
