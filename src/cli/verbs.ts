// The verbs of the core that the host's commands use, over a store of their own: without a platform, and without what
// the service does by itself.
import { systemClock } from '../clock.ts';
import type { HostActor } from '../core/context.ts';
import { createAccounts, type AccountSummary } from '../core/accounts/accounts.ts';
import { createApiKeys } from '../core/accounts/api-keys.ts';
import { createConsoleAccess } from '../core/accounts/console.ts';
import { createInvitations } from '../core/accounts/invitations.ts';
import { createMembers } from '../core/accounts/members.ts';
import { openCoreClock } from '../core/monotonic-scale.ts';
import { randomIds } from '../ids.ts';
import type { Store } from '../store/index.ts';
import { Refusal, withDatabase } from './command.ts';

export const HOST: HostActor = { kind: 'host', by: 'cli' };

const ORDER_BYTES = 16;

export function openVerbs(store: Store) {
  const deps = { store, clock: openCoreClock(store, systemClock), ids: randomIds };
  const { inviteOwner } = createInvitations(deps);
  return {
    accounts: createAccounts(deps),
    apiKeys: createApiKeys(deps).forHost,
    consoleAccess: createConsoleAccess(deps),
    members: createMembers(deps),
    inviteOwner: (accountId: number) => inviteOwner(HOST, accountId, randomIds.secret(ORDER_BYTES)),
  };
}

/** What is done with them, over the database of the settings. Throws Refusal where there is none. */
export const withVerbs = <T>(
  work: (verbs: ReturnType<typeof openVerbs>, store: Store) => Promise<T>,
): Promise<T> => withDatabase((store) => work(openVerbs(store), store));

/** Throws Refusal where there is none of this number. */
export function requireListedAccount(
  accounts: ReturnType<typeof openVerbs>['accounts'],
  id: number,
): AccountSummary {
  const [account] = accounts.list(HOST, { after: id - 1, limit: 1 });
  if (account?.id === id) return account;
  throw new Refusal(`There is no account ${id}.`);
}

/** A moment as the commands print it; null where there is none. */
export const formatOptionalTime = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();
