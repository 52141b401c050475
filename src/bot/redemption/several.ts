// Several codes as one order, for one player or several: the button that is the order, Stop, and what may follow. The
// core carries it out; order-messages.ts shows how it goes on.
import type { NotPressed, OrderOfPress, Press } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { replyNotBegun } from '../billing/payment-required.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { enqueueAnswer, enqueueUse, type Action } from '../outbox/actions.ts';
import { findConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { IN_LANGUAGE } from '../receipts/customer-text.ts';
import { answerTap, editHtml } from '../replies.ts';
import { askAgain, askForRest, showLines } from './card.ts';
import { askToRedeem, toAsked, toLines } from './confirm-order.ts';
import { ONE_BY_ONE, REDEEM_CODES, type CodesOrder } from './order.ts';
import {
  createOrderCodesView,
  createOrderView,
  ORDER,
  ORDER_CODES,
  toOrderRows,
  type OrderMessages,
} from './order-messages.ts';
import { createOrderCustomerView, createOrderLoginsView } from './order-receipts.ts';
import { AGAIN, CUSTOMER, CUSTOMERS, isOver, LOGINS, REDEEM_REST, STOP, wantedOf } from './order-words.ts';
import { pressOrder, refuse } from './redeem.ts';

/** The name of an order. */
export const ORDER_ID = '(ord_[\\w-]{8,40})';

export function createSeveral(deps: BotDeps, messages: OrderMessages): Feature {
  const handlers = new Handlers();
  const mayRedeem = requires('redeem');
  handlers.callbackQuery(new RegExp(`^${REDEEM_CODES}:`), mayRedeem, (ctx) => press(deps, messages, ctx));
  const each = new RegExp(`^${ONE_BY_ONE}:${REDEEM_CODES}:([\\w-]{8,40})$`);
  handlers.callbackQuery(each, mayRedeem, (ctx) => askOneByOne(deps, ctx, ctx.match[1] ?? ''));
  handlers.callbackQuery(new RegExp(`^${STOP}:${ORDER_ID}$`), mayRedeem, (ctx) => stop(deps, ctx));
  handlers.callbackQuery(new RegExp(`^(?:${REDEEM_REST}|${AGAIN}):${ORDER_ID}$`), mayRedeem, (ctx) =>
    goOn(deps, ctx),
  );
  const mayRead = requires('readReceipts');
  handlers.callbackQuery(new RegExp(`^${LOGINS}:${ORDER_ID}$`), mayRead, async (ctx) => {
    const orders = ctx.isPrivate ? findOwn(deps, ctx) : [];
    const [own] = orders;
    if (!own) return;
    answerTap(ctx);
    const use = { what: 'credentialsShown', of: { orders: namesOf(orders) } } as const;
    await enqueueUse(deps, ctx, use, { view: LOGINS, of: { id: own.order.id } });
  });
  handlers.callbackQuery(new RegExp(`^${CUSTOMERS}:${ORDER_ID}$`), mayRead, (ctx) =>
    showCustomers(deps, ctx),
  );
  const inLanguage = new RegExp(`^${CUSTOMER}:${ORDER_ID}${IN_LANGUAGE}$`);
  handlers.callbackQuery(inLanguage, mayRead, (ctx) => showInLanguage(deps, ctx));
  const views = {
    [ORDER]: createOrderView(deps),
    [ORDER_CODES]: createOrderCodesView(deps),
    [LOGINS]: createOrderLoginsView(deps),
    [CUSTOMER]: createOrderCustomerView(deps),
  };
  return { commands: [], handlers, background: [messages], views };
}

/** Placed, or resumed, with its taken confirmation and its messages. */
function press(deps: BotDeps, messages: OrderMessages, ctx: BotContext): Promise<void> {
  return pressOrder<CodesOrder>(deps, ctx, REDEEM_CODES, async (action) => {
    if (action.isDone) return;
    const { id, payload, target, confirmation } = action;
    const { gameId, lines, warnedOf, warnedOfOrder, rest } = payload;
    const known = { warnedOf, warnedOfOrder };
    const { telegramId } = actorOf(ctx);
    const shown = { ...target, telegramId, language: ctx.language };
    const inTransaction = deps.store.inTransaction((begun: Press) => ({
      confirmation,
      messages: toOrderRows(id, begun, shown),
    }));
    const { presses } = deps.core;
    const wanted = lines.map(({ player: { playerId, name: playerName }, items }) => ({
      ...{ playerId, playerName, items },
    }));
    try {
      const answer = rest?.isResumed
        ? await presses.resumeTogether(actorOf(ctx), { id, orders: rest.orders, ...known }, inTransaction)
        : await presses.placeTogether(
            actorOf(ctx),
            { id, gameId, lines: wanted, ...(rest && { insteadOf: rest.orders }), ...known },
            inTransaction,
          );
      if (answer.status === 'pressed') messages.begin({ ...shown, order: answer.press.order });
      else await showNotPressed(deps, ctx, answer, action);
    } catch (error) {
      await refuse(ctx, error);
    }
  });
}

/** Nothing was ordered: why, in place of the confirmation. */
async function showNotPressed(
  deps: BotDeps,
  ctx: BotContext,
  answer: NotPressed,
  { payload, target }: Pick<Action<CodesOrder>, 'payload' | 'target'>,
): Promise<void> {
  const asked = toAsked(payload);
  switch (answer.status) {
    // News to the person: they are asked once more, and warned.
    case 'recentDuplicate':
    case 'replaced':
      return askToRedeem(deps, ctx, asked, { messageId: target.messageId });
    case 'notEnoughStock':
    case 'noComposition':
      if ('lines' in asked) await showLines(deps, ctx, asked, { messageId: target.messageId });
      return;
    case 'quotaExceeded':
      return replyNotBegun(ctx, answer, target.messageId);
    case 'tooManyOrders':
    case 'notStopped':
      await editHtml(ctx, ctx.say(answer.status === 'notStopped' ? 'order-not-stopped' : 'order-too-many'));
  }
}

/** The orders of a press, where they are this person's; they are told why not otherwise. */
function findOwn(deps: BotDeps, ctx: BotContext): OrderOfPress[] {
  const [, id = ''] = (ctx.match ?? []) as string[];
  const orders = ctx.actor ? deps.core.presses.listOfPress(ctx.actor, id) : [];
  if (orders.length > 0 && orders.every(({ isOwn }) => isOwn)) return orders;
  answerTap(ctx, ctx.label(orders.length > 0 ? 'confirmation-not-yours' : 'confirmation-unknown'), true);
  return [];
}

/** Each customer has a message of their own, to be forwarded. */
async function showCustomers(deps: BotDeps, ctx: BotContext): Promise<void> {
  const orders = ctx.isPrivate ? findOwn(deps, ctx) : [];
  if (orders.length === 0) return;
  answerTap(ctx);
  const redeemed = namesOf(orders.filter(({ order }) => order.redeemed.codes > 0));
  const use = { what: 'customerReceiptMade', of: { orders: redeemed } } as const;
  await enqueueUse(deps, ctx, use, ...redeemed.map((id) => ({ view: CUSTOMER, of: { id } })));
}

const namesOf = (orders: readonly OrderOfPress[]): string[] => orders.map(({ order }) => order.id);

/** In place of the same in another language. */
async function showInLanguage(deps: BotDeps, ctx: BotContext): Promise<void> {
  const [, id = '', language] = (ctx.match ?? []) as string[];
  if (!ctx.isPrivate || findOwn(deps, ctx).length === 0) return;
  answerTap(ctx);
  const messageId = ctx.callbackQuery?.message?.message_id;
  await enqueueAnswer(deps, ctx, { view: CUSTOMER, of: { id, language }, messageId });
}

async function stop(deps: BotDeps, ctx: BotContext): Promise<void> {
  const orders = findOwn(deps, ctx);
  const open = orders.filter((each) => !isOver(each));
  if (orders.length === 0) return;
  for (const { order } of open) await deps.core.orders.cancel(actorOf(ctx), order.id);
  answerTap(ctx, ctx.label(open.length > 0 ? 'order-stop-tap' : 'order-over-tap'));
}

/** A new confirmation for what is left, or for all of it once more. */
async function goOn(deps: BotDeps, ctx: BotContext): Promise<void> {
  const orders = findOwn(deps, ctx).map(({ order }) => order);
  const [first] = orders;
  if (!first) return;
  answerTap(ctx);
  const { gameId } = first;
  if (ctx.callbackQuery?.data?.startsWith(`${AGAIN}:`))
    return showLines(deps, ctx, { gameId, lines: orders.map(wantedOf) });
  await askForRest(deps, ctx, orders);
}

/** A card for each player in place of one for all, which is used up by that. */
async function askOneByOne(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const found = findConfirmation<CodesOrder>(deps, ctx, REDEEM_CODES, id);
  const isTaken = found.status === 'found' && (await deps.store.confirmations.take(id, ctx.update.update_id));
  if (found.status === 'refused' || !isTaken) {
    const key = found.status === 'refused' ? keyOfLasting(found.key) : 'confirmation-taken';
    return answerTap(ctx, ctx.label(key), true);
  }
  answerTap(ctx);
  await editHtml(ctx, ctx.say('redeem-one-by-one'));
  for (const each of toLines(found.payload)) await askAgain(deps, ctx, each);
}
