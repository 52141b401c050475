// Buttons of purchases that are old, pressed before, or offer what cannot be used without a subscription.
import { expect, test } from 'vitest';

import {
  createCommandContext,
  createPressedContext,
  KEYS_FOR_WORDS,
  soon,
} from '../../../test/harness/bot-words.ts';
import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import type { BotDeps } from '../context.ts';
import type { ActionRows } from '../../store/bot-store.ts';
import { createPurchasesFeature, parsePacks, subscribe } from './purchases.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface World {
  isActive?: boolean;
  isSold?: boolean;
  takenBy?: number;
  settings?: object;
  expiresAt?: number;
}

function createWorld({ isActive = true, isSold = true, takenBy, settings, expiresAt }: World = {}) {
  const kept: ActionRows[] = [];
  const quote = (_actor: unknown, order: { thousands?: number }) => {
    if (order.thousands !== undefined)
      return { status: 'sold', kind: 'activations', priceUsdCents: order.thousands * 1_000 };
    return isSold
      ? { status: 'sold', kind: 'subscription', days: 30, priceUsdCents: 2_500 }
      : { status: 'notSold' };
  };
  const deps: BotDeps = fake({
    texts: KEYS_FOR_WORDS,
    clock: createManualClock(1_000),
    ids: { secret: () => 'order-id' },
    settings: { starsPerUsd: 100, hostIds: [8, 9], ...settings },
    store: {
      saveAction: (rows: ActionRows) => soon(() => void kept.push(rows)),
      confirmations: { find: () => (takenBy === undefined ? undefined : { takenBy }) },
    },
    core: {
      purchases: { quote },
      accounts: {
        find: () => ({ name: 'Shop', subscriptionExpiresAt: expiresAt }),
        isSubscriptionActive: () => isActive,
      },
    },
  });
  return { deps, kept };
}

async function handle(world: World, made: ReturnType<typeof createPressedContext>) {
  const { deps, kept } = createWorld(world);
  const { handlers } = createPurchasesFeature(deps, {} as never);
  let isPassedOn = false;
  await handlers.middleware()(made.ctx, () => Promise.resolve(void (isPassedOn = true)));
  return { said: made.said, kept, isPassedOn };
}

const TAP = ['tap', undefined];
const pack = (thousands: number, said = '') =>
  `${thousands * 1000} · ${thousands * 1000} ⭐ -> buy:packs:${thousands}${said}`;
const CHOOSE = 'buy-choose {"account":"Shop","most":"100"}';
const FIRST = 'button-subscribe-first -> go:subscribe';

test.each<[what: string, data: string, world: World, said: unknown[][]]>([
  ['no pack', 'buy:packs:0', {}, [['alert', 'button-old']]],
  ['more than are sold', 'buy:packs:101', {}, [['alert', 'button-old']]],
  ['what was pressed before', 'buy:packs:2', { takenBy: 76 }, [['alert', 'confirmation-taken']]],
  ['what this update did', 'buy:packs:2', { takenBy: 77 }, []],
  [
    'a pack without a subscription',
    'buy:packs:2',
    { isActive: false },
    [TAP, ['reply', `buy-needs-subscription\n\n${CHOOSE}`, [FIRST], [pack(2, ':said')]]],
  ],
])('a button for %s orders nothing', async (_what, data, world, said) => {
  expect(await handle(world, createPressedContext(data))).toEqual({ said, kept: [], isPassedOn: false });
});

test.each<[data: string, world: World, kind: string, currency: string, words: string | undefined]>([
  ['buy:packs:2', {}, 'activations', 'XTR', 'buy-chosen {"goods":"goods-activations {\\"count\\":2000}"}'],
  [
    'buy:packs:2:said',
    { isActive: false },
    'activations',
    'XTR',
    'buy-chosen {"goods":"goods-activations {\\"count\\":2000}"}',
  ],
  [
    'buy:packs:2',
    { settings: { starsPerUsd: 0 } },
    'activations',
    'USD',
    'buy-chosen {"goods":"goods-activations {\\"count\\":2000}"}',
  ],
])('%s at %j orders %s in %s, with the press', async (data, world, kind, currency, words) => {
  const { said, kept } = await handle(world, createPressedContext(data));
  expect(said).toEqual([TAP]);
  expect(kept).toMatchObject([{ purchaseOrder: { kind, currency } }]);
  expect(kept[0]?.confirmation).toEqual({ id: 'pressed:5:8', updateId: 77 });
  expect(kept[0]?.offers).toEqual([
    {
      ...{ id: 'pressed:5:8', chatId: 5, userId: 5, action: 'pressed', payload: '{}' },
      expiresAt: 1_000 + 60 * DAY_MS,
    },
  ]);
  const [first] = kept[0]?.messages ?? [];
  expect((JSON.parse(first?.content ?? '{}') as { html?: string }).html).toBe(words);
});

test.each<[text: string, world: World, said: unknown[][]]>([
  ['/buy_activations', {}, [['reply', CHOOSE, ...[1, 2, 5, 10].map((each) => [pack(each)])]]],
  [
    '/buy_activations 3',
    { isActive: false },
    [['reply', `buy-needs-subscription\n\n${CHOOSE}`, [FIRST], [pack(3, ':said')]]],
  ],
  [
    '/buy_activations many',
    {},
    [
      ['reply', 'buy-amount {"most":"100"}'],
      ['reply', CHOOSE, ...[1, 2, 5, 10].map((each) => [pack(each)])],
    ],
  ],
])('%s at %j offers', async (text, world, expected) => {
  const { said, kept } = await handle(world, createCommandContext(text));
  expect([said, kept]).toEqual([expected, []]);
});

test.each([
  ['1', 1],
  ['100', 100],
  ['007', 7],
  ['0', undefined],
  ['101', undefined],
  ['0001', undefined],
  ['1 ', undefined],
])('%j are %s packs', (text, packs) => expect(parsePacks(text)).toBe(packs));

const HOSTS =
  '<a href="tg://user?id=8">subscribe-host {"number":"1"}</a>, <a href="tg://user?id=9">subscribe-host {"number":"2"}</a>';

test.each<[World, string]>([
  [{}, `subscribe-first-not-sold\n${HOSTS}`],
  [{ expiresAt: 1 }, `subscribe-not-sold\n${HOSTS}`],
  [{ settings: { supportContact: '@help' } }, 'subscribe-first-not-sold'],
  [{ settings: { hostIds: [] } }, 'subscribe-first-not-sold'],
])('where no subscription is sold, at %j, it says whom to ask', async (world, words) => {
  const { deps } = createWorld({ isSold: false, ...world });
  const { ctx, said } = createCommandContext('/subscribe');
  await subscribe(deps, ctx);
  expect(said).toEqual([['reply', words]]);
});
