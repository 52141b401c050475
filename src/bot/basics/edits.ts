// Messages that were changed after they were sent: whoever corrects a line of a paste is told that it was not read again.
import type { MiddlewareFn } from 'grammy';

import type { BotContext } from '../context.ts';
import { reply } from '../replies.ts';

/** Ends every edit here: it is for no conversation and no command. In groups, and where no words changed, nothing is said. */
export function answerEdits(): MiddlewareFn<BotContext> {
  return async (ctx) => {
    const edited = ctx.editedMessage;
    const hasWords = edited?.text ?? edited?.caption ?? edited?.document;
    if (ctx.isPrivate && hasWords !== undefined) await reply(ctx, ctx.say('edited-message'));
  };
}
