// Sending an invoice: for the account of whoever asks, at the price of this moment, opening the bot when it was forwarded.
import { GrammyError, InlineKeyboard } from 'grammy';

import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { describeError } from '../errors.ts';
import { reply } from '../replies.ts';
import { name } from '../texts.ts';
import { keepOrder, MOST_STARS, STARS, type Goods, type Method, type Order } from './orders.ts';
import { formatPrice, methodOf, quoteTerms } from './prices.ts';

const LONGEST_TITLE = 32;
const LONGEST_DESCRIPTION = 255;

/** Sends the invoice, or the sentence why there is none. Whoever calls has let only buyers through. */
export async function sendInvoice(
  deps: BotDeps,
  ctx: BotContext,
  goods: Goods,
  asked?: Method,
): Promise<void> {
  const { core, settings } = deps;
  const actor = actorOf(ctx);
  const method = asked ?? (settings.paymentProviderToken === undefined ? 'stars' : 'provider');
  if (method === 'provider' && settings.paymentProviderToken === undefined) {
    await reply(ctx, ctx.say('buy-no-provider'));
    return;
  }
  const terms = quoteTerms(core, settings, actor, goods, method);
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
  const order: Order = { accountId: actor.accountId, goods, ...terms };
  try {
    await send(deps, ctx, order);
  } catch (error) {
    if (!(error instanceof GrammyError) || error.error_code !== 400) throw error;
    deps.log.error({ error: describeError(error) }, 'Telegram refused an invoice');
    await reply(ctx, ctx.say('buy-refused'));
  }
}

async function send(deps: BotDeps, ctx: BotContext, order: Order): Promise<void> {
  const { core, settings } = deps;
  const { goods, currency, amount } = order;
  const userId = ctx.from?.id ?? 0;
  const id = await keepOrder(deps, { chatId: userId, userId }, order);
  const account = name(core.accounts.find(order.accountId)?.name ?? '');
  const title = goodsLabel(ctx, goods);
  const description = ctx.label(`invoice-${goods.kind}`, { account });
  const keyboard = otherWay(deps, ctx, order);
  await ctx.api.sendInvoice(
    userId,
    [...title].slice(0, LONGEST_TITLE).join(''),
    description.slice(0, LONGEST_DESCRIPTION),
    id,
    currency,
    [{ label: title, amount }],
    {
      provider_token: currency === STARS ? '' : (settings.paymentProviderToken ?? ''),
      start_parameter: goods.kind === 'activations' ? `buy_${goods.thousands}` : 'subscribe',
      ...(keyboard && { reply_markup: keyboard }),
    },
  );
}

/** `1000 activations` or `30 days of subscription`, plain. */
export function goodsLabel(ctx: Pick<BotContext, 'label'>, goods: Goods): string {
  return goods.kind === 'activations'
    ? ctx.label('goods-activations', { count: goods.thousands * 1000 })
    : ctx.label('goods-subscription', { days: goods.days });
}

/** With two ways of paying, the invoice has a button for the other one below its own. */
function otherWay(deps: BotDeps, ctx: BotContext, { goods, ...terms }: Order): InlineKeyboard | undefined {
  const { core, settings } = deps;
  if (settings.paymentProviderToken === undefined) return undefined;
  const method = methodOf(terms) === 'stars' ? 'provider' : 'stars';
  const other = quoteTerms(core, settings, actorOf(ctx), goods, method);
  const keyboard = new InlineKeyboard().pay(ctx.label('button-pay', { price: formatPrice(terms) }));
  if (!other || (other.currency === STARS && other.amount > MOST_STARS)) return keyboard;
  const what = goods.kind === 'activations' ? String(goods.thousands) : 'subscription';
  return keyboard
    .row()
    .text(ctx.label('button-pay-instead', { price: formatPrice(other) }), `buy:${method}:${what}`);
}
