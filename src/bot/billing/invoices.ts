// Invoices: for the account of whoever asks, at the price of this moment, opening the bot when it was forwarded.
import type { Api } from 'grammy';

import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Confirmation } from '../../store/bot-store.ts';
import type { Outgoing, Sending, View } from '../outgoing.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';
import { findOrder, makeOrder, MOST_STARS, STARS, type Goods, type PaymentOrder } from './orders.ts';
import { quoteTerms } from './prices.ts';
import { asApiSignal } from '../telegram/api-signal.ts';

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
