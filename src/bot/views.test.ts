// What is brought late is looked up when its turn has come: to whom it is no longer theirs to see says so, and shows
// nothing of it.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { openTestCore, TEST_GAMES, type TestCore } from '../../test/harness/core.ts';
import { createBotStore, type BotStore } from '../store/bot-store.ts';
import type { View } from './outgoing.ts';
import { createCustomerView } from './receipts/customer-text.ts';
import { createExportView } from './receipts/export-result.ts';
import { createReceiptFileView } from './receipts/receipt.ts';
import { createOrderView, createRedemptionView } from './redemption/order-messages.ts';
import { ADDED, createStockViews, DELETED, EXTRACTED, UNDONE } from './stock/result-views.ts';
import { createTexts } from './texts.ts';

const texts = createTexts(TEST_GAMES);
const GONE = 5;
const SUPPORT = 6;
let t: TestCore;
let store: BotStore;
beforeAll(async () => {
  t = await openTestCore();
  store = createBotStore(t.store, () => t.clock.now());
  const { accountId } = t.actor;
  const member = {
    telegramId: SUPPORT,
    accountId,
    role: 'support',
    name: 'Ann',
    username: null,
    now: 0,
  } as const;
  await t.store.write(({ members }) => members.insert(member));
});
afterAll(() => t.close());

const show = (view: View, of: object, telegramId: number) =>
  Promise.resolve(view({ of, telegramId, language: 'en' }));
const stock = (name: string) => createStockViews({ core: t.core, texts }, () => undefined)[name]!;

const STRANGER =
  'You are not a member of an account yet. Ask its owner for an invitation, and open its link or paste the link here.';
const NO_RECEIPT = 'Receipt 7 is not there, or not yours to see.';
const OF_REDEMPTION =
  'You are no longer a member of the account of redemption 7, so I cannot show you how it ended.';
const OF_ORDER = 'You are no longer a member of the account of this order. Nothing more of it was redeemed.';

test.each<[what: string, make: () => View, of: object, said: string]>([
  ...[ADDED, DELETED, UNDONE, EXTRACTED].map((name): [string, () => View, object, string] => [
    name,
    () => stock(name),
    { batchId: 1, extractionId: 1 },
    STRANGER,
  ]),
  ['an export', () => createExportView({ core: t.core, texts }), { days: 7, full: false, at: 0 }, STRANGER],
  ['a receipt', () => createCustomerView({ core: t.core, texts }), { id: 7 }, NO_RECEIPT],
  ['a secret', () => createReceiptFileView({ core: t.core, texts }), { id: 7 }, NO_RECEIPT],
  [
    'a redemption',
    () => createRedemptionView({ core: t.core, texts, store, clock: t.clock }),
    { id: 7, state: 'redeemed' },
    OF_REDEMPTION,
  ],
  [
    'an order of several',
    () => createOrderView({ core: t.core, texts, store }),
    { order: 'ord_1' },
    OF_ORDER,
  ],
])('whoever left meanwhile hears it: %s', async (_, make, of, said) => {
  expect(await show(make(), of, GONE)).toEqual({ html: said });
});

test('whose role does not let them see it any more hears that', async () => {
  const html = 'Your role may not do this. Ask the owner of the account.';
  const view = createExportView({ core: t.core, texts });
  expect(await show(view, { days: 7, full: false, at: t.clock.now() }, SUPPORT)).toEqual({ html });
  expect(await show(stock(UNDONE), { batchId: 1 }, SUPPORT)).toEqual({ html });
});
