// Every feature of the bot, in the order of the menu.
import type { Api } from 'grammy';

import { createAddCodesFeature } from './stock/add-codes.ts';
import { createApiKeyFeature } from './accounts/api-key.ts';
import { createBasicsFeature } from './basics/basics.ts';
import { createCancelFeature } from './basics/cancelling.ts';
import { createExportFeature } from './receipts/export.ts';
import { createExtractCodesFeature } from './stock/extract-codes.ts';
import { createLinksFeature } from './claims/links.ts';
import { createHostFeatures } from './host/host.ts';
import { createInviteFeature } from './accounts/invite.ts';
import { createConsoleFeature } from './accounts/console.ts';
import { createLogFeature } from './accounts/log.ts';
import { createMembersFeature } from './accounts/members.ts';
import { createPurchasesFeature } from './billing/purchases.ts';
import { createSettingsFeature } from './basics/settings.ts';
import { createStartFeature } from './basics/start.ts';
import { createFindFeature } from './receipts/find.ts';
import { createTermsFeature } from './billing/terms.ts';
import { createQuotaFeature } from './billing/quota.ts';
import { createStatsFeature } from './statistics/stats.ts';
import { createStockFeature } from './stock/stock.ts';
import { createReceiptsFeature } from './receipts/receipt.ts';
import { createRedemptionFeatures } from './redemption/redemption.ts';
import type { BotDeps } from './context.ts';
import type { Feature } from './feature.ts';
import type { Files } from './telegram/files.ts';
import { createNoticeDelivery } from './outbox/notices.ts';
import type { ConnectionStatus } from './telegram/connection-status.ts';

/** What features are made of beside the dependencies of the bot. */
export interface FeatureParts {
  files: Files;
  connection: ConnectionStatus;
}

export function createFeatures(deps: BotDeps, api: Api, parts: FeatureParts): Feature[] {
  const features: Feature[] = [];
  const addCodes = createAddCodesFeature(deps, parts);
  // What an open import takes goes into it; else what a host writes looks for accounts, before it could be an order.
  features.push({ message: addCodes.takes }, createStartFeature(deps, api, features));
  features.push(...createHostFeatures(deps, api, parts));
  features.push(...createRedemptionFeatures(deps, addCodes.begin));
  features.push(createReceiptsFeature(deps));
  features.push(
    addCodes,
    createExtractCodesFeature(deps),
    createLinksFeature(deps),
    createStockFeature(deps),
  );
  features.push(createFindFeature(deps), createQuotaFeature(deps));
  features.push(createStatsFeature(deps), createExportFeature(deps), createNoticeDelivery(deps));
  features.push(
    createPurchasesFeature(deps, api),
    createMembersFeature(deps, api, features),
    createInviteFeature(deps),
  );
  features.push(
    createApiKeyFeature(deps),
    createLogFeature(deps),
    createConsoleFeature(deps),
    createSettingsFeature(deps, api, features),
    createCancelFeature(deps, features),
  );
  features.push(createTermsFeature(deps), createBasicsFeature(deps, features));
  return features;
}
