// Invoices, as they are ordered and as Telegram gets them.
import { expect, test } from 'vitest';

import {
  createRecordedContext,
  KEYS_FOR_WORDS,
  soon,
  formatButtons,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import type { Sending } from '../outgoing.ts';
import type { Texts } from '../texts.ts';
import { createInvoiceView, goodsLabel, orderInvoice } from './invoices.ts';
import type { Goods, PaymentOrder } from './orders.ts';

const PACK: Goods = { kind: 'activations', thousands: 2 };
const MONTH: Goods = { kind: 'subscription', days: 30 };
const QUOTE = { status: 'sold', kind: 'activations', priceUsdCents: 2_000 };

interface World {
  quote?: object;
  role?: string | undefined;
  token?: string;
  isActive?: boolean;
  order?: PaymentOrder;
  texts?: Texts;
}

function createWorld(world: World) {
  const { quote = QUOTE, role = 'owner', token, isActive = true, order, texts = KEYS_FOR_WORDS } = world;
  const kept: ActionRows[] = [];
  const row = order && {
    ...{ accountId: order.accountId, kind: order.goods.kind, currency: order.currency, amount: order.amount },
    count: order.goods.kind === 'activations' ? order.goods.thousands : order.goods.days,
    at: 0,
  };
  const deps = {
    texts,
    clock: createManualClock(0),
    ids: { secret: () => 'order-id' },
    settings: { starsPerUsd: 77, paymentProviderToken: token },
    store: {
      saveAction: (rows: ActionRows) => soon(() => void kept.push(rows)),
      findPurchaseOrder: (id: string) => (id === 'order-id' ? row : undefined),
    },
    core: {
      purchases: { quote: () => quote },
      accounts: { find: () => ({ name: 'Shop' }), isSubscriptionActive: () => isActive },
      members: {
        findActor: () => role && { kind: 'member', accountId: 1, telegramId: 5, role },
      },
    },
  };
  return { deps: fake(deps) satisfies BotDeps, kept };
}

test.each([
  [PACK, 'goods-activations {"count":2000}'],
  [MONTH, 'goods-subscription {"days":30}'],
])('%j is called %s', (goods, label) => {
  expect(goodsLabel({ label: KEYS_FOR_WORDS.label.bind(undefined, 'en') }, goods)).toBe(label);
});

test.each<[what: string, world: World, method: 'stars' | 'provider' | undefined, said: string]>([
  ['by card, without a provider', {}, 'provider', 'buy-no-provider'],
  ['what is not sold', { quote: { status: 'notSold' } }, undefined, 'subscribe-not-sold'],
  [
    'for more Stars than an invoice has',
    { quote: { ...QUOTE, priceUsdCents: 129_871 } },
    'stars',
    'buy-too-many-stars {"most":"100000","stars":"100001"}',
  ],
])('no invoice %s', async (_what, world, method, words) => {
  const { deps, kept } = createWorld(world);
  const { ctx, said } = createRecordedContext();
  await orderInvoice(deps, ctx, PACK, { ...(method && { method }) });
  expect([said, kept]).toEqual([[['reply', words]], []]);
});

test.each<[World, 'stars' | 'provider' | undefined, currency: string, amount: number]>([
  [{}, undefined, 'XTR', 1_540],
  [{ token: 'x' }, undefined, 'USD', 2_000],
  [{ token: 'x' }, 'stars', 'XTR', 1_540],
  [{ token: 'x', quote: { ...QUOTE, priceUsdCents: 500_000 } }, 'provider', 'USD', 500_000],
  [{ quote: { ...QUOTE, priceUsdCents: 100_000 } }, 'stars', 'XTR', 77_000],
])('an order at %j by %s is over %s %i, kept with its message', async (world, method, currency, amount) => {
  const { deps, kept } = createWorld(world);
  const { ctx, said } = createRecordedContext();
  await orderInvoice(deps, ctx, PACK, { ...(method && { method }) });
  expect(said).toEqual([]);
  const content = { view: 'invoice', of: { orderId: 'order-id' }, telegramId: 5, language: 'en' };
  expect(kept).toEqual([
    {
      purchaseOrder: {
        ...{ id: 'order-id', orderedBy: 5, kind: 'activations', count: 2, accountId: 1, at: 0 },
        ...{ currency, amount },
      },
      messages: [{ key: 'invoice:77', chatId: 5, content: JSON.stringify(content) }],
    },
  ]);
});

test('the button that was pressed is used up with the order, and the words of its message come first', async () => {
  const { deps, kept } = createWorld({});
  const { ctx } = createRecordedContext();
  const confirmation = { id: 'pressed', chatId: 5, userId: 5, action: 'buy', payload: '{}', expiresAt: 9 };
  await orderInvoice(deps, ctx, PACK, { pressed: { confirmation, messageId: 8, words: 'chosen' } });
  await orderInvoice(deps, ctx, PACK, { pressed: { confirmation, messageId: 8 } });
  expect(kept.map(({ confirmation: used, offers }) => [used, offers])).toEqual(
    Array(2).fill([{ id: 'pressed', updateId: 77 }, [confirmation]]),
  );
  expect(kept.map(({ messages = [] }) => messages.map(({ key }) => key))).toEqual([
    ['chosen:77', 'invoice:77'],
    ['invoice:77'],
  ]);
  expect(kept[0]?.messages?.[0]?.content).toBe(JSON.stringify({ html: 'chosen', messageId: 8 }));
});

/** What Telegram is asked for. */
async function send(world: World & { order: PaymentOrder }, how: 'send' | 'sendBare' = 'send') {
  const { deps } = createWorld(world);
  const shown = createInvoiceView(deps)({ of: { orderId: 'order-id' }, telegramId: 5, language: 'en' });
  const sending = (await shown) as Sending;
  const calls: unknown[][] = [];
  const api = { sendInvoice: (...given: unknown[]) => Promise.resolve(void calls.push(given)) };
  await sending[how]?.(fake(api), 9, new AbortController().signal);
  const [chatId, title, description, payload, currency, prices, options] = calls[0] ?? [];
  const { reply_markup: keyboard, ...rest } = options as { reply_markup?: object };
  const buttons = keyboard && formatButtons(keyboard);
  return { chatId, title, description, payload, currency, prices, rest, buttons, sending };
}

const IN_STARS: PaymentOrder = { accountId: 1, goods: PACK, currency: 'XTR', amount: 1_540 };
const IN_USD: PaymentOrder = { accountId: 1, goods: PACK, currency: 'USD', amount: 2_000 };

test('an invoice names goods, account and price; its words are cut to what Telegram takes', async () => {
  const sent = await send({ order: IN_STARS });
  expect(sent).toMatchObject({
    ...{ chatId: 9, title: 'goods-activations {"count":2000}', payload: 'order-id', currency: 'XTR' },
    description: 'invoice-activations {"account":"Shop"}',
    prices: [{ label: 'goods-activations {"count":2000}', amount: 1_540 }],
    rest: { provider_token: '', start_parameter: 'buy_2' },
    buttons: undefined,
  });
  expect(sent.sending.otherwise).toEqual({ html: 'buy-refused' });
  const hundred: PaymentOrder = { ...IN_STARS, goods: { kind: 'activations', thousands: 100 } };
  expect((await send({ order: hundred })).title).toBe('goods-activations {"count":10000');
  const texts = { ...KEYS_FOR_WORDS, label: () => '🎮'.repeat(300) };
  expect((await send({ order: hundred, texts })).description).toBe('🎮'.repeat(255));
});

test('activations that cannot be used without a subscription say so; a subscription does not', async () => {
  const packs = await send({ order: IN_STARS, isActive: false });
  expect(packs.description).toBe('invoice-activations {"account":"Shop"} invoice-needs-subscription');
  const month = await send({ order: { ...IN_STARS, goods: MONTH }, isActive: false });
  expect(month).toMatchObject({
    description: 'invoice-subscription {"account":"Shop"}',
    rest: { start_parameter: 'subscribe' },
  });
});

const OTHERWISE = 'button-pay-instead {"price":"1540 ⭐"} -> buy:stars:2';
const PAY_USD = 'button-pay {"price":"$20.00"} -> true';

test.each<[what: string, world: World & { order: PaymentOrder }, buttons: string[][]]>([
  ['in USD', { order: IN_USD, token: 'x' }, [[PAY_USD], [OTHERWISE]]],
  [
    'in Stars',
    { order: IN_STARS, token: 'x' },
    [['button-pay {"price":"1540 ⭐"} -> true'], ['button-pay-instead {"price":"$20.00"} -> buy:provider:2']],
  ],
  [
    'of a subscription',
    {
      order: { ...IN_USD, goods: MONTH },
      token: 'x',
      quote: { status: 'sold', kind: 'subscription', days: 30, priceUsdCents: 2_000 },
    },
    [[PAY_USD], ['button-pay-instead {"price":"1540 ⭐"} -> buy:stars:subscription']],
  ],
  ['for whoever may buy no more', { order: IN_USD, token: 'x', role: 'support' }, [[PAY_USD]]],
  ['for whoever left', { order: IN_USD, token: 'x', role: '' }, [[PAY_USD]]],
  ['not sold any more', { order: IN_USD, token: 'x', quote: { status: 'notSold' } }, [[PAY_USD]]],
  [
    'too much in Stars',
    { order: IN_USD, token: 'x', quote: { ...QUOTE, priceUsdCents: 129_871 } },
    [[PAY_USD]],
  ],
])('an invoice %s has a button for each way of paying that there is', async (_what, world, buttons) => {
  expect((await send(world)).buttons).toEqual(buttons);
  expect((await send(world, 'sendBare')).buttons).toBeUndefined();
});

test('an invoice by card goes to the provider; one of an order that is forgotten is none', async () => {
  expect((await send({ order: IN_USD, token: 'x' })).rest).toEqual({
    provider_token: 'x',
    start_parameter: 'buy_2',
  });
  expect((await send({ order: IN_USD })).rest).toMatchObject({ provider_token: '' });
  const { deps } = createWorld({});
  const order = { of: { orderId: 'order-id' }, telegramId: 5, language: 'en' } as const;
  expect(createInvoiceView(deps)(order)).toBeUndefined();
});
