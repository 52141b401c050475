// What is for sale, at which price, and how that is written.
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import type { Core } from '../../core/index.ts';
import type { BotSettings } from '../context.ts';
import type { Goods } from './orders.ts';
import { describeShop, findSubscription, formatPrice, quoteTerms } from './prices.ts';

const SETTINGS: BotSettings = fake({ starsPerUsd: 77, hostIds: [], openSignup: false });
const ACTOR = { kind: 'member', accountId: 1, telegramId: 5, role: 'owner' } as const;

/** A core that answers with this, and what it was asked. */
function selling(quote: object) {
  const asked: unknown[] = [];
  const core = { purchases: { quote: (_actor: unknown, order: unknown) => (asked.push(order), quote) } };
  return { core: fake(core) satisfies Core, asked };
}

test.each([
  ['XTR', 770, '770 ⭐'],
  ['USD', 1_000, '$10.00'],
  ['USD', 1_234, '$12.34'],
  ['USD', 5, '$0.05'],
  ['EUR', 1_999, '19.99 EUR'],
])('%s %i is %s', (currency, amount, shown) => {
  expect(formatPrice({ currency, amount })).toBe(shown);
});

const PACK: Goods = { kind: 'activations', thousands: 2 };
const MONTH: Goods = { kind: 'subscription', days: 30 };
const OF_PACK = { status: 'sold', kind: 'activations', priceUsdCents: 2_000 };
const OF_MONTH = { status: 'sold', kind: 'subscription', days: 30, priceUsdCents: 2_500 };

test.each<[Goods, object, starsPerUsd: number, object | undefined, object]>([
  [PACK, OF_PACK, 77, { currency: 'XTR', amount: 1_540 }, { thousands: 2 }],
  [PACK, OF_PACK, 0, { currency: 'USD', amount: 2_000 }, { thousands: 2 }],
  [PACK, { status: 'notSold' }, 77, undefined, { thousands: 2 }],
  [MONTH, OF_MONTH, 0, { currency: 'USD', amount: 2_500 }, { subscription: true }],
  [MONTH, { ...OF_MONTH, days: 31 }, 0, undefined, { subscription: true }],
  [MONTH, { status: 'notSold' }, 0, undefined, { subscription: true }],
])('%j, of which the core says %j, at %i Stars a dollar: %j', (goods, quote, starsPerUsd, terms, order) => {
  const { core, asked } = selling(quote);
  expect(quoteTerms(core, { ...SETTINGS, starsPerUsd }, ACTOR, goods)).toEqual(terms);
  expect(asked).toEqual([order]);
});

test.each([
  [OF_MONTH, MONTH],
  [{ status: 'notSold' }, undefined],
  [OF_PACK, undefined],
])('the subscription that %j sells is %j', (quote, goods) => {
  const { core, asked } = selling(quote);
  expect(findSubscription(core, ACTOR)).toEqual(goods);
  expect(asked).toEqual([{ subscription: true }]);
});

test.each([
  [{}, { subscriptionPrice: undefined, contact: undefined }],
  [{ subscriptionPriceCents: 2_500 }, { subscriptionPrice: '1925 ⭐', contact: undefined }],
  [
    { subscriptionPriceCents: 2_500, starsPerUsd: 0, supportContact: '@help' },
    { subscriptionPrice: '$25.00', contact: '@help' },
  ],
])('a service of %j is described as %j', (settings, shop) => {
  expect(describeShop({ ...SETTINGS, ...settings })).toEqual(shop);
});
