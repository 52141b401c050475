// Asking for the number of a receipt.
import type { BotConversation, BotDeps, InnerContext } from '../context.ts';
import type { ConversationEntry } from '../feature.ts';
import type { ShowReceipt } from './showing.ts';
import { createTalk } from '../talk/talk.ts';

export const RECEIPT = 'receipt';

export function createReceiptConversation({ ids }: BotDeps, showReceipt: ShowReceipt): ConversationEntry {
  return {
    name: RECEIPT,
    async run(conversation: BotConversation, ctx: InnerContext) {
      const talk = await createTalk(conversation, ctx, () => ids.secret(6));
      const cancel = [[{ label: ctx.label('button-cancel'), value: 'cancel' }]];
      let asked = await talk.tell(ctx.say('receipt-ask'), cancel);
      for (;;) {
        const answer = await talk.hear();
        if (answer.kind === 'choice') {
          if (asked !== undefined) await talk.change(asked, ctx.say('cancel-done'));
          return;
        }
        const id = parseReceiptId(answer.message.text ?? '');
        if (id !== undefined) {
          await talk.core((outer) => showReceipt(outer, id).then(() => true));
          return;
        }
        asked = await talk.tell(ctx.say('receipt-ask-number'), cancel);
      }
    },
  };
}

/** `1234`, `#1234`, `receipt_1234`; undefined when it names no receipt. */
export function parseReceiptId(text: string): number | undefined {
  const digits = /^\s*(?:#|№|\/?receipt[_ ])?\s*([0-9]{1,15})\s*$/i.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
