// The logins of an order in one message, and its receipt for the customer: what is redeemed of it, to whoever ordered
// it alone.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import type { Outgoing, View } from '../outgoing.ts';
import { createBulkCustomerView, createBulkLoginsView } from './bulk-order-receipts.ts';

const ITEMS = [
  { n: 1, denomination: 60, redemptionId: 7, state: 'redeemed' },
  { n: 2, denomination: 60, redemptionId: 8, state: 'redeemed' },
  { n: 3, denomination: 325, redemptionId: 9, state: 'failed' },
  { n: 4, denomination: 660, redemptionId: null, state: null },
].map((item) => ({ ...item, playerId: '5170925570', playerName: 'Player' }));

function show(
  create: (deps: never) => View,
  {
    accountId = 1,
    secret = 'secret',
    warning = false,
    items = ITEMS,
    playerId = undefined as string | undefined,
  } = {},
) {
  const deps = {
    texts: KEYS_FOR_WORDS,
    store: {
      orders: {
        find: () => ({
          ...{ id: 'order', accountId: 1, gameId: 'game_id_1' },
          items,
        }),
      },
    },
    core: {
      games: TEST_GAMES,
      health: { isSandbox: false },
      members: { findActor: () => ({ kind: 'member', accountId, telegramId: 5, role: 'operator' }) },
      accounts: { timeZoneOf: () => 'UTC' },
      receiptDetails: () => ({}),
      receipts: {
        find: (_actor: unknown, id: number) => ({
          ...{
            id,
            gameId: 'game_id_1',
            playerId: '5170925570',
            playerName: 'Player',
            denomination: 60,
            createdAt: 0,
            state: 'redeemed',
            warning,
          },
          credentials: { email: `login-${id}`, password: secret },
        }),
      },
    },
  };
  const of = { id: 'order', ...(playerId !== undefined && { playerId }) };
  const order = { of, telegramId: 5, language: 'en' as const };
  return (create(deps as never)(order) as Outgoing).html;
}

test('the logins are those of what is redeemed, each under its receipt', () => {
  const html = show(createBulkLoginsView);
  expect(html.match(/receipt_\d+/g)).toEqual(['receipt_7', 'receipt_8']);
  expect(html.match(/login-\d/g)).toEqual(['login-7', 'login-8']);
});

test('what does not fit in the message is named, to be opened by its number', () => {
  const html = show(createBulkLoginsView, { secret: 's'.repeat(2_700) });
  expect(html.length).toBeLessThan(4_096);
  expect(html.match(/receipt_\d+/g)).toEqual(['receipt_7', 'receipt_8']);
  expect(html.match(/login-\d/g)).toEqual(['login-7']);
});

test('the customer is shown neither codes nor credentials, and is asked to look where it is not certain', () => {
  const html = show(createBulkCustomerView);
  expect(html).not.toMatch(/secret|login-/);
  expect(html).toContain('60 UC × 2');
  expect(html).toContain('customer-next-done');
  expect(show(createBulkCustomerView, { warning: true })).toContain('customer-next-check');
});

test('of several players each customer has their own, and the logins say whose they are', () => {
  const items = ITEMS.map((item, index) =>
    index === 1 ? { ...item, playerId: '51', playerName: 'Other' } : item,
  );
  expect(show(createBulkCustomerView, { items, playerId: '51' })).toContain('customer-number {"id":"8"}');
  expect(show(createBulkCustomerView, { items, playerId: '5170925570' })).toContain(
    'customer-number {"id":"7"}',
  );
  expect(show(createBulkLoginsView, { items })).toMatch(/Player\W* · 60 UC · \/receipt_7/);
});

test.each([createBulkLoginsView, createBulkCustomerView])(
  'another account’s member is shown nothing',
  (create) => {
    expect(show(create, { accountId: 2 })).toBe('bulk-order-gone');
  },
);
