// Everything about redeeming: the command and its button, orders of several codes, messages without a command.
import type { BotDeps } from '../context.ts';
import type { Progress } from '../telegram/progress.ts';
import type { Feature } from '../feature.ts';
import { createPlain } from './free-text.ts';
import { createRedeem } from './redeem.ts';
import { createSeveral } from './bulk-order.ts';
import { createSeveralRunner } from './bulk-order-runner.ts';
import { createRedemptionWatcher } from './live-messages.ts';

export interface RedemptionTools {
  progress: Progress;
  wake(chatId: number): void;
}

export function createRedemption(deps: BotDeps, tools: RedemptionTools): Feature[] {
  const watcher = createRedemptionWatcher(deps, tools);
  const runner = createSeveralRunner(deps, { ...tools, watcher });
  return [createRedeem(deps, watcher), createSeveral(deps, runner), createPlain(deps)];
}
