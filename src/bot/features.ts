// Every feature of the bot, in the order of the menu.
import type { Api } from 'grammy';

import { createAddCodes } from './commands/add-codes.ts';
import { createApiKey } from './commands/api-key.ts';
import { createBasics } from './commands/basics.ts';
import { createCancelling } from './commands/cancelling.ts';
import { createExportCommand } from './commands/export.ts';
import { createExtractCodes } from './commands/extract-codes.ts';
import { createHost } from './commands/host.ts';
import { createInvite } from './commands/invite.ts';
import { createMembers } from './commands/members.ts';
import { createPurchases } from './commands/purchases.ts';
import { createSettings } from './commands/settings.ts';
import { createStart } from './commands/start.ts';
import { createFind } from './commands/find.ts';
import { createHistory } from './commands/history.ts';
import { createQuotaCommand } from './commands/quota.ts';
import { createStats } from './commands/stats.ts';
import { createStock } from './commands/stock.ts';
import { createReceipts } from './commands/receipts.ts';
import { createRedeem } from './commands/redeem.ts';
import type { BotDeps } from './context.ts';
import type { Feature } from './feature.ts';
import type { Files } from './files.ts';
import type { Later } from './later.ts';
import { createNoticeDelivery } from './notices.ts';
import { createProgress } from './progress.ts';

/** What features are made of beside the dependencies of the bot. */
export interface FeatureParts {
  files: Files;
  later: Later;
}

export function createFeatures(deps: BotDeps, api: Api, { files, later }: FeatureParts): Feature[] {
  const features: Feature[] = [];
  features.push(createStart(deps, api, features));
  const progress = createProgress({ ...deps, api });
  features.push(createRedeem(deps, api), createReceipts(deps));
  features.push(
    createAddCodes(deps, { files, later, progress }),
    createExtractCodes(deps),
    createStock(deps),
  );
  features.push(createHistory(deps), createFind(deps), createQuotaCommand(deps));
  features.push(createStats(deps, later), createExportCommand(deps, later), createNoticeDelivery(deps));
  features.push(createPurchases(deps), createMembers(deps, api, features), createInvite(deps));
  features.push(
    createApiKey(deps),
    createSettings(deps, api, features),
    createHost(deps),
    createCancelling(deps),
  );
  features.push(createBasics(deps, features));
  return features;
}
