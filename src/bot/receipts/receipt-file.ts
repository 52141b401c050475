// Receipt files: a secret that has no room in a message, as a file: looked up when it is sent, with the rights of that
// moment. Under a file that holds secrets stands the button that deletes it.
import { GrammyError, InlineKeyboard, InputFile } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import type { View } from '../outgoing.ts';
import { answerTap } from '../replies.ts';
import type { Language, Texts } from '../texts.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

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
        const beside = { reply_markup: deleteFileKeyboard(texts, language) };
        await api.sendDocument(chatId, file, beside, asApiSignal(signal));
      },
      otherwise: { html: `/receipt_${id}` },
    };
  };
}

export const DELETE_FILE = 'file:delete';

export const deleteFileKeyboard = (texts: Texts, language: Language): InlineKeyboard =>
  new InlineKeyboard().text(texts.label(language, 'button-delete-file'), DELETE_FILE);

/** Deletes the message that was pressed. Telegram lets a bot delete its own for two days. */
export async function deleteFile(ctx: BotContext): Promise<void> {
  try {
    await ctx.deleteMessage();
    answerTap(ctx, ctx.label('file-deleted'));
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    answerTap(ctx, ctx.label('file-not-deleted'), true);
  }
}
