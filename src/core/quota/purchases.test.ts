// Purchases: money taken is credited once, money given back is taken off once, and the ledger balances throughout.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DAY_MS } from '../../clock.ts';
import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { makeCode, openTestCore } from '../../../test/harness/core.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { HostActor } from '../context.ts';
import { createPurchases, type Payment } from './purchases.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
let opened: TestStore;
let account: TestAccount;
let purchases: ReturnType<typeof createPurchases>;

beforeEach(async () => {
  opened = openTestStore();
  opened.allowDrift();
  account = await openTestAccount(opened.store);
  purchases = createPurchases({ ...opened, subscriptionPriceUsdCents: 2500 });
});
afterEach(() => opened.close());

function packs(thousands: number, chargeId = 'charge-1'): Payment {
  const { accountId, members } = account;
  const paidBy = `member:${members.owner.telegramId}`;
  return {
    accountId,
    chargeId,
    kind: 'activations',
    thousands,
    currency: 'XTR',
    amount: 770 * thousands,
    paidBy,
  };
}

function days(count: number, chargeId = 'charge-1'): Payment {
  const { accountId, chargeId: id, currency, amount, paidBy } = packs(1, chargeId);
  return { accountId, chargeId: id, currency, amount, paidBy, kind: 'subscription', days: count };
}

/** Uses up purchased activations, as a redemption does. */
function spend(activations: number): Promise<number> {
  const { accountId } = account;
  return opened.store.write((tables) =>
    tables.quota.book({
      accountId,
      at: TEST_START,
      start: 0,
      daily: 0,
      purchased: activations * 4,
      kind: 'redeem',
    }),
  );
}

const balance = () => opened.store.read((tables) => tables.quota.peek(account.accountId, 0).purchased) / 4;
const subscriptionEnd = () =>
  opened.store.read((tables) => tables.accounts.find(account.accountId))?.subscriptionExpiresAt;

describe('quote', () => {
  test.each([1, 2, 100])('%i packs cost ten dollars each', (thousands) => {
    expect(purchases.quote(account.members.owner, { thousands })).toEqual({
      status: 'quoted',
      kind: 'activations',
      priceUsdCents: thousands * 1000,
      thousands,
      activations: thousands * 1000,
    });
  });

  test.each([0, -1, 1.5, 101, NaN, Infinity])('%d packs are not sold', (thousands) => {
    expect(() => purchases.quote(account.members.owner, { thousands })).toThrow(
      expect.objectContaining({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('from 1 to 100 thousand'),
      }),
    );
  });

  test('the subscription costs what the host set, and is not sold when nothing is set', () => {
    const { owner } = account.members;
    expect(purchases.quote(owner, { subscription: true })).toEqual({
      status: 'quoted',
      kind: 'subscription',
      priceUsdCents: 2500,
      days: 30,
    });
    expect(createPurchases(opened).quote(owner, { subscription: true })).toEqual({ status: 'notSold' });
  });
});

