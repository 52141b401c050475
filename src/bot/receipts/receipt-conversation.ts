// Asking for the number of a receipt.
import type { ConversationEntry } from '../conversation.ts';
import type { ShowReceipt } from './show-receipt.ts';
import { hearMessage, leaving } from '../prompts/question.ts';

export const RECEIPT = 'receipt';

export function createReceiptConversation(showReceipt: ShowReceipt): ConversationEntry {
  return {
    name: RECEIPT,
    async run(prompts, ctx) {
      let asked = await prompts.reply(ctx.say('receipt-ask'), leaving(ctx));
      for (;;) {
        const message = await hearMessage(prompts, ctx, asked);
        if (!message) return;
        const id = parseReceiptId(message.text ?? '');
        if (id !== undefined) return void (await prompts.core((outer) => showReceipt(outer, id)));
        asked = await prompts.reply(ctx.say('receipt-ask-number'), leaving(ctx));
      }
    },
  };
}

/** `1234`, `#1234`, `receipt_1234`; undefined when it names no receipt. */
export function parseReceiptId(text: string): number | undefined {
  const digits = /^(?:#|№|\/?receipt[_ ])?\s*(\d{1,15})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}
