// Accounts: what the host opens and extends, and what a stranger opens for themselves.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { DAY_MS } from '../../clock.ts';
import { openTestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import { createAccounts, type AccountPage } from './accounts.ts';
import { createApiKeys } from './api-keys.ts';
import type { HostActor } from '../context.ts';
import { createMembers } from './members.ts';

const host: HostActor = { kind: 'host', by: 'cli' };
let opened: TestStore;
let accounts: ReturnType<typeof createAccounts>;

beforeEach(() => {
  opened = openTestStore();
  accounts = createAccounts(opened);
});
afterEach(() => opened.close());

describe('rename', () => {
  test('gives another name, without blanks around it; not an empty one, nor to what is not there', async () => {
    const { accountId } = await accounts.create(host, { name: 'My shop' });
    const other = await accounts.create(host, { name: 'My shop' });
    expect(await accounts.rename(host, accountId, ' Corner shop ')).toBe('Corner shop');
    expect(accounts.list(host).map(({ name }) => name)).toEqual(['Corner shop', 'My shop']);
    await expect(accounts.rename(host, accountId, ' ')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(accounts.rename(host, other.accountId + 1, 'X')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(accounts.find(accountId)?.name).toBe('Corner shop');
  });
});

test('a contact is one line of 200 characters at most; nothing takes it away', async () => {
  const { accountId, members } = await openTestAccount(opened.store);
  const set = (text: string) => accounts.setContact(members.owner, text);
  const contact = () => accounts.find(accountId)?.contact;
  expect([await set(` ${'ы'.repeat(200)} `), contact()]).toEqual(['ы'.repeat(200), 'ы'.repeat(200)]);
  for (const wrong of ['ы'.repeat(201), 'one\ntwo', 'one\u2028two'])
    await expect(set(wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  expect([await set(' '), contact()]).toEqual(['', undefined]);
});

describe('create', () => {
  test('opens the account, its subscription, its purchased activations and a key that works, at once', async () => {
    const { accountId, apiKey } = await accounts.create(host, {
      name: '  Corner shop ',
      days: 30,
      purchased: 250,
    });

    expect(accounts.find(accountId)).toEqual({
      id: accountId,
      name: 'Corner shop',
      createdAt: TEST_START,
      subscriptionExpiresAt: TEST_START + 30 * DAY_MS,
      state: 'open',
    });
    expect(createApiKeys(opened).authenticate(apiKey)).toEqual({
      actor: { kind: 'apiKey', accountId, apiKeyId: expect.any(Number) },
      subscriptionActive: true,
    });
    expect(opened.store.read((tables) => tables.quota.peek(accountId, 0).purchased)).toBe(1000);
  });

  test('what a host gives stands in the ledger of purchases, so that it balances', async () => {
    const { accountId } = await accounts.create(host, { name: 'Shop', purchased: 5 });
    const [gift, ...more] = opened.store.read((tables) => tables.purchases.list(accountId, 10));
    expect(more).toEqual([]);
    expect(gift).toMatchObject({
      chargeId: expect.stringMatching(/^host:[0-9a-f-]{36}$/),
      kind: 'activations',
      currency: 'HOST',
      amount: 0,
      activationsQuarters: 20,
      paidBy: 'host:cli',
    });
  });

  test('without days there is no subscription, without purchased nothing is booked', async () => {
    const { accountId, apiKey } = await accounts.create(host, { name: 'Shop' });
    expect(accounts.find(accountId)?.subscriptionExpiresAt).toBeUndefined();
    expect(accounts.isSubscriptionActive(accountId)).toBe(false);
    expect(createApiKeys(opened).authenticate(apiKey)?.subscriptionActive).toBe(false);
    expect(opened.store.read((tables) => tables.purchases.list(accountId, 10))).toEqual([]);
  });

  test.each([
    [{ name: '   ' }, /name must have 1 to 200 characters/],
    [{ name: 'x'.repeat(201) }, /name must have 1 to 200 characters/],
    [{ name: 'Shop', days: -1 }, /days must be a whole number from 0 to 3650/],
    [{ name: 'Shop', days: 1.5 }, /days must be a whole number/],
    [{ name: 'Shop', days: 3651 }, /days must be a whole number/],
    [{ name: 'Shop', purchased: NaN }, /purchased activations must be a whole number from 0 to 1000000/],
    [{ name: 'Shop', purchased: 1_000_001 }, /purchased activations must be a whole number/],
  ])('refuses %o with a sentence and opens nothing', async (request, sentence) => {
    const refusal = accounts.create(host, request);
    await expect(refusal).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(sentence),
    });
    expect(accounts.list(host)).toEqual([]);
  });
});

describe('grant', () => {
  test('extends what is left, and begins now when nothing is left', async () => {
    const { accountId } = await accounts.create(host, { name: 'Shop', days: 10 });
    opened.clock.advance(4 * DAY_MS);
    expect(await accounts.grant(host, { accountId, days: 5 })).toEqual({
      subscriptionExpiresAt: TEST_START + 15 * DAY_MS,
    });
    opened.clock.advance(100 * DAY_MS);
    expect(await accounts.grant(host, { accountId, days: 5 })).toEqual({
      subscriptionExpiresAt: TEST_START + 109 * DAY_MS,
    });
  });

  test('takes days back, once an order, down to now and no further', async () => {
    const { accountId } = await accounts.create(host, { name: 'Shop', days: 10 });
    const take = (days: number, orderId?: string) =>
      accounts.grant(host, { accountId, days, ...(orderId !== undefined && { orderId }) });
    for (let times = 0; times < 2; times += 1)
      expect((await take(-3, 'order')).subscriptionExpiresAt).toBe(TEST_START + 7 * DAY_MS);
    expect((await take(-3650, 'rest')).subscriptionExpiresAt).toBe(TEST_START);
    // The same order again took nothing, and is no mistake.
    expect((await take(-3650, 'rest')).subscriptionExpiresAt).toBe(TEST_START);
    await expect(take(-1)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(take(0)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('books what is given, once each: days, activations, both', async () => {
    const { accountId } = await accounts.create(host, { name: 'Shop' });
    for (let times = 0; times < 2; times += 1) {
      await accounts.grant(host, { accountId, days: 5, orderId: 'days' });
      await accounts.grant(host, { accountId, purchased: 7, orderId: 'activations' });
      await accounts.grant(host, { accountId, days: 1, purchased: 2, orderId: 'both' });
    }
    const booked = opened.store.read(({ purchases }) => purchases.list(accountId, 9).reverse());
    expect(
      booked.map(({ chargeId, kind, subscriptionDays, activationsQuarters }) =>
        [chargeId, kind, subscriptionDays, activationsQuarters].join(' '),
      ),
    ).toEqual([
      'host:days subscription 5 0',
      'host:activations:a activations 0 28',
      'host:both subscription 1 0',
      'host:both:a activations 0 8',
    ]);
  });

  test('two grants at once both count', async () => {
    const { accountId } = await accounts.create(host, { name: 'Shop' });
    await Promise.all([1, 2, 3].map((days) => accounts.grant(host, { accountId, days })));
    expect(accounts.find(accountId)?.subscriptionExpiresAt).toBe(TEST_START + 6 * DAY_MS);
  });

  test('the subscription ends at its very millisecond', async () => {
    const { accountId } = await accounts.create(host, { name: 'Shop', days: 1 });
    opened.clock.advance(DAY_MS - 1);
    expect(accounts.isSubscriptionActive(accountId)).toBe(true);
    opened.clock.advance(1);
    expect(accounts.isSubscriptionActive(accountId)).toBe(false);
  });

  test('an unknown account and senseless days are told apart', async () => {
    await expect(accounts.grant(host, { accountId: 77, days: 1 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const { accountId } = await accounts.create(host, { name: 'Shop' });
    await expect(accounts.grant(host, { accountId, days: 0 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(accounts.isSubscriptionActive(77)).toBe(false);
  });
});

describe('openOwn', () => {
  const person = { telegramId: 5170925570, name: 'Player', username: 'player_one' };

  test('makes a stranger the owner of an account without a subscription', async () => {
    const answer = await accounts.openOwn(person);
    expect(answer).toMatchObject({
      status: 'opened',
      actor: { telegramId: person.telegramId, role: 'owner' },
    });
    expect(createMembers(opened).findActor(person.telegramId)).toEqual(answer.actor);
    expect(accounts.find(answer.actor.accountId)).toMatchObject({
      name: 'Player',
      subscriptionExpiresAt: undefined,
    });
  });

  test('the same stranger twenty times at once owns one account', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => accounts.openOwn(person)));
    expect(answers.filter((answer) => answer.status === 'opened')).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.actor.accountId)).size).toBe(1);
    expect(accounts.list(host)).toHaveLength(1);
  });

  test('a member of another account stays what he is', async () => {
    const { members } = await openTestAccount(opened.store);
    const { telegramId } = members.operator;
    expect(await accounts.openOwn({ telegramId, name: 'Again' })).toEqual({
      status: 'alreadyMember',
      actor: members.operator,
    });
  });

  test('a name of spaces or of 4,000 characters still makes an account', async () => {
    const blank = await accounts.openOwn({ telegramId: 1, name: ' \t ' });
    const long = await accounts.openOwn({ telegramId: 2, name: '🎮'.repeat(4000) });
    expect(accounts.find(blank.actor.accountId)?.name).toBe('1');
    expect(accounts.find(long.actor.accountId)?.name).toBe('🎮'.repeat(200));
  });
});

test('the host sees every account with its owner and what is left', async () => {
  await accounts.create(host, { name: 'Programs', purchased: 3 });
  await accounts.openOwn({ telegramId: 9, name: 'Player', username: 'Player_One' });
  expect(accounts.list(host)).toMatchObject([
    { name: 'Programs', owner: undefined, memberCount: 0, purchased: 3 },
    { name: 'Player', owner: { telegramId: 9, username: 'Player_One' }, memberCount: 1, purchased: 0 },
  ]);
});

test('accounts are told a page at a time, after or before one', async () => {
  const ids = [];
  for (let made = 0; made < 5; made += 1) ids.push((await accounts.create(host, { name: 'One' })).accountId);
  const list = (page: AccountPage) => accounts.list(host, page).map(({ id }) => id);
  expect(list({ limit: 2 })).toEqual(ids.slice(0, 2));
  expect(list({ after: ids[1]!, limit: 2 })).toEqual(ids.slice(2, 4));
  expect(list({ after: ids[3]!, limit: 2 })).toEqual(ids.slice(4));
  expect(list({ before: ids[4]!, limit: 2 })).toEqual(ids.slice(2, 4));
  expect(list({ after: ids[4]! })).toEqual([]);
});
