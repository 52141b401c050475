// Members: how they come, change and go. The matrix of roles and verbs is in members-permissions.test.ts, what becomes
// of an invitee's own account in members-own-account.test.ts.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, TEST_START, type TestStore } from '../../../test/harness/store.ts';
import { createInvitations, INVITATION_MS } from './invitations.ts';
import { createMembers } from './members.ts';

let opened: TestStore;
let account: TestAccount;
let members: ReturnType<typeof createMembers> & ReturnType<typeof createInvitations>;
const person = { telegramId: 5170925570, name: 'New hand', username: 'new_hand' };

beforeEach(async () => {
  opened = openTestStore();
  account = await openTestAccount(opened.store);
  members = { ...createMembers(opened), ...createInvitations(opened) };
});
afterEach(() => opened.close());

const roles = () =>
  Object.fromEntries(members.list(account.members.owner).map((member) => [member.telegramId, member.role]));
const roleOf = (telegramId: number) => members.findActor(telegramId)?.role;

describe('an invitation', () => {
  test('makes one person a member in its role, and is then used up', async () => {
    const { token, expiresAt } = await members.invite(account.members.owner, 'operator');
    expect(expiresAt).toBe(TEST_START + INVITATION_MS);
    const { accountId } = account;
    const actor = { kind: 'member', accountId, telegramId: person.telegramId, role: 'operator' };
    expect(members.findActor(person.telegramId)).toBeUndefined();
    expect(await members.join(person, token)).toEqual({ status: 'joined', actor, accountName: 'Shop' });
    expect(members.findActor(person.telegramId)).toEqual(actor);
    expect(members.list(account.members.owner)).toContainEqual({
      ...person,
      role: 'operator',
      joinedAt: TEST_START,
    });
    expect(await members.join({ telegramId: 7, name: 'Late' }, token)).toEqual({ status: 'expiredOrUsed' });
    expect(roleOf(7)).toBeUndefined();
  });

  test('of the host opens an account for whoever follows it, as its owner', async () => {
    const order = { name: ' New shop ', orderId: 'order' };
    const shop = await members.openForOwner({ kind: 'host', by: 'cli' }, order);
    const accountId = account.accountId + 1;
    expect(shop).toEqual({
      accountId,
      name: 'New shop',
      token: expect.stringMatching(/^[\w-]{32}$/) as unknown,
      expiresAt: TEST_START + 24 * 60 * 60 * 1000,
    });
    const actor = { kind: 'member', accountId, telegramId: person.telegramId, role: 'owner' };
    expect(await members.join(person, shop.token)).toEqual({
      status: 'joined',
      actor,
      accountName: 'New shop',
    });
  });

  test('tapped by twenty people at once lets one in', async () => {
    const { token } = await members.invite(account.members.owner, 'support');
    const people = Array.from({ length: 20 }, (_, index) => ({ telegramId: 50_000 + index, name: 'Guest' }));
    const answers = await Promise.all(people.map((guest) => members.join(guest, token)));
    expect(answers.filter((answer) => answer.status === 'joined')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 'expiredOrUsed')).toHaveLength(19);
    expect(members.list(account.members.owner)).toHaveLength(5);
  });

  test('tapped twice by the same person says that he is in', async () => {
    const { token } = await members.invite(account.members.owner, 'support');
    const answers = await Promise.all([members.join(person, token), members.join(person, token)]);
    expect(answers.map((answer) => answer.status)).toEqual(['joined', 'alreadyMemberHere']);
  });

  test('tapped by a member changes nothing and stays for whom it was made', async () => {
    const { token } = await members.invite(account.members.owner, 'operator');
    const { telegramId } = account.members.admin;
    expect(await members.join({ telegramId, name: 'admin' }, token)).toMatchObject({
      status: 'alreadyMemberHere',
      actor: account.members.admin,
    });
    expect((await members.join(person, token)).status).toBe('joined');
  });

  test('lasts to the last millisecond of its day', async () => {
    const [first, second] = [
      await members.invite(account.members.owner, 'operator'),
      await members.invite(account.members.owner, 'operator'),
    ];
    opened.clock.advance(INVITATION_MS - 1);
    expect((await members.join(person, first.token)).status).toBe('joined');
    opened.clock.advance(1);
    expect(await members.join({ telegramId: 7, name: 'Late' }, second.token)).toEqual({
      status: 'expiredOrUsed',
    });
  });

  test('fits a deep link, cannot be guessed, and stands nowhere in the file', async () => {
    const { token } = await members.invite(account.members.owner, 'operator');
    expect(token).toMatch(/^[A-Za-z0-9_-]{22,40}$/);
    const bytes = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(`${opened.store.path}${suffix}`)));
    expect(bytes.includes(`member:${account.members.owner.telegramId}`)).toBe(true);
    expect(bytes.includes(token)).toBe(false);
    for (const forged of [
      '',
      token.slice(1),
      `${token}A`,
      token.toLowerCase() + '_',
      '../',
      'x'.repeat(100_000),
    ]) {
      expect(await members.join(person, forged)).toEqual({ status: 'expiredOrUsed' });
    }
  });

  test('dies with the right of its maker to make it', async () => {
    const { owner, admin, operator } = account.members;
    const byAdmin = await members.invite(admin, 'operator');
    await members.remove(owner, admin.telegramId);
    expect(await members.join(person, byAdmin.token)).toEqual({ status: 'expiredOrUsed' });

    const forAdmin = await members.invite(owner, 'admin');
    const forSupport = await members.invite(owner, 'support');
    await members.handOver(owner, operator.telegramId);
    expect(await members.join(person, forAdmin.token)).toEqual({ status: 'expiredOrUsed' });
    expect((await members.join(person, forSupport.token)).status).toBe('joined');
  });

  test('does not let a removed member in again', async () => {
    const { token } = await members.invite(account.members.owner, 'operator');
    await members.join(person, token);
    await members.remove(account.members.owner, person.telegramId);
    expect(await members.join(person, token)).toEqual({ status: 'expiredOrUsed' });
  });

  test('is never one to ownership', async () => {
    await expect(members.invite(account.members.owner, 'owner' as 'admin')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: 'The role must be one of admin, operator, support.',
    });
  });
});

