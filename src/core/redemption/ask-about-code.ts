// Whether a code is unspent, asked before it is used: within a time, and not before an answer can be final.
import { setTimeout as pause } from 'node:timers/promises';

import type { Clock } from '../../clock.ts';
import type { CodeOutcome, Platform } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';
import { askWithin } from '../deadlines.ts';

/** Never rejects: what is not told within `timeoutMs`, or before `signal`, is `unreachable`. */
export type AskAboutCode = (
  code: { gameId: string; code: string },
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<CodeOutcome>;

interface AskDeps {
  store: Store;
  platform: Platform;
  clock: Clock;
}

const LATE = {
  status: 'unreachable',
  message: 'The platform did not tell in time whether the code is unspent.',
} as const;

/**
 * A restore may have lost a past that had just sent codes: what nobody knows of may still be carried out, and until the platform's
 * settling period is over "not redeemed" is not final. It is asked once, after that: upstream a look-up costs an activation.
 */
export function createAskAboutCode({ store, platform, clock }: AskDeps): AskAboutCode {
  const finalAt = clock.elapsed() + settlingLeftMs(store.lostAt, platform.settlingMs, clock.now());

  return async ({ gameId, code }, timeoutMs, signal) => {
    const waitMs = Math.ceil(finalAt - clock.elapsed());
    // A look-up costs an activation: none is begun that nobody has the time to hear the end of.
    if (timeoutMs <= Math.max(0, waitMs)) return LATE;
    return askWithin<CodeOutcome>(
      timeoutMs,
      signal,
      async (inner) => {
        if (waitMs > 0) await pause(waitMs, undefined, { signal: inner });
        return platform.findCode({ gameId, code }, { signal: inner });
      },
      () => LATE,
    );
  };
}

/** By the calendar, which may be wrong: never longer than the whole period. */
function settlingLeftMs(lostAt: number | undefined, settlingMs: number, now: number): number {
  return lostAt === undefined ? 0 : Math.min(Math.max(0, lostAt + settlingMs - now), settlingMs);
}