describe('credit', () => {
  test('one charge redelivered twenty times at once is credited once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => purchases.credit(packs(2))));
    expect(answers.filter((answer) => answer.status === 'credited')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 'alreadyCredited')).toHaveLength(19);
    expect(new Set(answers.map((answer) => answer.purchased))).toEqual(new Set([2000]));
    expect(balance()).toBe(2000);
  });

  test('two charges of one invoice are two payments', async () => {
    await Promise.all([purchases.credit(packs(1, 'a')), purchases.credit(packs(1, 'b'))]);
    expect(balance()).toBe(2000);
    expect(purchases.list(account.members.owner).map((purchase) => purchase.chargeId)).toEqual(['b', 'a']);
  });

  test('a redelivery that names another account or amount moves nothing', async () => {
    const neighbour = await openTestAccount(opened.store);
    await purchases.credit(packs(1));
    expect(await purchases.credit({ ...packs(5), accountId: neighbour.accountId })).toEqual({
      status: 'alreadyCredited',
      id: 1,
      accountId: account.accountId,
      purchased: 1000,
      subscriptionExpiresAt: undefined,
    });
    expect(opened.store.read((tables) => tables.quota.peek(neighbour.accountId, 0).purchased)).toBe(0);
  });

  test('a subscription extends what is left, once', async () => {
    await purchases.credit(days(30, 'a'));
    opened.clock.advance(10 * DAY_MS);
    const answers = await Promise.all([purchases.credit(days(30, 'b')), purchases.credit(days(30, 'b'))]);
    expect(answers.map((answer) => answer.status).sort()).toEqual(['alreadyCredited', 'credited']);
    expect(subscriptionEnd()).toBe(TEST_START + 60 * DAY_MS);
    expect(answers[0].subscriptionExpiresAt).toBe(subscriptionEnd());
  });

  test('a payment of nothing that is sold, or for no account, is refused and books nothing', async () => {
    await expect(purchases.credit(packs(0))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(purchases.credit(packs(101))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(purchases.credit(days(0))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(purchases.credit({ ...packs(1), accountId: 999 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(purchases.find(host, 'charge-1')).toBeUndefined();
    expect(balance()).toBe(0);
    expect((await purchases.credit(packs(1))).status).toBe('credited');
  });
});

describe('refund', () => {
  test('twenty at once take back once', async () => {
    await purchases.credit(packs(1, 'kept'));
    await purchases.credit(packs(2, 'returned'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => purchases.refund(host, 'returned')));
    expect(answers.filter((answer) => answer.status === 'refunded')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 'alreadyRefunded')).toHaveLength(19);
    expect(answers.every((answer) => answer.status !== 'unknownCharge' && answer.activations === 2000)).toBe(
      true,
    );
    expect(balance()).toBe(1000);
  });

  test('takes back what is unspent and no more', async () => {
    await purchases.credit(packs(1));
    await spend(400);
    expect(await purchases.refund(host, 'charge-1')).toMatchObject({
      status: 'refunded',
      activations: 600,
      purchased: 0,
    });
    expect(purchases.find(host, 'charge-1')?.refunded).toEqual({ at: TEST_START, activations: 600 });
  });

  test('takes back the last quarter and the only day', async () => {
    await purchases.credit(packs(1, 'a'));
    await spend(999.75);
    expect(await purchases.refund(host, 'a')).toMatchObject({ activations: 0.25, purchased: 0 });
    expect(balance()).toBe(0);
    await purchases.credit(days(1, 'b'));
    expect(subscriptionEnd()).toBe(TEST_START + DAY_MS);
    await purchases.refund(host, 'b');
    expect(subscriptionEnd()).toBe(TEST_START);
  });

  test('never takes what another purchase gave', async () => {
    await purchases.credit(packs(1, 'a'));
    await purchases.credit(packs(3, 'b'));
    await purchases.refund(host, 'a');
    expect(balance()).toBe(3000);
  });

  test('a refund booked, the same payment redelivered is still not credited again', async () => {
    await purchases.credit(packs(1));
    await purchases.refund({ kind: 'paymentSystem' }, 'charge-1');
    expect(await purchases.credit(packs(1))).toMatchObject({ status: 'alreadyCredited', purchased: 0 });
  });

  test('the ledger balances: bought less refunded less spent is what is left', async () => {
    await purchases.credit(packs(2, 'a'));
    await purchases.credit(packs(1, 'b'));
    await spend(2500);
    await Promise.all([purchases.refund(host, 'a'), purchases.refund(host, 'b')]);
    const all = purchases.list(account.members.owner);
    const bought = all.reduce((sum, purchase) => sum + purchase.activations, 0);
    const refunded = all.reduce((sum, purchase) => sum + (purchase.refunded?.activations ?? 0), 0);
    expect(bought - refunded - 2500).toBe(balance());
    expect(balance()).toBe(0);
  });

  test('a subscription gives its days back, down to now and never below', async () => {
    await purchases.credit(days(30, 'a'));
    await purchases.credit(days(30, 'b'));
    opened.clock.advance(40 * DAY_MS);
    await purchases.refund(host, 'b');
    expect(subscriptionEnd()).toBe(TEST_START + 40 * DAY_MS);
    opened.clock.advance(5 * DAY_MS);
    expect(await purchases.refund(host, 'a')).toMatchObject({ status: 'refunded', activations: 0 });
    expect(subscriptionEnd()).toBe(TEST_START + 40 * DAY_MS);
  });

  test('days still to come are taken off in full', async () => {
    await purchases.credit(days(30, 'a'));
    await purchases.credit(days(30, 'b'));
    await purchases.refund(host, 'b');
    await purchases.refund(host, 'b');
    expect(subscriptionEnd()).toBe(TEST_START + 30 * DAY_MS);
  });

  test('an unknown charge is told', async () => {
    expect(await purchases.refund(host, 'nothing')).toEqual({ status: 'unknownCharge' });
  });
});

/** What a redemption in doubt holds is spent while it is: what a refund beside it takes, and what is there in the end. */
test.each<[when: string, ends: string, taken: number, left: number]>([
  ['before the doubt ends as', 'redeemed', 999, 0],
  ['before the doubt ends as', 'not redeemed', 999, 1],
  ['before the doubt ends as', "another's", 999, 0],
  ['after the doubt ended as', 'redeemed', 999, 0],
  ['after the doubt ended as', 'not redeemed', 1000, 0],
  ['after the doubt ended as', "another's", 999, 0],
])('a refund %s %s takes %i, and %i stay', async (when, ends, taken, left) => {
  const t = await openTestCore();
  t.allowDrift();
  const { accountId } = t.actor;
  await t.store.write(({ quota }) => {
    const [at, start] = [t.clock.now(), t.clock.now() - DAY_MS];
    quota.roll(accountId, start);
    quota.book({ accountId, at, start, daily: 1_200, purchased: 0, kind: 'redeem' });
  });
  await t.core.purchases.credit({ ...packs(1), accountId });
  t.platform.script.redeem = (order) => {
    if (ends !== 'not redeemed')
      t.platform.redeemNow(ends === 'redeemed' ? order : { ...order, playerId: '5170925571' });
    return { status: 'unknown', errorCode: 'UNKNOWN', message: '' };
  };
  const refund = async () =>
    expect(await t.core.purchases.refund(host, 'charge-1')).toMatchObject({ activations: taken });
  await t.core.redeem(t.actor, { gameId: 'game_id_2', playerId: '5170925570', code: makeCode() });
  if (when.startsWith('before')) await refund();
  for (const ms of [10_000, 10_000]) {
    t.clock.advance(ms);
    await t.core.settleDoubts();
  }
  expect(t.core.health.countOpen().inDoubt).toBe(0);
  if (when.startsWith('after')) await refund();
  expect(t.core.quota(t.actor)).toMatchObject({ purchased: left, boughtInAll: 1000 - taken });
  expect(t.core.purchases.find(host, 'charge-1')?.refunded?.activations).toBe(taken);
  await t.close();
});

test('the list is of the last hundred, the newest first', async () => {
  for (let n = 1; n <= 101; n += 1) await purchases.credit(packs(1, `charge-${n}`));
  const listed = purchases.list(account.members.owner).map(({ chargeId }) => chargeId);
  expect([listed.length, listed[0], listed.at(-1)]).toEqual([100, 'charge-101', 'charge-2']);
});

test("the list holds nothing of another account's", async () => {
  const neighbour = await openTestAccount(opened.store);
  await purchases.credit(packs(1));
  expect(purchases.list(neighbour.members.owner)).toEqual([]);
});

test('a booking and what is kept with it are done together or not at all', async () => {
  const fails = () => {
    throw new Error('no room');
  };
  const kept: unknown[] = [];
  const keep = (_tables: unknown, answer: unknown) => void kept.push(answer);
  await expect(purchases.credit(packs(1), fails)).rejects.toThrow('no room');
  const credited = await purchases.credit(packs(1), keep);
  expect(credited).toMatchObject({ status: 'credited', purchased: 1000 });
  await expect(purchases.refund(host, 'charge-1', fails)).rejects.toThrow('no room');
  const refunded = await purchases.refund(host, 'charge-1', keep);
  expect(refunded).toMatchObject({ status: 'refunded', activations: 1000, purchased: 0 });
  expect(kept).toEqual([credited, refunded]);
});
