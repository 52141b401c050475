// Everything about redeeming: the command and its button, orders of several codes, messages without a command.
import type { BotDeps } from '../context.ts';
import type { Progress } from '../telegram/progress.ts';
import type { Feature } from '../feature.ts';
import { createPlain } from './plain.ts';
import { createRedeem } from './redeem.ts';
import { createSeveral } from './several.ts';
import { createSeveralRunner } from './several-runner.ts';
import { createRedemptionWatcher } from './watcher.ts';

export interface RedemptionTools {
  progress: Progress;
  wake(chatId: number): void;
}

export function createRedemption(deps: BotDeps, tools: RedemptionTools): Feature[] {
  const watcher = createRedemptionWatcher(deps, tools);
  const runner = createSeveralRunner(deps, { ...tools, watcher });
  return [createRedeem(deps, watcher), createSeveral(deps, runner), createPlain(deps)];
}
