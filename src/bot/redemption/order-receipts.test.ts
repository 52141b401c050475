// The logins of an order in one message, and its receipt for the customer: what is redeemed of it, to whoever ordered
// it alone.
import { expect, test } from 'vitest';

import { KEYS_FOR_WORDS } from '../../../test/harness/bot-words.ts';
import { TEST_GAMES } from '../../../test/harness/core.ts';
import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import type { Outgoing, View } from '../outgoing.ts';
import { createOrderCustomerView, createOrderLoginsView } from './order-receipts.ts';

const orderOf = (id: string, playerId: string, playerName: string, redemptionIds: number[]) => ({
  order: {
    ...{ id, gameId: 'game_id_1', playerId, playerName },
    items: [
      ...redemptionIds.map((redemptionId, index) => ({
        ...{ n: index + 1, denomination: 60, state: 'redeemed', redemptionId },
      })),
      { n: 8, denomination: 325, state: 'missing', redemptionId: 9 },
      { n: 9, denomination: 660, state: 'missing' },
    ],
  },
});
const ORDERS = [orderOf('ord_1', '5170925570', 'Player', [7, 8])];

function show(
  create: (deps: BotDeps) => View,
  { accountId = 1, secret = 'secret', warning = false, orders = ORDERS, id = 'ord_1' } = {},
) {
  const deps = {
    texts: KEYS_FOR_WORDS,
    core: {
      games: TEST_GAMES,
      health: { isSandbox: false },
      members: { findActor: () => ({ kind: 'member', accountId, telegramId: 5, role: 'operator' }) },
      accounts: { timeZoneOf: () => 'UTC' },
      presses: { listOfPress: () => (accountId === 1 ? orders : []) },
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
  const order = { of: { id }, telegramId: 5, language: 'en' as const };
  return (create(fake(deps) satisfies BotDeps)(order) as Outgoing).html;
}

test('the logins are those of what is redeemed, each under its receipt', () => {
  const html = show(createOrderLoginsView);
  expect(html.match(/receipt_\d+/g)).toEqual(['receipt_7', 'receipt_8']);
  expect(html.match(/login-\d/g)).toEqual(['login-7', 'login-8']);
});

test('what does not fit in the message is named, to be opened by its number', () => {
  const html = show(createOrderLoginsView, { secret: 's'.repeat(2_700) });
  expect(html.length).toBeLessThan(4_096);
  expect(html.match(/receipt_\d+/g)).toEqual(['receipt_7', 'receipt_8']);
  expect(html.match(/login-\d/g)).toEqual(['login-7']);
});

test('the customer is shown neither codes nor credentials, and is asked to look where it is not certain', () => {
  const html = show(createOrderCustomerView);
  expect(html).not.toMatch(/secret|login-/);
  expect(html).toContain('60 UC × 2');
  expect(html).toContain('customer-next-done');
  expect(show(createOrderCustomerView, { warning: true })).toContain('customer-next-check');
});

test('of several players each customer has their own, and the logins say whose they are', () => {
  const orders = [orderOf('ord_1', '5170925570', 'Player', [7]), orderOf('ord_2', '51', 'Other', [8])];
  expect(show(createOrderCustomerView, { orders, id: 'ord_2' })).toContain('customer-number {"id":"8"}');
  expect(show(createOrderCustomerView, { orders })).toContain('customer-number {"id":"7"}');
  expect(show(createOrderLoginsView, { orders })).toMatch(/Player\W* · 60 UC · \/receipt_7/);
});

test.each([createOrderLoginsView, createOrderCustomerView])(
  'another account’s member is shown nothing',
  (create) => {
    expect(show(create, { accountId: 2 })).toBe('order-gone');
  },
);
