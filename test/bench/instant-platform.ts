// A platform in this very process that redeems everything, at once or after a while: what is left to measure is ours
// alone.
import { setTimeout as pause } from 'node:timers/promises';

import type { Platform } from '../../src/platform/port.ts';
import { RECEIPT } from './terms.ts';

const NOT_REDEEMED = Promise.resolve({ status: 'notRedeemed' } as const);

export function createInstantPlatform({ latencyMs = 0 }: { latencyMs?: number } = {}): Platform {
  return {
    name: 'sandbox',
    settlingMs: 2_000,
    lookPauseMs: 1_000,
    async redeem() {
      if (latencyMs > 0) await pause(latencyMs);
      return { status: 'redeemed', receipt: RECEIPT };
    },
    findOrder: () => Promise.resolve({ status: 'found' }),
    findCharacter: () => Promise.resolve({ status: 'found', openid: RECEIPT.openid, name: RECEIPT.name }),
    findCode: () => NOT_REDEEMED,
    isReachable: () => Promise.resolve(true),
    close: () => undefined,
  };
}
