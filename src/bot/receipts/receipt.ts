// /receipt <id>, /receipt_<id> (in groups, too, without code and credentials), and the secret that is too long for a
// message.
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { enqueueAnswer, enqueueUse } from '../outbox/actions.ts';
import { createCustomerView, inLanguage, RECEIPT_FOR_CUSTOMER } from './customer-text.ts';
import { createProofView, RECEIPT_PROOF } from './proof.ts';
import { createReceiptFileView, DELETE_FILE, deleteFile, RECEIPT_FILE } from './receipt-file.ts';
import { askInWords } from '../prompts/ask.ts';
import { button, wholeNumber, type Feature } from '../feature.ts';
import { createShowReceipt } from './show-receipt.ts';
import { answerTap, reply } from '../replies.ts';
import type { Language } from '../texts.ts';

const RECEIPT = 'receipt';

/** `1234`, `#1234`, `receipt_1234`; undefined when it names no receipt. */
export function parseReceiptId(text: string): number | undefined {
  const digits = /^(?:#|№|\/?receipt[_ ])?\s*(\d{1,15})$/i.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export function createReceiptsFeature(deps: BotDeps): Feature {
  const { core } = deps;
  const showReceipt = createShowReceipt(deps);
  const run = async (ctx: BotContext, text: string): Promise<unknown> => {
    if (text === '') return askInWords(ctx, ctx.say('receipt-ask'), RECEIPT);
    const id = parseReceiptId(text);
    return id === undefined ? reply(ctx, ctx.say('receipt-ask-number')) : showReceipt(ctx, id);
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
          else await showReceipt(ctx, id);
          return true;
        },
      },
    },
    views: {
      [RECEIPT_FILE]: createReceiptFileView(deps),
      [RECEIPT_PROOF]: createProofView(deps),
      [RECEIPT_FOR_CUSTOMER]: createCustomerView(deps),
    },
  };
}
