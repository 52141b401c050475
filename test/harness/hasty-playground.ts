// The playground for those who do not look: loaded into the real command by `node --import`, its platform answers in a
// moment and is soon given up. Stands in place of playground/settings.ts, whose seconds are to be seen passing.
import { registerHooks } from 'node:module';

import { createEnvironment as create, PLAY_TOKEN } from '../../playground/settings.ts';

const LATENCY_MS = '150';
/** Long enough for a kill while a redemption waits. */
const PLATFORM_TIMEOUT_MS = '3000';

export { PLAY_TOKEN };

export const createEnvironment: typeof create = (...given) => ({
  ...create(...given),
  SANDBOX_LATENCY_MS: LATENCY_MS,
  PLATFORM_TIMEOUT_MS,
});

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './settings.ts' && context.parentURL?.endsWith('/playground/playground.ts')
      ? { url: import.meta.url, shortCircuit: true }
      : next(specifier, context),
});
