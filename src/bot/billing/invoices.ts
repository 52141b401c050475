// Invoices: for the account of whoever asks, at the price of this moment, opening the bot when it was forwarded.
import type { Api } from 'grammy';

import type { AccountActor, Core } from '../../core/index.ts';
import type { Confirmation, PurchaseOrder } from '../../store/bot-store.ts';
import { actorOf, type BotContext, type BotDeps, type BotSettings } from '../context.ts';
import type { Outgoing, Sending, View } from '../outgoing.ts';
import { reply } from '../replies.ts';
import { asApiSignal } from '../telegram/api-signal.ts';
import { name, type Shop } from '../texts.ts';

const LONGEST_TITLE = 32;
const LONGEST_DESCRIPTION = 255;

/** The name of the view. */
export const INVOICE = 'invoice';

interface InvoiceResult {
  orderId: string;
}

/**
 * The one press that a message's keyboard is good for, used up with the order; `words` stand in that message from then
 * on.
 */
interface Pressed {
  confirmation: Confirmation;
  messageId: number;
  words: string;
}

/**
 * Orders the invoice, or says why there is none. Whoever calls has let only buyers through. Rejects with
 * ConfirmationUsed.
 */
export async function orderInvoice(
  deps: BotDeps,
  ctx: BotContext,
  goods: Goods,
  pressed?: Pressed,
): Promise<void> {
  const { core, settings } = deps;
  const actor = actorOf(ctx);
  const terms = quoteTerms(core, settings, actor, goods);
  if (!terms) {
    await reply(ctx, ctx.say('subscribe-not-sold'));
    return;
  }
  if (terms.currency === STARS && terms.amount > MOST_STARS) {
    await reply(
      ctx,
      ctx.say('buy-too-many-stars', { most: String(MOST_STARS), stars: String(terms.amount) }),
    );
    return;
  }
  await saveOrder(deps, ctx, { accountId: actor.accountId, goods, ...terms }, pressed);
}

/** The order, the press that made it, and the invoice on its way are one transaction. */
async function saveOrder(
  deps: BotDeps,
  ctx: BotContext,
  order: PaymentOrder,
  pressed: Pressed | undefined,
): Promise<void> {
  const userId = ctx.from?.id ?? 0;
  const purchaseOrder = makeOrder(deps, userId, order);
  const of: InvoiceResult = { orderId: purchaseOrder.id };
  if (pressed) ctx.turn.say(userId, { html: pressed.words, messageId: pressed.messageId });
  ctx.turn.show(userId, { view: INVOICE, of, telegramId: userId, language: ctx.language });
  await ctx.turn.write({
    purchaseOrder,
    ...(pressed && {
      offers: [pressed.confirmation],
      confirmation: { id: pressed.confirmation.id, updateId: ctx.update.update_id },
    }),
  });
}

/** The invoice of an order, at the price that it was ordered for. */
export function createInvoiceView(deps: BotDeps): View {
  return ({ of, language }): Outgoing | Sending | undefined => {
    const { orderId } = of as InvoiceResult;
    const order = findOrder(deps, orderId)?.order;
    if (!order) return undefined;
    const label: BotContext['label'] = (key, variables) => deps.texts.label(language, key, variables);
    return {
      send: (api, chatId, signal) => send(deps, { api, chatId, signal, label }, orderId, order),
      otherwise: { html: deps.texts.say(language, 'buy-refused') },
    };
  };
}

interface InvoiceChannel {
  api: Api;
  chatId: number;
  signal: AbortSignal;
  label: BotContext['label'];
}

async function send(deps: BotDeps, channel: InvoiceChannel, id: string, order: PaymentOrder): Promise<void> {
  const { core, settings } = deps;
  const { goods, currency, amount } = order;
  const account = name(core.accounts.find(order.accountId)?.name ?? '');
  const title = goodsLabel(channel, goods);
  const isUseless = goods.kind === 'activations' && !core.accounts.isSubscriptionActive(order.accountId);
  const described = channel.label(`invoice-${goods.kind}`, { account });
  const description = isUseless ? `${described} ${channel.label('invoice-needs-subscription')}` : described;
  await channel.api.sendInvoice(
    channel.chatId,
    [...title].slice(0, LONGEST_TITLE).join(''),
    [...description].slice(0, LONGEST_DESCRIPTION).join(''),
    id,
    currency,
    [{ label: title, amount }],
    {
      provider_token: currency === STARS ? '' : (settings.paymentProviderToken ?? ''),
      start_parameter: goods.kind === 'activations' ? `buy_${goods.thousands}` : 'subscribe',
    },
    asApiSignal(channel.signal),
  );
}

