// Members: how they change and go. The matrix of roles and verbs is in members-permissions.test.ts, how they come in
// invitations.test.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { createMemberLookups } from './member-lookups.ts';
import { createMembers } from './members.ts';

let opened: TestStore;
let account: TestAccount;
let members: ReturnType<typeof createMembers>;

beforeEach(async () => {
  opened = openTestStore();
  account = await openTestAccount(opened.store);
  members = createMembers(opened);
});
afterEach(() => opened.close());

const roles = () =>
  Object.fromEntries(members.list(account.members.owner).map((member) => [member.telegramId, member.role]));
const roleOf = (telegramId: number) => members.findActor(telegramId)?.role;

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
      const { findOwner } = createMemberLookups(opened);
      expect(findOwner(account.accountId)?.telegramId).toBe(telegramId);
      expect(findOwner(account.accountId + 1)).toBeUndefined();
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

test.each<[name: string, kept?: string]>([
  ['\u200b\u2060'],
  [' \u3164 '],
  ['\u202e\u0301'],
  ['  Ann  ', 'Ann'],
  // Cut between characters.
  [` ${'🙂'.repeat(201)} `, '🙂'.repeat(200)],
])('a name of which nothing is seen is the number: %j', async (name, kept) => {
  const { telegramId } = account.members.admin;
  await members.saveName({ telegramId, name });
  const found = members.list(account.members.owner).find((each) => each.telegramId === telegramId);
  expect(found?.name).toBe(kept ?? String(telegramId));
});
