// What nobody else answered: never silence in a private chat, never a tap without an answer.
import { Composer } from 'grammy';

import type { BotContext } from '../context.ts';
import { findCommand } from '../talk/entering.ts';
import { answerTap, reply } from '../replies.ts';

export function answerTheRest(): Composer<BotContext> {
  const rest = new Composer<BotContext>();
  rest.on('callback_query', (ctx) => answerTap(ctx, ctx.label('button-old'), true));
  rest.chatType('private').on('message', async (ctx) => {
    await reply(ctx, ctx.say(findCommand(ctx) === undefined ? 'rest-text' : 'rest-command'));
  });
  return rest;
}