/** `1000 activations` or `30 days of subscription`, plain. */
export function goodsLabel(ctx: Pick<BotContext, 'label'>, goods: Goods): string {
  return goods.kind === 'activations'
    ? ctx.label('goods-activations', { count: goods.thousands * 1000 })
    : ctx.label('goods-subscription', { days: goods.days });
}

// Orders: what an invoice asks money for, kept under an opaque id that the invoice carries as its payload.

/** What is bought. */
export type Goods = { kind: 'activations'; thousands: number } | { kind: 'subscription'; days: number };

/** Money, in the currency's smallest unit. `XTR` are Telegram Stars. */
export interface Terms {
  currency: string;
  amount: number;
}

/** What an invoice is for. */
export interface PaymentOrder extends Terms {
  accountId: number;
  goods: Goods;
}

export const STARS = 'XTR';
/** Telegram documents no maximum for an invoice; 100,000 Stars is the largest amount its interface names anywhere. */
export const MOST_STARS = 100_000;
/** How long the invoice can be paid. */
const ORDER_MS = 24 * 60 * 60 * 1000;
const ID_BYTES = 12;
const CENTS_PER_USD = 100;

/** A price as an invoice asks for it: in Stars, or through the payment provider where a dollar is worth none. */
export function toTerms(priceUsdCents: number, starsPerUsd: number): Terms {
  if (starsPerUsd === 0) return { currency: 'USD', amount: priceUsdCents };
  return { currency: STARS, amount: Math.ceil((priceUsdCents * starsPerUsd) / CENTS_PER_USD) };
}

/** An order, to be kept together with the message that brings its invoice; its id is the payload of that. */
function makeOrder(
  { clock, ids }: Pick<BotDeps, 'clock' | 'ids'>,
  orderedBy: number,
  { goods, ...order }: PaymentOrder,
): PurchaseOrder {
  const count = goods.kind === 'activations' ? goods.thousands : goods.days;
  return { id: ids.secret(ID_BYTES), orderedBy, kind: goods.kind, count, ...order, at: clock.now() };
}

/** The order of a payload, one that is over too while it is known. */
export function findOrder(
  { store, clock }: Pick<BotDeps, 'store' | 'clock'>,
  payload: string,
): { order: PaymentOrder; isOpen: boolean } | undefined {
  const row = store.findPurchaseOrder(payload);
  return row && { order: toOrder(row), isOpen: row.at + ORDER_MS > clock.now() };
}

function toOrder({ accountId, kind, count, currency, amount }: PurchaseOrder): PaymentOrder {
  const goods: Goods = kind === 'activations' ? { kind, thousands: count } : { kind, days: count };
  return { accountId, goods, currency, amount };
}

// Prices at this moment: what goods cost, and how that is written.

/** What goods cost now; undefined when they are not for sale. Throws CoreError for whom may not buy. */
export function quoteTerms(
  core: Pick<Core, 'purchases'>,
  settings: BotSettings,
  actor: AccountActor,
  goods: Goods,
): Terms | undefined {
  const order =
    goods.kind === 'activations' ? { thousands: goods.thousands } : { subscription: true as const };
  const quote = core.purchases.quote(actor, order);
  if (quote.status === 'notSold') return undefined;
  if (quote.kind === 'subscription' && goods.kind === 'subscription' && quote.days !== goods.days)
    return undefined;
  return toTerms(quote.priceUsdCents, settings.starsPerUsd);
}

/** How many days one payment of the subscription's price buys; undefined when it is not for sale. */
export function findSubscription(core: Pick<Core, 'purchases'>, actor: AccountActor): Goods | undefined {
  const quote = core.purchases.quote(actor, { subscription: true });
  if (quote.status === 'notSold' || quote.kind !== 'subscription') return undefined;
  return { kind: 'subscription', days: quote.days };
}

/** What the words of the bot tell of the service. */
export function describeShop({
  subscriptionPriceCents: cents,
  starsPerUsd,
  supportContact: contact,
  openSignup: opensSignup,
}: BotSettings): Shop {
  const price = cents === undefined ? undefined : toTerms(cents, starsPerUsd);
  return { subscriptionPrice: price && formatPrice(price), contact, opensSignup };
}

/** `770 ⭐` or `$10.00` */
export function formatPrice({ currency, amount }: Terms): string {
  if (currency === STARS) return `${amount} ⭐`;
  const shown = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  return currency === 'USD' ? `$${shown}` : `${shown} ${currency}`;
}
