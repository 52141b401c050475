// Every role at every verb about members, generated from the table: what is refused has no effect.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openTestAccount, type TestAccount } from '../../../test/harness/accounts.ts';
import { openTestStore, type TestStore } from '../../../test/harness/store.ts';
import { type AccountActor, ROLES, grantOf, type Permission } from '../context.ts';
import { createInvitations } from './invitations.ts';
import { createMembers } from './members.ts';
import type { GivenRole } from '../members.ts';

type Members = ReturnType<typeof createMembers> & ReturnType<typeof createInvitations>;
interface Verb {
  needs: Permission;
  run(members: Members, actor: AccountActor, account: TestAccount): unknown;
}

const GIVEN = ['admin', 'operator', 'support'] as const;
const permissionFor = (...roles: GivenRole[]): Permission =>
  roles.includes('admin') ? 'manageAdmins' : 'manageStaff';

const verbs: Record<string, Verb> = {
  list: { needs: 'manageStaff', run: (members, actor) => members.list(actor) },
  handOver: {
    needs: 'handOver',
    run: (members, actor, account) => members.handOver(actor, account.members.support.telegramId),
  },
};
for (const role of GIVEN) {
  verbs[`invite ${role}`] = {
    needs: permissionFor(role),
    run: (members, actor) => members.invite(actor, role),
  };
  verbs[`remove another ${role}`] = {
    needs: permissionFor(role),
    run: async (members, actor, account) => members.remove(actor, await addMember(account, role)),
  };
  for (const to of GIVEN) {
    verbs[`make ${role} ${to}`] = {
      needs: permissionFor(role, to),
      run: async (members, actor, account) => members.changeRole(actor, await addMember(account, role), to),
    };
  }
}

let opened: TestStore;
let nextTelegramId = 900_000;
beforeAll(() => void (opened = openTestStore()));
afterAll(() => opened.close());

/** One more member of this role, so that nobody in the matrix acts on themselves. */
function addMember({ accountId }: TestAccount, role: GivenRole): Promise<number> {
  const telegramId = (nextTelegramId += 1);
  return opened.store.write((tables) => {
    tables.members.insert({ telegramId, accountId, role, name: 'target', username: null, now: 0 });
    return telegramId;
  });
}

/** Roles of those who are there, and how many there are of each. */
function countRoles(accountId: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { role } of opened.store.read((tables) => tables.members.list(accountId))) {
    counts[role] = (counts[role] ?? 0) + 1;
  }
  return counts;
}

/** Whom a verb acts on, and what it makes of them. */
const ACTS_ON = /^(?:remove another|make) (\w+) ?(\w*)/;

/** The one more whom a verb acts on. */
function targetOf(verb: string): Partial<Record<GivenRole, number>> {
  const role = ACTS_ON.exec(verb)?.[1];
  return role === undefined ? {} : { [role]: 2 };
}

/** What a verb that is granted makes of the roles. */
function afterwards(verb: string, before: Record<string, number>): Record<string, number> {
  if (verb === 'handOver') return { owner: 1, admin: 2, operator: 1 };
  const [, from = '', to] = ACTS_ON.exec(verb) ?? [];
  const after = { ...before };
  if (from !== '') after[from] = 1;
  if (from !== '' && to) after[to] = (after[to] ?? 0) + 1;
  return after;
}

const cells = [...ROLES, 'apiKey' as const].flatMap((role) =>
  Object.keys(verbs).map((verb) => [role, verb] as const),
);

describe('the table of permissions', () => {
  test.each(cells)('decides whether %s may %s', async (role, name) => {
    const account = await openTestAccount(opened.store);
    const actor = account.actors[role];
    const verb = verbs[name]!;
    const attempt = Promise.resolve().then(() =>
      verb.run({ ...createMembers(opened), ...createInvitations(opened) }, actor, account),
    );

    const before = { owner: 1, admin: 1, operator: 1, support: 1, ...targetOf(name) };
    if (grantOf(actor, verb.needs) === 'no') {
      await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(countRoles(account.accountId)).toEqual(before);
      return;
    }
    const answer = await attempt;
    expect(countRoles(account.accountId)).toEqual(afterwards(name, before));
    if (name === 'list') expect(answer).toHaveLength(4);
    if (name.startsWith('invite')) expect(answer).toMatchObject({ token: expect.any(String) as string });
  });

  test.each([...ROLES, 'apiKey'] as const)('lets %s touch the owner in no way', async (role) => {
    const account = await openTestAccount(opened.store);
    const members = { ...createMembers(opened), ...createInvitations(opened) };
    const { telegramId } = account.members.owner;
    const attempts = [
      ...GIVEN.map((to) => members.changeRole(account.actors[role], telegramId, to)),
      members.remove(account.actors[role], telegramId),
    ];
    for (const attempt of await Promise.allSettled(attempts)) {
      expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'FORBIDDEN' } });
    }
    expect(members.findActor(telegramId)).toEqual(account.members.owner);
  });

  test.each(ROLES)('%s with a forged role has the rights of his row', async (role) => {
    const account = await openTestAccount(opened.store);
    const forged = { ...account.members[role], role: 'owner' as const };
    const attempt = createMembers(opened).handOver(forged, account.members.admin.telegramId);
    if (role === 'owner') await expect(attempt).resolves.toEqual({ status: 'handedOver' });
    else await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test.each(ROLES)('%s of another account has no rights here', async (role) => {
    const [account, neighbour] = [await openTestAccount(opened.store), await openTestAccount(opened.store)];
    const intruder = { ...neighbour.members[role], accountId: account.accountId };
    const members = { ...createMembers(opened), ...createInvitations(opened) };
    const { telegramId } = account.members.operator;
    await expect(members.remove(intruder, telegramId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(members.invite(intruder, 'support')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(members.findActor(telegramId)).toEqual(account.members.operator);
  });
});
