// Everything about redeeming: the command and its button, orders of several codes, messages without a command.
import type { BotDeps } from '../context.ts';
import type { Progress } from '../telegram/progress.ts';
import type { Feature } from '../feature.ts';
import { createFreeText } from './free-text.ts';
import { createRedeem } from './redeem.ts';
import { createLiveMessages } from './live-messages.ts';
import { createOrderMessages } from './order-messages.ts';
import { createOrdersFeature } from './orders-command.ts';
import { createSeveral } from './several.ts';
import type { ImportStart } from '../stock/begin-import.ts';

export interface RedemptionTools {
  progress: Progress;
  addCodes: ImportStart['begin'];
}

export function createRedemptionFeatures(deps: BotDeps, tools: RedemptionTools): Feature[] {
  const liveMessages = createLiveMessages(deps, tools);
  const orderMessages = createOrderMessages(deps, tools);
  return [
    createRedeem(deps, { liveMessages, orderMessages }),
    createOrdersFeature(deps),
    createSeveral(deps, orderMessages),
    createFreeText(deps, tools.addCodes),
  ];
}