describe('changing a role', () => {
  test('takes effect at the next look', async () => {
    const { owner, operator } = account.members;
    expect(await members.changeRole(owner, operator.telegramId, 'admin')).toEqual({
      status: 'changed',
      from: 'operator',
    });
    expect(roleOf(operator.telegramId)).toBe('admin');
    expect(await members.changeRole(owner, operator.telegramId, 'admin')).toEqual({ status: 'unchanged' });
  });

  test('of two changes at once one wins and the other is told', async () => {
    const { owner, admin, operator } = account.members;
    const answers = await Promise.all([
      members.changeRole(owner, operator.telegramId, 'admin'),
      members.changeRole(admin, operator.telegramId, 'support'),
      members.remove(admin, operator.telegramId),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([
      'changed',
      'changedMeanwhile',
      'changedMeanwhile',
    ]);
    expect(roleOf(operator.telegramId)).toBe('admin');
  });

  test('an admin demoted in the same moment decides nothing any more', async () => {
    const { owner, admin, operator } = account.members;
    const [demoted, late] = await Promise.allSettled([
      members.changeRole(owner, admin.telegramId, 'support'),
      members.changeRole(admin, operator.telegramId, 'support'),
    ]);
    expect(demoted.status).toBe('fulfilled');
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'FORBIDDEN' } });
    expect(roleOf(operator.telegramId)).toBe('operator');
  });

  test('reaches nobody outside the account', async () => {
    const neighbour = await openTestAccount(opened.store);
    const { telegramId } = neighbour.members.operator;
    const { owner } = account.members;
    expect(await members.changeRole(owner, telegramId, 'support')).toEqual({ status: 'notMember' });
    expect(await members.remove(owner, telegramId)).toEqual({ status: 'notMember' });
    expect(await members.handOver(owner, telegramId)).toEqual({ status: 'notMember' });
    expect(members.findActor(telegramId)).toEqual(neighbour.members.operator);
  });
});

