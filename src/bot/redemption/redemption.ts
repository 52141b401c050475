// Everything about redeeming: the command and its button, orders of several codes, messages without a command.
import type { BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { createFreeText } from './free-text.ts';
import { createRedeem } from './redeem.ts';
import { createOrdersFeature } from './orders-command.ts';
import { createSeveral } from './several.ts';
import type { ImportStart } from '../stock/begin-import.ts';

export const createRedemptionFeatures = (deps: BotDeps, addCodes: ImportStart['begin']): Feature[] => [
  createRedeem(deps),
  createOrdersFeature(deps),
  createSeveral(deps),
  createFreeText(deps, addCodes),
];
