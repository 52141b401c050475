// /buy_activations, /subscribe, and Telegram's messages about money; invoices.ts and book-payment.ts do
// the rest.
import { type Api, InlineKeyboard } from 'grammy';
import type { PreCheckoutQuery } from 'grammy/types';

import { grantOf, MAX_PACKS } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { among, button, checked, type Feature, perhaps } from '../feature.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { personOf } from '../prompts/confirmations.ts';
import { answerTap, forgiveOldQuery, reply } from '../replies.ts';
import { name } from '../texts.ts';
import { bookRefund } from './book-payment.ts';
import {
  createInvoiceView,
  findOrder,
  findSubscription,
  formatPrice,
  type Goods,
  goodsLabel,
  INVOICE,
  orderInvoice,
  quoteTerms,
} from './invoices.ts';
import { createReconciling } from './reconcile-payments.ts';
import { takePayment } from './unmatched-payments.ts';

const OFFERED = [1, 2, 5, 10] as const;

export function createPurchasesFeature(deps: BotDeps, api: Api): Feature {
  return {
    commands: {
      buy_activations: { needs: 'purchase', run: (ctx, asked) => buy(deps, ctx, asked) },
      subscribe: { needs: 'purchase', run: (ctx) => subscribe(deps, ctx) },
    },
    buttons: {
      'buy:packs': button('purchase', [packs, perhaps(among('said'))], (ctx, thousands, said) => {
        // The subscription has ended since it was offered.
        if (said === undefined && lacksSubscription(deps, ctx)) return offerPacks(deps, ctx, thousands);
        const goods = { kind: 'activations', thousands } as const;
        return press(deps, ctx, goods, ctx.say('buy-chosen', { goods: goodsLabel(ctx, goods) }));
      }),
    },
    payment: (ctx) => takeMoney(deps, ctx),
    views: { [INVOICE]: createInvoiceView(deps) },
    background: [createReconciling(deps, api)],
  };
}

/**
 * Offers packs to whoever asks, for the account of their own: `thousands` alone, or a choice. Where activations could
 * not be used, since there is no subscription, it says so and asks; the buttons carry that it was said.
 */
export async function offerPacks(deps: BotDeps, ctx: BotContext, thousands?: number): Promise<void> {
  const offered = thousands === undefined ? OFFERED : [thousands];
  const lacks = lacksSubscription(deps, ctx);
  const keyboard = new InlineKeyboard();
  if (lacks) keyboard.text(ctx.label('button-subscribe-first'), commandData('subscribe')).row();
  for (const each of offered) {
    const label = packLabel(deps, ctx, { kind: 'activations', thousands: each });
    keyboard.text(label, `buy:packs:${each}${lacks ? ':said' : ''}`).row();
  }
  const account = deps.core.accounts.find(actorOf(ctx).accountId)?.name ?? '';
  const question = ctx.say('buy-choose', { account: name(account), most: String(MAX_PACKS) });
  await reply(ctx, lacks ? `${ctx.say('buy-needs-subscription')}\n\n${question}` : question, keyboard);
}

/** Whether what is bought could not be used now. */
function lacksSubscription({ core }: BotDeps, ctx: BotContext): boolean {
  return !core.accounts.isSubscriptionActive(actorOf(ctx).accountId);
}

/** A number of packs that can be bought at once; undefined for anything else. */
export function parsePacks(text: string): number | undefined {
  const packs = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return packs >= 1 && packs <= MAX_PACKS ? packs : undefined;
}

const packs = checked(parsePacks);

function packLabel({ core, settings }: BotDeps, ctx: BotContext, goods: Goods): string {
  const terms = quoteTerms(core, settings, actorOf(ctx), goods);
  const shown = goods.kind === 'activations' ? String(goods.thousands * 1000) : goodsLabel(ctx, goods);
  return `${shown} · ${terms ? formatPrice(terms) : ''}`;
}

async function buy(deps: BotDeps, ctx: BotContext, asked: string): Promise<void> {
  if (asked === '') return offerPacks(deps, ctx);
  const thousands = parsePacks(asked);
  if (thousands === undefined) {
    await reply(ctx, ctx.say('buy-amount', { most: String(MAX_PACKS) }));
    return offerPacks(deps, ctx);
  }
  if (lacksSubscription(deps, ctx)) return offerPacks(deps, ctx, thousands);
  return orderInvoice(deps, ctx, { kind: 'activations', thousands });
}