describe('leaving', () => {
  test.each(['admin', 'operator', 'support'] as const)('is open to %s', async (role) => {
    const member = account.members[role];
    expect(await members.remove(member, member.telegramId)).toEqual({ status: 'left' });
    expect(members.findActor(member.telegramId)).toBeUndefined();
  });

  test('is not open to the owner before the account is handed over', async () => {
    const { owner, admin } = account.members;
    await expect(members.remove(owner, owner.telegramId)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('handed over'),
    });
    await members.handOver(owner, admin.telegramId);
    expect(await members.remove(owner, owner.telegramId)).toEqual({ status: 'left' });
  });

  test('of twenty removals at once one removes', async () => {
    const { owner, operator } = account.members;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => members.remove(owner, operator.telegramId)),
    );
    expect(answers.filter((answer) => answer.status === 'removed')).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 'notMember')).toHaveLength(19);
  });
});

describe('handing over', () => {
  test.each(['admin', 'operator', 'support'] as const)(
    'makes %s the owner and the owner an admin',
    async (role) => {
      const { owner } = account.members;
      const before = roles();
      const { telegramId } = account.members[role];
      expect(await members.handOver(owner, telegramId)).toEqual({ status: 'handedOver' });
      expect(roles()).toEqual({ ...before, [owner.telegramId]: 'admin', [telegramId]: 'owner' });
    },
  );

  test('to two at once leaves one owner', async () => {
    const { owner, admin, operator } = account.members;
    const [first, second] = await Promise.allSettled([
      members.handOver(owner, admin.telegramId),
      members.handOver(owner, operator.telegramId),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { status: 'handedOver' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'FORBIDDEN' } });
    expect(Object.values(roles()).filter((role) => role === 'owner')).toHaveLength(1);
    expect(roleOf(admin.telegramId)).toBe('owner');
  });

  test('to oneself says so', async () => {
    const { owner } = account.members;
    expect(await members.handOver(owner, owner.telegramId)).toEqual({ status: 'alreadyOwner' });
    expect(roleOf(owner.telegramId)).toBe('owner');
  });
});

test('a member is called what their messages tell now; the name that somebody else has is shown of both, and a stranger’s of none', async () => {
  const names = () =>
    members
      .list(account.members.owner)
      .filter(({ telegramId }) =>
        [account.members.admin, account.members.operator].some((each) => each.telegramId === telegramId),
      )
      .map(({ name, username }) => [name, username]);
  const { telegramId: admin } = account.members.admin;
  const { telegramId: operator } = account.members.operator;
  await members.saveName({ telegramId: admin, name: 'Ann', username: 'topup' });
  await members.saveName({ telegramId: operator, name: 'Ben', username: 'TopUp' });
  expect(names()).toEqual([
    ['Ann', 'topup'],
    ['Ben', 'TopUp'],
  ]);
  await members.saveName({ telegramId: admin, name: 'Ann' });
  expect(names()).toEqual([
    ['Ann', undefined],
    ['Ben', 'TopUp'],
  ]);
  await members.saveName({ telegramId: 999_999, name: 'Stranger', username: 'topup' });
  expect(names()).toEqual([
    ['Ann', undefined],
    ['Ben', undefined],
  ]);
});

test.each(['\u200b\u2060', ' \u3164 ', '\u202e\u0301'])(
  'a name of which nothing is seen is the number: %j',
  async (name) => {
    const { telegramId } = account.members.admin;
    await members.saveName({ telegramId, name });
    const kept = members.list(account.members.owner).find((each) => each.telegramId === telegramId);
    expect(kept?.name).toBe(String(telegramId));
  },
);
