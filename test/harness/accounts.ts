// An account with one member of each role and an API key, for tests that go through the table of permissions.
import type { AccountActor, MemberActor } from '../../src/core/context.ts';
import { ROLES, type Role } from '../../src/core/context.ts';
import type { Store } from '../../src/store/index.ts';

export interface TestAccount {
  accountId: number;
  members: Record<Role, MemberActor>;
  /** One actor of each kind that has rights in an account. */
  actors: Record<Role | 'apiKey', AccountActor>;
}

let accountsOpened = 0;

/** Opens one more account; no two in a test share a person. */
export async function openTestAccount(store: Store): Promise<TestAccount> {
  const firstId = 1000 + 10 * (accountsOpened += 1);
  return store.write((tables) => {
    const accountId = tables.accounts.insert({ name: 'Shop', now: 0, subscriptionExpiresAt: null });
    const members = ROLES.map((role, index): MemberActor => {
      const telegramId = firstId + index;
      tables.members.insert({ telegramId, accountId, role, name: role, username: null, now: index });
      return { kind: 'member', accountId, telegramId, role };
    });
    const byRole = Object.fromEntries(
      members.map((member) => [member.role, member]),
    ) as TestAccount['members'];
    return {
      accountId,
      members: byRole,
      actors: { ...byRole, apiKey: { kind: 'apiKey', accountId, apiKeyId: 1 } },
    };
  });
}
