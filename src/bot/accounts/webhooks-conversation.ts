// The address of a new webhook, asked for. What it is told of, and the last confirmation, are webhooks.ts.
import { actorOf } from '../context.ts';
import type { BotContext, BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../feature.ts';
import { hearMessage, leaving } from '../prompts/question.ts';
import { createPrompts, isFailed } from '../prompts/prompts.ts';

export const ADD_WEBHOOK = 'add-webhook';

/** Says what is wrong with an address, or asks what it is to be told of; whether it did. */
export type AskForEvents = (ctx: BotContext, url: string) => Promise<boolean>;

export function createWebhookConversation(
  deps: Pick<BotDeps, 'ids'>,
  askForEvents: AskForEvents,
): ConversationEntry {
  return {
    name: ADD_WEBHOOK,
    async run(conversation: BotConversation, ctx: InnerContext) {
      const prompts = await createPrompts(conversation, ctx, () => deps.ids.secret(6));
      const question = await prompts.tell(ctx.say('hook-ask-url'), leaving(ctx));
      for (;;) {
        const message = await hearMessage(prompts, ctx, question);
        if (!message) return;
        const url = (message.text ?? '').trim();
        const asked = await prompts.core((outer) => {
          actorOf(outer);
          return askForEvents(outer, url);
        });
        if (isFailed(asked)) return void (await prompts.tell(ctx.say(asked.failed)));
        if (asked) return;
      }
    },
  };
}
