// The host's list of payments: pages, and what a refund would still take back is what one takes back.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS } from '../../clock.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import { createAccounts } from '../accounts/accounts.ts';
import type { HostActor } from '../context.ts';
import { createPayments } from './payments.ts';
import { createPurchases } from './purchases.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
let opened: TestStore;
let account: TestAccount;
let purchases: ReturnType<typeof createPurchases>;
let payments: ReturnType<typeof createPayments>;

beforeEach(async () => {
  opened = openTestStore();
  opened.allowDrift();
  account = await openTestAccount(opened.store);
  purchases = createPurchases(opened);
  payments = createPayments(opened);
});
afterEach(() => opened.close());

function pay(
  chargeId: string,
  goods: { thousands: number } | { days: number },
  accountId = account.accountId,
) {
  const payment = { accountId, chargeId, currency: 'XTR', amount: 770, paidBy: 'member:1' };
  return 'days' in goods
    ? purchases.credit({ ...payment, kind: 'subscription', ...goods })
    : purchases.credit({ ...payment, kind: 'activations', ...goods });
}

const spend = (activations: number) =>
  opened.store.write((tables) =>
    tables.quota.book({
      accountId: account.accountId,
      at: TEST_START,
      start: 0,
      daily: 0,
      purchased: activations * 4,
      kind: 'redeem',
    }),
  );
const charges = (page: { before?: number; after?: number; accountId?: number }) =>
  payments.listPayments(host, { ...page, limit: 2 }).map(({ chargeId }) => chargeId);

test('what is left is what a refund takes back, before it and after', async () => {
  await pay('a', { thousands: 1 });
  await spend(300);
  expect(payments.findPayment(host, { chargeId: 'a' })?.left).toEqual({ activations: 700, days: 0 });
  expect(await purchases.refund(host, 'a')).toMatchObject({ activations: 700 });
  // Nor of another one, whatever that has left.
  await pay('b', { thousands: 2 });
  const after = payments.findPayment(host, { chargeId: 'a' });
  expect(after).toMatchObject({ left: { activations: 0, days: 0 }, refunded: { activations: 700 } });
});

test('of a subscription the days to come are left', async () => {
  const { accountId } = await createAccounts(opened).create(host, { name: 'New' });
  await pay('s', { days: 30 }, accountId);
  opened.clock.advance(10 * DAY_MS);
  expect(payments.findPayment(host, { chargeId: 's' })?.left).toEqual({ activations: 0, days: 20 });
  opened.clock.advance(40 * DAY_MS);
  expect(payments.findPayment(host, { chargeId: 's' })?.left.days).toBe(0);
});

test('pages go both ways, newest first, of all accounts or of one; what the host gave is told apart', async () => {
  const other = await createAccounts(opened).create(host, { name: 'Other' });
  for (const id of ['a', 'b', 'c']) await pay(id, { thousands: 1 });
  await pay('d', { thousands: 1 }, other.accountId);
  await createAccounts(opened).grant(host, { accountId: account.accountId, purchased: 5, orderId: 'gift' });

  const newest = payments.listPayments(host, { limit: 2 });
  expect(newest.map(({ chargeId, isAdjustment }) => [chargeId, isAdjustment])).toEqual([
    ['host:gift:a', true],
    ['d', false],
  ]);
  expect(newest[1]?.accountName).toBe('Other');
  expect(charges({ before: newest[1]!.id })).toEqual(['c', 'b']);
  expect(charges({ after: newest[1]!.id - 2 })).toEqual(['d', 'c']);
  expect(charges({ accountId: account.accountId })).toEqual(['host:gift:a', 'c']);
  expect(charges({ accountId: account.accountId, after: newest[1]!.id - 3 })).toEqual(['c', 'b']);
});
