// What nobody else answered: never silence in a private chat, never a tap without an answer.
import { grantOf } from '../../core/index.ts';
import type { BotContext } from '../context.ts';
import { Handlers } from '../handlers.ts';
import type { Albums } from './albums.ts';
import { findCommand } from '../talk/entering.ts';
import { answerTap, reply } from '../replies.ts';

export function answerTheRest(albums: Pick<Albums, 'isLater'>): Handlers {
  const rest = new Handlers();
  rest.on('callback_query', (ctx) => answerTap(ctx, ctx.label('button-old'), true));
  rest.chatType('private').on('message', async (ctx) => {
    if (albums.isLater(ctx)) return;
    await reply(ctx, ctx.say(findCommand(ctx) !== undefined ? 'rest-command' : keyOfText(ctx)));
  });
  return rest;
}

/** Whoever is in no account is told so, whatever it says. */
function keyOfText({ actor, isHost }: BotContext): string {
  if (!actor) return isHost ? 'rest-text' : 'refusal-stranger';
  return grantOf(actor, 'redeem') !== 'no' ? 'rest-order' : 'rest-text';
}
