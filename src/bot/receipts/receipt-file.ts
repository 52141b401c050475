// A secret that has no room in a message, as a file: looked up when it is sent, with the rights of that moment.
import { InputFile } from 'grammy';

import type { BotDeps } from '../context.ts';
import type { View } from '../outgoing.ts';

/** The name of the view. */
export const RECEIPT_FILE = 'receipt-file';

export function createReceiptFileView({ core, texts }: Pick<BotDeps, 'core' | 'texts'>): View {
  return ({ of, telegramId, language }) => {
    const { id } = of as { id: number };
    const actor = core.members.findActor(telegramId);
    const { password } = (actor && core.receipts.find(actor, id)?.credentials) ?? {};
    if (password === undefined) return { html: texts.say(language, 'receipt-unknown', { id: String(id) }) };
    return {
      async send(api, chatId, signal) {
        const file = new InputFile(Buffer.from(password), `receipt-${id}.txt`);
        await api.sendDocument(chatId, file, {}, signal as never);
      },
      otherwise: { html: `/receipt_${id}` },
    };
  };
}