/** Offers the subscription, or says whom to ask for it. */
export async function subscribe(deps: BotDeps, ctx: BotContext): Promise<void> {
  const goods = findSubscription(deps.core, actorOf(ctx));
  if (goods) return orderInvoice(deps, ctx, goods);
  // Who has named a contact is written to there.
  const hostIds = deps.settings.supportContact === undefined ? deps.settings.hostIds : [];
  const hosts = hostIds
    .map(
      (id, index) =>
        `<a href="tg://user?id=${id}">${ctx.label('subscribe-host', { number: String(index + 1) })}</a>`,
    )
    .join(', ');
  const account = deps.core.accounts.find(actorOf(ctx).accountId);
  const isFirst = account?.subscriptionExpiresAt === undefined;
  const html = ctx.say(isFirst ? 'subscribe-first-not-sold' : 'subscribe-not-sold');
  await reply(ctx, hosts === '' ? html : `${html}\n${hosts}`);
}

/** A message's keyboard is good for one press. */
async function press(deps: BotDeps, ctx: BotContext, goods: Goods, words: string): Promise<void> {
  const { store, clock } = deps;
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (messageId === undefined) return;
  const person = personOf(ctx);
  const id = `pressed:${person.chatId}:${messageId}`;
  const expiresAt = clock.now() + CLAIM_MS;
  const takenBy = store.confirmations.find(id)?.takenBy ?? null;
  if (takenBy !== null) return answerTap(ctx, ctx.label('confirmation-taken'), true);
  const confirmation = { id, ...person, action: 'pressed', payload: '{}', expiresAt };
  await orderInvoice(deps, ctx, goods, { confirmation, messageId, words });
}

const CLAIM_MS = 60 * 24 * 60 * 60 * 1000;

const payerOf = (ctx: BotContext) => ({ payerId: ctx.from?.id ?? 0, language: ctx.language });

async function takeMoney(deps: BotDeps, ctx: BotContext): Promise<boolean> {
  const { message } = ctx;
  if (ctx.preCheckoutQuery) await answerCheckout(deps, ctx, ctx.preCheckoutQuery);
  else if (message?.successful_payment) {
    const { telegram_payment_charge_id: chargeId, ...paid } = message.successful_payment;
    const { currency, total_amount: amount, invoice_payload: payload } = paid;
    const charge = { chargeId, payload, currency, amount, ...payerOf(ctx) };
    await takePayment(deps, { ...charge, payer: message.from, at: message.date * 1000 });
  } else if (message?.refunded_payment) {
    const { telegram_payment_charge_id: chargeId, currency, total_amount: amount } = message.refunded_payment;
    await bookRefund(deps, { chargeId, currency, amount, ...payerOf(ctx) });
  } else return false;
  return true;
}

// Pre-checkout queries: whether the order still holds, answered at once. Nothing is changed here.

/** Answers the query within its ten seconds, whatever happens; one that is too old is no error. */
async function answerCheckout(deps: BotDeps, ctx: BotContext, query: PreCheckoutQuery): Promise<void> {
  const problem = findProblemSafely(deps, ctx, query);
  const answer =
    problem === undefined
      ? ctx.answerPreCheckoutQuery(true)
      : ctx.answerPreCheckoutQuery(false, { error_message: ctx.label(problem) });
  await answer.catch(forgiveOldQuery);
}

function findProblemSafely(deps: BotDeps, ctx: BotContext, query: PreCheckoutQuery): string | undefined {
  try {
    return findProblem(deps, ctx, query);
  } catch (error) {
    deps.log.error({ error: describeError(error) }, 'a payment could not be checked: it was refused');
    return 'checkout-later';
  }
}

/** Why the payment must not be taken, as the key of a sentence. */
function findProblem(
  deps: BotDeps,
  { actor }: BotContext,
  { invoice_payload, currency, total_amount }: PreCheckoutQuery,
): string | undefined {
  const { core, settings } = deps;
  const found = findOrder(deps, invoice_payload);
  if (!found?.isOpen) return 'checkout-old';
  const { order } = found;
  if (actor?.accountId !== order.accountId) return 'checkout-not-yours';
  if (grantOf(actor, 'purchase') === 'no') return 'checkout-role';
  const asked = { currency, amount: total_amount };
  const now = quoteTerms(core, settings, actor, order.goods);
  const holds = [order, asked].every(
    (terms) => terms.currency === now?.currency && terms.amount === now.amount,
  );
  return holds ? undefined : 'checkout-price';
}
