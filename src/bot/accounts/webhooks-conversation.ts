// The address of a new webhook, asked for. What it is told of, and the last confirmation, are webhooks.ts.
import { actorOf, type BotContext } from '../context.ts';
import type { ConversationEntry } from '../conversation.ts';
import { hearMessage, leaving } from '../prompts/question.ts';

export const ADD_WEBHOOK = 'add-webhook';

/** Says what is wrong with an address, or asks what it is to be told of; whether it did. */
export type AskForEvents = (ctx: BotContext, url: string) => Promise<boolean>;

export function createWebhookConversation(askForEvents: AskForEvents): ConversationEntry {
  return {
    name: ADD_WEBHOOK,
    async run(prompts, ctx) {
      const question = await prompts.reply(ctx.say('hook-ask-url'), leaving(ctx));
      for (;;) {
        const message = await hearMessage(prompts, ctx, question);
        if (!message) return;
        const url = (message.text ?? '').trim();
        const asked = await prompts.core((outer) => {
          actorOf(outer);
          return askForEvents(outer, url);
        });
        if (asked) return;
      }
    },
  };
}
