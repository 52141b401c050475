// Menus of the host of the service: /accounts, /payments, /grant, /refund, /health; each is in a file of its own.
import type { Api } from 'grammy';

import type { BotDeps } from '../context.ts';
import type { ConnectionStatus } from '../telegram/connection-status.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { createAccountsList } from './accounts.ts';
import { createAccountCards } from './cards.ts';
import { createDirectAlerts } from './direct-alerts.ts';
import { createDecideConversation } from './doubt-decision.ts';
import { createDoubtCards } from './doubts.ts';
import { createGrants } from './grants.ts';
import { createHealthHandlers } from './health.ts';
import { createNewAccount, createNewAccountConversation } from './new-account.ts';
import { createPaymentsList } from './payments.ts';
import { createHostRefund, formatCancelledRefund } from './refund.ts';
import { createSuspensions } from './suspensions.ts';
import { createSweepsHandlers } from './sweeps.ts';

export function createHostFeature(
  deps: BotDeps,
  api: Api,
  { connection }: { connection: ConnectionStatus },
): Feature {
  const handlers = new Handlers();
  handlers.use(createAccountsList(deps), createAccountCards(deps), createNewAccount(deps));
  handlers.use(createGrants(deps), createPaymentsList(deps), createHostRefund(deps));
  handlers.use(createSuspensions(deps), createHealthHandlers(deps, connection));
  handlers.use(createDoubtCards(deps), createSweepsHandlers(deps));
  const names = ['accounts', 'payments', 'grant', 'refund', 'health'];
  return {
    commands: names.map((each) => ({ name: each, for: 'hosts' as const })),
    handlers,
    conversations: [createNewAccountConversation(deps), createDecideConversation(deps)],
    background: [createDirectAlerts(deps, api)],
    formatCancelled: (confirmation) => formatCancelledRefund(deps, confirmation),
  };
}
