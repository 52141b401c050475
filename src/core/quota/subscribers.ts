// Who has an account, what they paid, and what they may use: the verbs of the core about subscribers in one place.
import type { Ids } from '../../ids.ts';
import type { Store } from '../../store/index.ts';
import { createAccounts } from '../accounts/accounts.ts';
import { createApiKeys } from '../accounts/api-keys.ts';
import { createConsoleAccess } from '../accounts/console.ts';
import { createInvitations } from '../accounts/invitations.ts';
import { createMemberLookups } from '../accounts/member-lookups.ts';
import { createMembers } from '../accounts/members.ts';
import { createAccountSearch } from '../accounts/search.ts';
import { createTimeZones } from '../zones.ts';
import { createWebhookDeliveries } from '../accounts/webhook-deliveries.ts';
import { createWebhooks, type CheckAddress } from '../accounts/webhooks.ts';
import { type AccountActor, type HostActor, requireHost, requirePermission } from '../context.ts';
import type { CoreClock } from '../../clock.ts';
import { readQuota, type QuotaStatus } from './usage.ts';
import { createPayments } from './payments.ts';
import { createPurchases } from './purchases.ts';

interface Deps {
  store: Store;
  clock: CoreClock;
  ids: Ids;
  /** Of 30 days; absent when the subscription is not for sale. */
  subscriptionPriceUsdCents?: number | undefined;
  checkWebhookAddress?: CheckAddress | undefined;
}

export type Subscribers = ReturnType<typeof createSubscribers>;

export function createSubscribers(deps: Deps) {
  const { store, clock } = deps;
  return {
    /** The quota at this moment. */
    quota(actor: AccountActor): QuotaStatus {
      requirePermission(actor, 'seeQuota');
      return store.read((tables) => readQuota(tables, actor.accountId, clock.monotonicNow()));
    },
    /** The same of any account, for the host. */
    quotaOf(actor: HostActor, accountId: number): QuotaStatus {
      requireHost(actor);
      return store.read((tables) => readQuota(tables, accountId, clock.monotonicNow()));
    },
    accounts: { ...createAccounts(deps), ...createAccountSearch(deps), ...createTimeZones(deps) },
    apiKeys: createApiKeys(deps),
    /** Who gets into the console. */
    consoleAccess: createConsoleAccess(deps),
    members: { ...createMembers(deps), ...createInvitations(deps), ...createMemberLookups(deps) },
    purchases: { ...createPurchases(deps), ...createPayments(deps) },
    webhooks: createWebhooks(deps),
    /** For the sender. */
    webhookDeliveries: createWebhookDeliveries(deps),
  };
}
