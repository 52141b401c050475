// What nobody else answered: never silence in a private chat, never a tap without an answer.
import { grantOf } from '../../core/index.ts';
import { Handlers } from '../handlers.ts';
import type { Albums } from './albums.ts';
import { findCommand } from '../talk/entering.ts';
import { answerTap, reply } from '../replies.ts';

export function answerTheRest(albums: Pick<Albums, 'isLater'>): Handlers {
  const rest = new Handlers();
  rest.on('callback_query', (ctx) => answerTap(ctx, ctx.label('button-old'), true));
  rest.chatType('private').on('message', async (ctx) => {
    if (albums.isLater(ctx)) return;
    if (findCommand(ctx) !== undefined) await reply(ctx, ctx.say('rest-command'));
    else
      await reply(
        ctx,
        ctx.say(ctx.actor && grantOf(ctx.actor, 'redeem') !== 'no' ? 'rest-order' : 'rest-text'),
      );
  });
  return rest;
}
