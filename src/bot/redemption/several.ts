// The buttons of an order of several codes: Stop, and what may follow. The core carries it out; order-messages.ts shows
// how it goes on.
import type { OrderOfPress, OrderRecord } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { button, word, type Feature } from '../feature.ts';
import { enqueueAnswer, enqueueUse } from '../outbox/actions.ts';
import { inLanguage } from '../receipts/customer-text.ts';
import { answerTap } from '../replies.ts';
import type { Language } from '../texts.ts';
import { advanceDraft } from './advance.ts';
import { createOrderView, ORDER_VIEW } from './order-messages.ts';
import { createOrderCustomerView, createOrderLoginsView } from './order-receipts.ts';
import {
  AGAIN,
  CUSTOMER,
  CUSTOMERS,
  isOver,
  leftOf,
  LOGINS,
  REDEEM_REST,
  STOP,
  stopKey,
  wantedOf,
} from './order-words.ts';

export function createSeveral(deps: BotDeps): Feature {
  const goesOn = (isAgain: boolean) =>
    button('redeem', [word], (ctx, id) => goOn(deps, ctx, findOwn(deps, ctx, id), isAgain));
  const views = {
    [ORDER_VIEW]: createOrderView(deps),
    [LOGINS]: createOrderLoginsView(deps),
    [CUSTOMER]: createOrderCustomerView(deps),
  };
  return {
    buttons: {
      [STOP]: button('redeem', [word], (ctx, id) => stop(deps, ctx, findOwn(deps, ctx, id))),
      [REDEEM_REST]: goesOn(false),
      [AGAIN]: goesOn(true),
      [LOGINS]: button('readReceipts', [word], (ctx, id) => showLogins(deps, ctx, id)),
      [CUSTOMERS]: button('readReceipts', [word], (ctx, id) => showCustomers(deps, ctx, id)),
      [CUSTOMER]: button('readReceipts', [word, inLanguage], (ctx, id, language) =>
        showInLanguage(deps, ctx, id, language),
      ),
    },
    views,
  };
}

async function showLogins(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const orders = ctx.isPrivate ? findOwn(deps, ctx, id) : [];
  const [own] = orders;
  if (!own) return;
  const use = { what: 'credentialsShown', of: { orders: namesOf(orders) } } as const;
  await enqueueUse(deps, ctx, use, { view: LOGINS, of: { id: own.order.id } });
}

/** The orders of a press, where they are this person's; they are told why not otherwise. */
function findOwn(deps: BotDeps, ctx: BotContext, id: string): OrderOfPress[] {
  const orders = ctx.actor ? deps.core.presses.listOfPress(ctx.actor, id) : [];
  if (orders.length > 0 && orders.every(({ isOwn }) => isOwn)) return orders;
  answerTap(ctx, ctx.label(orders.length > 0 ? 'confirmation-not-yours' : 'confirmation-unknown'), true);
  return [];
}

/** Each customer has a message of their own, to be forwarded. */
async function showCustomers(deps: BotDeps, ctx: BotContext, of: string): Promise<void> {
  const orders = ctx.isPrivate ? findOwn(deps, ctx, of) : [];
  if (orders.length === 0) return;
  const redeemed = namesOf(orders.filter(({ order }) => order.redeemed.codes > 0));
  const use = { what: 'customerReceiptMade', of: { orders: redeemed } } as const;
  await enqueueUse(deps, ctx, use, ...redeemed.map((id) => ({ view: CUSTOMER, of: { id } })));
}

const namesOf = (orders: readonly OrderOfPress[]): string[] => orders.map(({ order }) => order.id);

/** In place of the same in another language. */
function showInLanguage(deps: BotDeps, ctx: BotContext, id: string, language: Language | undefined): void {
  if (!ctx.isPrivate || findOwn(deps, ctx, id).length === 0) return;
  const messageId = ctx.callbackQuery?.message?.message_id;
  enqueueAnswer(ctx, { view: CUSTOMER, of: { id, language }, messageId });
}

async function stop(deps: BotDeps, ctx: BotContext, orders: readonly OrderOfPress[]): Promise<void> {
  const open = orders.filter((each) => !isOver(each));
  if (orders.length === 0) return;
  for (const { order } of open) await deps.core.orders.cancel(actorOf(ctx), order.id);
  answerTap(ctx, ctx.label(stopKey(open)));
}

/** A new confirmation for what is left, or for all of it once more. */
async function goOn(
  deps: BotDeps,
  ctx: BotContext,
  own: readonly OrderOfPress[],
  isAgain: boolean,
): Promise<void> {
  const orders = own.map(({ order }) => order);
  const [first] = orders;
  if (!first) return;
  if (isAgain) await advanceDraft(deps, ctx, { gameId: first.gameId, lines: orders.map(wantedOf) });
  else await continueOrders(deps, ctx, orders);
}

/** What is missing of those that have ended, of one game; what was stopped by hand is over, and its rest a new order. */
export async function continueOrders(
  deps: BotDeps,
  ctx: BotContext,
  ended: readonly OrderRecord[],
): Promise<void> {
  for (const state of ['stopped', 'cancelled'] as const) {
    const orders = ended.filter((order) => order.state === state);
    const [first] = orders;
    if (!first) continue;
    const isResumed = state === 'stopped';
    const rest = { orders: orders.map(({ id }) => ({ id })), isResumed };
    // Codes that were sent are of their order alone.
    const lines = orders.map(leftOf).map((line) => (isResumed ? line : { ...line, given: undefined }));
    await advanceDraft(deps, ctx, { gameId: first.gameId, lines, rest });
  }
}
