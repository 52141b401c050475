// Invoices, as they are ordered and as Telegram gets them.
import { expect, test } from 'vitest';

import { createRecordedContext, KEYS_FOR_WORDS, soon } from '../../../test/harness/bot-words.ts';
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
  token?: string;
  starsPerUsd?: number;
  isActive?: boolean;
  order?: PaymentOrder;
  texts?: Texts;
}

function createWorld(world: World) {
  const { quote = QUOTE, token, starsPerUsd = 77, isActive = true, order, texts = KEYS_FOR_WORDS } = world;
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
    settings: { starsPerUsd, paymentProviderToken: token },
    store: {
      saveAction: (rows: ActionRows) => soon(() => void kept.push(rows)),
      findPurchaseOrder: (id: string) => (id === 'order-id' ? row : undefined),
    },
    core: {
      purchases: { quote: () => quote },
      accounts: { find: () => ({ name: 'Shop' }), isSubscriptionActive: () => isActive },
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

test.each<[what: string, world: World, said: string]>([
  ['what is not sold', { quote: { status: 'notSold' } }, 'subscribe-not-sold'],
  [
    'for more Stars than an invoice has',
    { quote: { ...QUOTE, priceUsdCents: 129_871 } },
    'buy-too-many-stars {"most":"100000","stars":"100001"}',
  ],
])('no invoice %s', async (_what, world, words) => {
  const { deps, kept } = createWorld(world);
  const { ctx, said } = createRecordedContext();
  await orderInvoice(deps, ctx, PACK);
  expect([said, kept]).toEqual([[['reply', words]], []]);
});

test.each<[World, currency: string, amount: number]>([
  [{}, 'XTR', 1_540],
  [{ token: 'x' }, 'XTR', 1_540],
  [{ token: 'x', starsPerUsd: 0 }, 'USD', 2_000],
  [{ token: 'x', starsPerUsd: 0, quote: { ...QUOTE, priceUsdCents: 500_000 } }, 'USD', 500_000],
  [{ quote: { ...QUOTE, priceUsdCents: 100_000 } }, 'XTR', 77_000],
])('an order at %j is over %s %i, kept with its message', async (world, currency, amount) => {
  const { deps, kept } = createWorld(world);
  const { ctx, said } = createRecordedContext();
  await orderInvoice(deps, ctx, PACK);
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
  await orderInvoice(deps, ctx, PACK, { confirmation, messageId: 8, words: 'chosen' });
  expect(kept.map(({ confirmation: used, offers }) => [used, offers])).toEqual([
    [{ id: 'pressed', updateId: 77 }, [confirmation]],
  ]);
  expect(kept.map(({ messages = [] }) => messages.map(({ key }) => key))).toEqual([
    ['chosen:77', 'invoice:77'],
  ]);
  expect(kept[0]?.messages?.[0]?.content).toBe(JSON.stringify({ html: 'chosen', messageId: 8 }));
});

/** What Telegram is asked for. */
async function send(world: World & { order: PaymentOrder }) {
  const { deps } = createWorld(world);
  const shown = createInvoiceView(deps)({ of: { orderId: 'order-id' }, telegramId: 5, language: 'en' });
  const sending = (await shown) as Sending;
  const calls: unknown[][] = [];
  const api = { sendInvoice: (...given: unknown[]) => Promise.resolve(void calls.push(given)) };
  await sending.send(fake(api), 9, new AbortController().signal);
  const [chatId, title, description, payload, currency, prices, rest] = calls[0] ?? [];
  return { chatId, title, description, payload, currency, prices, rest, sending };
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
