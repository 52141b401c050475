// /receipt <id>, /receipt_<id> (in groups, too, without code and credentials), and the secret that is too long for a
// message.
import { GrammyError, InlineKeyboard, InputFile } from 'grammy';

import { drawProof } from '../../pictures/proof.ts';
import { pause } from '../../waiting.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, type Feature, wholeNumber } from '../feature.ts';
import { createMemberView } from '../member-view.ts';
import { enqueueAnswer, enqueueUse } from '../outbox/actions.ts';
import type { View } from '../outgoing.ts';
import { askInWords } from '../prompts/ask.ts';
import { answerTap, reply } from '../replies.ts';
import { asApiSignal } from '../telegram/api-signal.ts';
import { toPhoto } from '../telegram/photo.ts';
import type { Language, Texts } from '../texts.ts';
import { createCustomerView, inLanguage, RECEIPT_FOR_CUSTOMER } from './customer-text.ts';
import { createReceiptView, RECEIPT_SHOWN, showReceipt } from './show-receipt.ts';

const RECEIPT = 'receipt';

/** `1234`, `#1234`, `receipt_1234`; undefined when it names no receipt. */
export function parseReceiptId(text: string): number | undefined {
  const digits = /^(?:#|№|\/?receipt[_ ])?\s*(\d{1,15})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function createReceiptsFeature(deps: BotDeps): Feature {
  const { core } = deps;
  const run = async (ctx: BotContext, text: string): Promise<unknown> => {
    if (text === '') return askInWords(ctx, ctx.say('receipt-ask'), RECEIPT);
    const id = parseReceiptId(text);
    return id === undefined ? reply(ctx, ctx.say('receipt-ask-number')) : showReceipt(deps, ctx, id);
  };
  const isShownIn = (ctx: BotContext, id: number): boolean =>
    ctx.isPrivate && core.receipts.find(actorOf(ctx), id) !== undefined;
  const refuse = (ctx: BotContext, id: number): unknown =>
    answerTap(ctx, ctx.label('receipt-unknown', { id: String(id) }), true);
  const sendFile = (ctx: BotContext, id: number): unknown => {
    const { password } = core.receipts.find(actorOf(ctx), id)?.credentials ?? {};
    if (!ctx.isPrivate || password === undefined) return refuse(ctx, id);
    const use = { what: 'credentialsShown', of: { receipt: id } } as const;
    return enqueueUse(deps, ctx, use, { view: RECEIPT_FILE, of: { id } });
  };
  const showCustomer = (ctx: BotContext, id: number, language: Language | undefined): unknown => {
    if (!isShownIn(ctx, id)) return refuse(ctx, id);
    const messageId = language === undefined ? undefined : ctx.callbackQuery?.message?.message_id;
    const answer = { view: RECEIPT_FOR_CUSTOMER, of: { id, language }, messageId };
    // In another language it is the same once more.
    if (language !== undefined) return enqueueAnswer(ctx, answer);
    return enqueueUse(deps, ctx, { what: 'customerReceiptMade', of: { receipt: id } }, answer);
  };
  const sendProof = (ctx: BotContext, id: number): unknown => {
    if (!isShownIn(ctx, id)) return refuse(ctx, id);
    const use = { what: 'customerReceiptMade', of: { receipt: id } } as const;
    return enqueueUse(deps, ctx, use, { view: RECEIPT_PROOF, of: { id } });
  };
  return {
    commands: { receipt: { needs: 'readReceipts', isNumbered: true, run } },
    buttons: {
      'receipt:file': button('readReceipts', [wholeNumber()], sendFile),
      // Whoever reads a file may delete it, whatever else they may.
      [DELETE_FILE]: button('everyone', [], deleteFile),
      'receipt:proof': button('readReceipts', [wholeNumber()], sendProof),
      'receipt:customer': button('readReceipts', [wholeNumber(), inLanguage], showCustomer),
    },
    questions: {
      [RECEIPT]: {
        needs: 'readReceipts',
        async hear(ctx, _of, text) {
          const id = parseReceiptId(text);
          if (id === undefined) await askInWords(ctx, ctx.say('receipt-ask-number'), RECEIPT);
          else await showReceipt(deps, ctx, id);
          return true;
        },
      },
    },
    views: {
      [RECEIPT_SHOWN]: createReceiptView(deps),
      [RECEIPT_FILE]: createReceiptFileView(deps),
      [RECEIPT_PROOF]: createProofView(deps),
      [RECEIPT_FOR_CUSTOMER]: createCustomerView(deps),
    },
  };
}

// Receipt files: a secret that has no room in a message, as a file: looked up when it is sent, with the rights of that
// moment. Under a file that holds secrets stands the button that deletes it.

/** The name of the view. */
const RECEIPT_FILE = 'receipt-file';

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

const DELETE_FILE = 'file:delete';

export const deleteFileKeyboard = (texts: Texts, language: Language): InlineKeyboard =>
  new InlineKeyboard().text(texts.label(language, 'button-delete-file'), DELETE_FILE);

/** Deletes the message that was pressed. Telegram lets a bot delete its own for two days. */
async function deleteFile(ctx: BotContext): Promise<void> {
  try {
    await ctx.deleteMessage();
    answerTap(ctx, ctx.label('file-deleted'));
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    answerTap(ctx, ctx.label('file-not-deleted'), true);
  }
}

// The proof of a receipt: a picture, for whoever holds the shop's money back until they see that it was delivered. Drawn
// when it is sent, with the rights of that moment.

/** The name of the view. */
const RECEIPT_PROOF = 'receipt-proof';

/** While as many are drawn as may be at once. */
const AGAIN_MS = 300;

function createProofView(deps: Pick<BotDeps, 'core' | 'texts'>): View {
  const { core } = deps;
  return createMemberView<{ id: number }>(deps, async ({ actor, language, say }, { id }) => {
    const facts = core.findProof(actor, id);
    if (!facts) return { html: say('receipt-unknown', { id: String(id) }) };
    const shown = { ...facts, isSandbox: core.health.isSandbox };
    let png: Buffer | undefined;
    while (!(png = await drawProof(shown, language))) await pause(AGAIN_MS);
    return toPhoto(png, `receipt-${id}.png`, { html: '' }, { html: `/receipt_${id}` });
  });
}
