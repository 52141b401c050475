// Every feature of the bot, in the order of the menu.
import type { Api } from 'grammy';

import { createAddCodes } from './stock/add-codes.ts';
import { createApiKey } from './accounts/api-key.ts';
import { createWebhooks } from './accounts/webhooks.ts';
import { createBasics } from './basics/basics.ts';
import { createCancelling } from './basics/cancelling.ts';
import { createExportCommand } from './receipts/export.ts';
import { createExtractCodes } from './stock/extract-codes.ts';
import { createHost } from './host/host.ts';
import { createInvite } from './accounts/invite.ts';
import { createLog } from './accounts/log.ts';
import { createMembers } from './accounts/members.ts';
import { createPurchases } from './billing/purchases.ts';
import { createSettings } from './basics/settings.ts';
import { createStart } from './basics/start.ts';
import { createFind } from './receipts/find.ts';
import { createHistory } from './receipts/history.ts';
import { createTerms } from './billing/terms.ts';
import { createQuotaCommand } from './billing/quota.ts';
import { createStats } from './statistics/stats.ts';
import { createStock } from './stock/stock.ts';
import { createReceipts } from './receipts/receipt.ts';
import { createRedemption } from './redemption/redemption.ts';
import type { BotDeps } from './context.ts';
import type { Feature } from './feature.ts';
import type { Files } from './telegram/files.ts';
import type { BackgroundTasks } from './inbox/background-task.ts';
import { createNoticeDelivery } from './outbox/notices.ts';
import type { Progress } from './telegram/progress.ts';
import type { ConnectionStatusKeeper } from './telegram/connection-status.ts';

/** What features are made of beside the dependencies of the bot. */
export interface FeatureParts {
  files: Files;
  later: BackgroundTasks;
  progress: Progress;
  /** Something was kept for this chat: its turn has come. */
  wake(chatId: number): void;
  standing: ConnectionStatusKeeper;
}

export function createFeatures(deps: BotDeps, api: Api, parts: FeatureParts): Feature[] {
  const features: Feature[] = [];
  // What a host writes looks for accounts, before it could be an order.
  features.push(createStart(deps, api, features), createHost(deps, api, parts));
  features.push(...createRedemption(deps, parts), createReceipts(deps));
  features.push(createAddCodes(deps, parts), createExtractCodes(deps, parts), createStock(deps));
  features.push(createHistory(deps), createFind(deps), createQuotaCommand(deps));
  features.push(createStats(deps), createExportCommand(deps), createNoticeDelivery(deps));
  features.push(createPurchases(deps, api), createMembers(deps, api, features), createInvite(deps));
  features.push(
    createApiKey(deps),
    createWebhooks(deps),
    createLog(deps),
    createSettings(deps, api, features),
    createCancelling(deps, features),
  );
  features.push(createTerms(deps), createBasics(deps, features));
  return features;
}
