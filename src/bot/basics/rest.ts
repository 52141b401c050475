// What nobody else answered: never silence in a private chat, never a tap without an answer.
import { Composer } from 'grammy';

import { grantOf } from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { findCommand } from '../talk/entering.ts';
import { answerTap, reply } from '../replies.ts';

export function answerTheRest(): Composer<BotContext> {
  const rest = new Composer<BotContext>();
  rest.on('callback_query', (ctx) => answerTap(ctx, ctx.label('button-old'), true));
  rest.chatType('private').on('message', async (ctx) => {
    if (findCommand(ctx) !== undefined) await reply(ctx, ctx.say('rest-command'));
    else
      await reply(
        ctx,
        ctx.say(ctx.actor && grantOf(ctx.actor, 'redeem') !== 'no' ? 'rest-order' : 'rest-text'),
      );
  });
  return rest;
}
