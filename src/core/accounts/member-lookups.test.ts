// Whom a surface tells of a change, and invitations that are the same when they are asked for again.
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestCore, type TestCore } from '../../../test/harness/core.ts';

let t: TestCore;
let account: TestAccount;
beforeEach(async () => {
  t = await openTestCore();
  account = await openTestAccount(t.store);
});
afterEach(() => t.close());

test('the owner is found, in the account alone', () => {
  expect(t.core.members.findOwner(account.accountId)?.telegramId).toBe(account.members.owner.telegramId);
  expect(t.core.members.findOwner(account.accountId + 1)).toBeUndefined();
});

test('the inviter is found for whoever used the invitation, while it would last', async () => {
  const { admin } = account.members;
  const { token } = await t.core.members.invite(admin, 'support');
  expect(t.core.members.findInviter(token, 5)).toBeUndefined();
  await t.core.members.join({ telegramId: 5, name: 'New' }, token);
  expect(t.core.members.findInviter(token, 5)).toBe(admin.telegramId);
  expect(t.core.members.findInviter(token, 6)).toBeUndefined();
  t.clock.advance(24 * 60 * 60 * 1000);
  expect(t.core.members.findInviter(token, 5)).toBeUndefined();
});

test('the same order is the same invitation, for its maker and role alone', async () => {
  const { admin, owner } = account.members;
  const first = await t.core.members.invite(admin, 'support', 'order');
  expect(await t.core.members.invite(admin, 'support', 'order')).toEqual(first);
  const others = [
    await t.core.members.invite(admin, 'operator', 'order'),
    await t.core.members.invite(owner, 'support', 'order'),
    await t.core.members.invite(admin, 'support', 'other'),
    await t.core.members.invite(admin, 'support'),
  ];
  expect(new Set([first, ...others].map(({ token }) => token)).size).toBe(5);
});
