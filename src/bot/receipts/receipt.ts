// /receipt <id>, /receipt_<id> (in groups, too, without code and credentials), and the secret that is too long for a
// message.
import { requires } from '../actor.ts';
import { actorOf, type BotDeps } from '../context.ts';
import { enqueueAnswer, enqueueUse } from '../outbox/actions.ts';
import { createCustomerView, IN_LANGUAGE, RECEIPT_FOR_CUSTOMER } from './customer-text.ts';
import { createReceiptFileView, DELETE_FILE, deleteFile, RECEIPT_FILE } from './receipt-file.ts';
import { createReceiptConversation, parseReceiptId, RECEIPT } from './receipt-conversation.ts';
import { enter, findCommand } from '../prompts/start-conversation.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { createShowReceipt } from './show-receipt.ts';
import { answerTap, reply } from '../replies.ts';

export function createReceiptsFeature(deps: BotDeps): Feature {
  const { core } = deps;
  const showReceipt = createShowReceipt(deps);
  const handlers = new Handlers();
  const mayRead = requires('readReceipts');

  handlers.command('receipt', mayRead, async (ctx) => {
    if (ctx.match.trim() === '') return enter(ctx, RECEIPT, {});
    const id = parseReceiptId(ctx.match);
    if (id !== undefined) return showReceipt(ctx, id);
    await reply(ctx, ctx.say('receipt-ask-number'));
  });

  handlers.on('message:text').filter(
    (ctx) => /^receipt_\d+$/.test(findCommand(ctx) ?? ''),
    mayRead,
    // A number that no receipt can have is as unknown as any other.
    (ctx) => showReceipt(ctx, Number(findCommand(ctx)?.slice('receipt_'.length, 'receipt_'.length + 15))),
  );

  handlers.callbackQuery(/^receipt:file:(\d{1,15})$/, mayRead, async (ctx) => {
    const id = Number(ctx.match[1]);
    const { password } = core.receipts.find(actorOf(ctx), id)?.credentials ?? {};
    if (!ctx.isPrivate || password === undefined) {
      return answerTap(ctx, ctx.label('receipt-unknown', { id: String(id) }), true);
    }
    answerTap(ctx);
    const use = { what: 'credentialsShown', of: { receipt: id } } as const;
    await enqueueUse(deps, ctx, use, { view: RECEIPT_FILE, of: { id } });
  });

  // Whoever reads a file may delete it, whatever else they may.
  handlers.callbackQuery(DELETE_FILE, deleteFile);

  handlers.callbackQuery(new RegExp(`^receipt:customer:(\\d{1,15})${IN_LANGUAGE}$`), mayRead, async (ctx) => {
    const [, number, language] = ctx.match;
    const id = Number(number);
    if (!ctx.isPrivate || !core.receipts.find(actorOf(ctx), id)) {
      return answerTap(ctx, ctx.label('receipt-unknown', { id: String(id) }), true);
    }
    answerTap(ctx);
    const messageId = language === undefined ? undefined : ctx.callbackQuery.message?.message_id;
    const answer = { view: RECEIPT_FOR_CUSTOMER, of: { id, language }, messageId };
    // In another language it is the same once more.
    if (language !== undefined) return enqueueAnswer(deps, ctx, answer);
    await enqueueUse(deps, ctx, { what: 'customerReceiptMade', of: { receipt: id } }, answer);
  });

  return {
    commands: [{ name: 'receipt', for: 'readReceipts' }],
    handlers,
    conversations: [createReceiptConversation(showReceipt)],
    views: { [RECEIPT_FILE]: createReceiptFileView(deps), [RECEIPT_FOR_CUSTOMER]: createCustomerView(deps) },
  };
}
