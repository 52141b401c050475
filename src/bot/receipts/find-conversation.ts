// Asks what to look for; the search itself is in find.ts.
import type { BotContext, BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../feature.ts';
import { hearMessage, leaving } from '../prompts/question.ts';
import { createPrompts, isFailed } from '../prompts/prompts.ts';

export const FIND = 'find';

/** `answer` looks and replies; nothing is changed by it, so that it may run again. */
export function createFindConversation(
  { ids }: Pick<BotDeps, 'ids'>,
  answer: (ctx: BotContext, text: string) => Promise<void>,
): ConversationEntry {
  return {
    name: FIND,
    async run(conversation: BotConversation, ctx: InnerContext) {
      const prompts = await createPrompts(conversation, ctx, () => ids.secret(6));
      const asked = await prompts.tell(ctx.say('find-ask'), leaving(ctx));
      for (;;) {
        const message = await hearMessage(prompts, ctx, asked);
        if (!message) return;
        const { text } = message;
        if (text === undefined || text.trim() === '') {
          await prompts.tell(ctx.say('find-need-text'));
          continue;
        }
        const result = await prompts.core(async (outer) => {
          await answer(outer, text);
          return true;
        });
        if (isFailed(result)) await prompts.tell(ctx.say(result.failed));
        return;
      }
    },
  };
}
