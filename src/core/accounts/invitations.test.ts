// The links of invitations themselves: whose order gives which link, how long each holds, and what is kept of it. What
// becomes of whoever follows one: members.test.ts and members-own-account.test.ts.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import type { HostActor } from '../context.ts';
import { createInvitations, digestOf } from './invitations.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOST: HostActor = { kind: 'host', by: 'cli' };
const NOT_THE_HOST = { kind: 'member' } as unknown as HostActor;
const FORBIDDEN = { code: 'FORBIDDEN' };
const LINK = /^[\w-]{32}$/;
const somebody = { telegramId: 5_170_925_570, name: 'New hand' };

let t: TestStore;
let shop: TestAccount;
let invitations: ReturnType<typeof createInvitations>;
beforeEach(async () => {
  t = openTestStore();
  shop = await openTestAccount(t.store);
  invitations = createInvitations(t);
});
afterEach(() => t.close());

const openEmpty = (name = 'Empty') =>
  t.store.write((tables) => tables.accounts.insert({ name, now: 0, subscriptionExpiresAt: null }));
const kept = (token: string) => t.store.read((tables) => tables.invitations.find(digestOf(token)));
const countAccounts = () => t.store.read((tables) => tables.accounts.list(0, 100).length);

describe('a member’s invitation', () => {
  test('is another link each time where nothing orders it', async () => {
    const tokens = [];
    for (let n = 0; n < 3; n += 1)
      tokens.push((await invitations.invite(shop.members.owner, 'support')).token);
    expect(new Set(tokens).size).toBe(3);
    for (const token of tokens) expect(token).toMatch(LINK);
  });

  test('is one link for one order, and another for every other one, role, maker and account', async () => {
    const other = await openTestAccount(t.store);
    const { owner, admin } = shop.members;
    const invite = async (...order: Parameters<typeof invitations.invite>) =>
      (await invitations.invite(...order)).token;
    const first = await invite(owner, 'support', 'a');
    expect(first).toMatch(LINK);
    expect(await invite(owner, 'support', 'a')).toBe(first);
    const others = [
      await invite(owner, 'support', 'b'),
      await invite(owner, 'operator', 'a'),
      await invite(admin, 'support', 'a'),
      await invite(other.members.owner, 'support', 'a'),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });

  test('keeps its first end when it is ordered again', async () => {
    await invitations.invite(shop.members.owner, 'support', 'a');
    t.clock.advance(1_000);
    const again = await invitations.invite(shop.members.owner, 'support', 'a');
    expect(again.expiresAt).toBe(TEST_START + DAY_MS);
    expect(kept(again.token)).toMatchObject({ expiresAt: TEST_START + DAY_MS });
  });

  test('is kept by its digest, with its role, account and maker', async () => {
    const { token, expiresAt } = await invitations.invite(shop.members.admin, 'operator');
    expect(kept(token)).toMatchObject({
      accountId: shop.accountId,
      role: 'operator',
      createdBy: `member:${shop.members.admin.telegramId}`,
      expiresAt,
      usedBy: null,
    });
  });

  test('holds to the last millisecond of its day, and no longer', async () => {
    const [one, another] = [
      await invitations.invite(shop.members.owner, 'support'),
      await invitations.invite(shop.members.owner, 'support'),
    ];
    t.clock.advance(DAY_MS - 1);
    expect(await invitations.join(somebody, one.token)).toMatchObject({ status: 'joined' });
    t.clock.advance(1);
    const late = { telegramId: 7, name: 'Late' };
    expect(await invitations.join(late, another.token)).toEqual({ status: 'expiredOrUsed' });
  });
});

describe('the host’s invitation to own an account', () => {
  test('is one link for one order, and another for every other one and account', async () => {
    const [one, another] = [await openEmpty(), await openEmpty()];
    const invite = async (...order: [accountId: number, orderId: string]) =>
      (await invitations.inviteOwner(HOST, ...order))?.token;
    const first = await invite(one, 'a');
    expect(first).toMatch(LINK);
    expect(await invite(one, 'a')).toBe(first);
    const others = [await invite(one, 'b'), await invite(another, 'a')];
    expect(new Set([first, ...others]).size).toBe(3);
    expect(others).not.toContain(undefined);
  });

  test('is kept as the host’s, with its first end', async () => {
    const accountId = await openEmpty();
    const first = await invitations.inviteOwner(HOST, accountId, 'a');
    expect(first?.expiresAt).toBe(TEST_START + DAY_MS);
    t.clock.advance(1_000);
    expect(await invitations.inviteOwner(HOST, accountId, 'a')).toEqual(first);
    const row = { accountId, createdBy: 'host:cli', expiresAt: TEST_START + DAY_MS, usedBy: null };
    expect(kept(first?.token ?? '')).toMatchObject(row);
  });

  test('is not given where there is an owner, or no account', async () => {
    expect(await invitations.inviteOwner(HOST, shop.accountId, 'a')).toBeUndefined();
    expect(await invitations.inviteOwner(HOST, shop.accountId + 1, 'a')).toBeUndefined();
  });

  test('makes one owner: a second link is dead once the first was followed', async () => {
    const accountId = await openEmpty();
    const one = await invitations.inviteOwner(HOST, accountId, 'a');
    const another = await invitations.inviteOwner(HOST, accountId, 'b');
    expect(await invitations.join(somebody, one?.token ?? '')).toMatchObject({
      status: 'joined',
      actor: { accountId, role: 'owner' },
    });
    const late = { telegramId: 7, name: 'Late' };
    expect(await invitations.join(late, another?.token ?? '')).toEqual({ status: 'expiredOrUsed' });
  });

  test('is the host’s alone to make, with an account or without', () => {
    const order = { name: 'New shop', orderId: 'a' };
    expect(() => invitations.inviteOwner(NOT_THE_HOST, shop.accountId, 'a')).toThrow(
      expect.objectContaining(FORBIDDEN),
    );
    expect(() => invitations.openForOwner(NOT_THE_HOST, order)).toThrow(expect.objectContaining(FORBIDDEN));
    expect(countAccounts()).toBe(1);
  });

  test('comes with a new account, whose link each order has of its own', async () => {
    const inTransaction = vi.fn();
    const opened = await invitations.openForOwner(HOST, { name: ' New shop ', orderId: 'a' }, inTransaction);
    expect(opened).toMatchObject({ name: 'New shop', expiresAt: TEST_START + DAY_MS });
    expect(opened.token).toMatch(LINK);
    expect(inTransaction).toHaveBeenCalledExactlyOnceWith(expect.anything(), opened);
    expect(kept(opened.token)).toMatchObject({ accountId: opened.accountId, createdBy: 'host:cli' });
    const other = await invitations.openForOwner(HOST, { name: 'Other', orderId: 'b' });
    const owned = await invitations.inviteOwner(HOST, other.accountId, 'b');
    expect(new Set([opened.token, other.token, owned?.token]).size).toBe(3);
  });
});
