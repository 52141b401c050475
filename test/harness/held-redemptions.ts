// A platform whose answers to redemptions wait until a test lets them go: what is seen while one runs is seen for as
// long as the test looks, and no longer.
import { once } from 'node:events';

import type { Platform } from '../../src/platform/port.ts';

export interface HeldRedemptions {
  /** The same platform, which redeems at once and says so when it is let go. For `through` of `startTestApp`. */
  through(platform: Platform): Platform;
  /** Whether one waits. */
  isHeld(): boolean;
  /** Answers what waits; from now on nothing does. */
  letGo(): void;
}

export function holdRedemptions(): HeldRedemptions {
  let letGo: () => void = () => undefined;
  let held = 0;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  return {
    isHeld: () => held > 0,
    letGo: () => letGo(),
    through: (platform) => ({
      ...platform,
      async redeem(order, call) {
        const outcome = await platform.redeem(order, call);
        const { signal } = call;
        held += 1;
        if (!signal.aborted) await Promise.race([gone, once(signal, 'abort')]);
        held -= 1;
        if (!signal.aborted) return outcome;
        return { status: 'unknown', errorCode: 'UNKNOWN', message: 'The answer was held for too long.' };
      },
    }),
  };
}
