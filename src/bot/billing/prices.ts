// Prices at this moment: what goods cost, and how that is written.
import type { AccountActor, Core } from '../../core/index.ts';
import type { BotSettings } from '../context.ts';
import type { Shop } from '../texts.ts';
import { STARS, toTerms, type Goods, type Terms } from './orders.ts';

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
