// Asking for the number of a receipt.
import type { BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../feature.ts';
import type { ShowReceipt } from './show-receipt.ts';
import { hearMessage, leaving } from '../prompts/question.ts';
import { createPrompts, isFailed } from '../prompts/prompts.ts';

export const RECEIPT = 'receipt';

export function createReceiptConversation({ ids }: BotDeps, showReceipt: ShowReceipt): ConversationEntry {
  return {
    name: RECEIPT,
    async run(conversation: BotConversation, ctx: InnerContext) {
      const prompts = await createPrompts(conversation, ctx, () => ids.secret(6));
      let asked = await prompts.tell(ctx.say('receipt-ask'), leaving(ctx));
      for (;;) {
        const message = await hearMessage(prompts, ctx, asked);
        if (!message) return;
        const id = parseReceiptId(message.text ?? '');
        if (id !== undefined) {
          const shown = await prompts.core((outer) => showReceipt(outer, id).then(() => true));
          if (isFailed(shown)) await prompts.tell(ctx.say(shown.failed));
          return;
        }
        asked = await prompts.tell(ctx.say('receipt-ask-number'), leaving(ctx));
      }
    },
  };
}

/** `1234`, `#1234`, `receipt_1234`; undefined when it names no receipt. */
export function parseReceiptId(text: string): number | undefined {
  const digits = /^(?:#|№|\/?receipt[_ ])?\s*(\d{1,15})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
