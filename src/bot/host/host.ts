// Menus of the host of the service: /accounts, /payments, /grant, /refund, /health; each is in a file of its own.
import type { Api } from 'grammy';

import type { BotDeps } from '../context.ts';
import type { ConnectionStatus } from '../telegram/connection-status.ts';
import type { Feature } from '../feature.ts';
import { createAccountsList, createNewAccount } from './accounts.ts';
import { createAccountCards } from './cards.ts';
import { createDirectAlerts } from './direct-alerts.ts';
import { createDoubtCards } from './doubts.ts';
import { createGrants } from './grants.ts';
import { createHealthFeature } from './health.ts';
import { createHostRefund, createPaymentsList } from './payments.ts';
import { createSuspensions } from './suspensions.ts';

export const createHostFeatures = (
  deps: BotDeps,
  api: Api,
  { connection }: { connection: ConnectionStatus },
): Feature[] => [
  createAccountsList(deps),
  createAccountCards(deps),
  createNewAccount(deps),
  createPaymentsList(deps),
  createGrants(deps),
  createHostRefund(deps),
  createSuspensions(deps),
  createHealthFeature(deps, connection),
  createDoubtCards(deps),
  { background: [createDirectAlerts(deps, api)] },
];
