// What this process has in flight, so that repeats wait for it, reconciling leaves it alone, and a stop waits and then gives it up;
// and writing what must not be lost while it is in memory.
import { setTimeout as pause } from 'node:timers/promises';
import type { Store, Tables } from '../../store/index.ts';
import type { CoreLog } from '../log.ts';
import type { Redemption } from '../receipts/receipts.ts';

export interface InFlight {
  /** Redemptions, by id. They never reject. */
  redemptions: Map<number, Promise<Redemption>>;
  /** Look-ups that a person waits for. */
  lookUps: Set<Promise<unknown>>;
  /** Fires when the process stops: what still runs is left in doubt. */
  giveUp: AbortController;
}

export function createInFlight(): InFlight {
  return { redemptions: new Map(), lookUps: new Set(), giveUp: new AbortController() };
}

/** Waits for what runs; after the grace it is given up, which settles it as in doubt at once. */
export async function finishInFlight(inFlight: InFlight, graceMs: number): Promise<void> {
  const giveUp = setTimeout(() => inFlight.giveUp.abort(), graceMs);
  while (inFlight.redemptions.size + inFlight.lookUps.size > 0) {
    await Promise.allSettled([...inFlight.redemptions.values(), ...inFlight.lookUps]);
  }
  clearTimeout(giveUp);
  inFlight.giveUp.abort();
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

export interface WrittenDeps {
  store: Store;
  inFlight: InFlight;
  log: CoreLog;
}

/**
 * Resolves when `work` is on disk. What fails is tried again after growing pauses, and one last time when the process gives
 * up; only then it rejects. `work` may run several times, and is kept once.
 */
export async function writeUntilWritten<T>(
  { store, inFlight, log }: WrittenDeps,
  about: { redemptionId: number } | { chargeId: number },
  work: (tables: Tables) => T,
): Promise<T> {
  const { signal } = inFlight.giveUp;
  for (let failures = 0; ; failures += 1) {
    const isLast = signal.aborted;
    try {
      const written = await store.write(work);
      if (failures > 0) log.info({ ...about, failures }, 'it was written down after all');
      return written;
    } catch (error) {
      if (isLast) throw error;
      if (failures === 0)
        log.error({ err: error, ...about }, 'what happened could not be written down, it is tried again');
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, 20), LONGEST_PAUSE_MS);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
