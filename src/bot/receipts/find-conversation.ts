// Asks what to look for; the search itself is in find.ts.
import type { BotContext } from '../context.ts';
import type { ConversationEntry } from '../conversation.ts';
import { askFor } from '../prompts/question.ts';

export const FIND = 'find';

/** `find` looks and replies; nothing is changed by it, so that it may run again. */
export function createFindConversation(
  find: (ctx: BotContext, text: string) => Promise<void>,
): ConversationEntry {
  return {
    name: FIND,
    takesWords: true,
    async run(prompts, ctx) {
      const text = await askFor(prompts, ctx, ctx.say('find-ask'), (answer) =>
        answer.trim() === '' ? { again: ctx.say('find-need-text') } : { answer },
      );
      if (text !== undefined) await prompts.core((outer) => find(outer, text));
    },
  };
}
