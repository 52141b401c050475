// What this process has in flight, so that repeats wait for it, reconciling leaves it alone, and a stop waits and then
// gives it up; and writing what must not be lost while it is in memory.
import type { Store, Tables } from '../../store/index.ts';
import { backOff, retry, within } from '../../waiting.ts';
import type { Logger } from '../../log.ts';
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
  const ended = waitForAll(inFlight);
  await within(ended, graceMs);
  inFlight.giveUp.abort();
  await ended;
}

async function waitForAll({ redemptions, lookUps }: InFlight): Promise<void> {
  while (redemptions.size + lookUps.size > 0) await Promise.allSettled([...redemptions.values(), ...lookUps]);
}

const growingPauseMs = backOff(50, 5_000);

export interface WrittenDeps {
  store: Store;
  inFlight: InFlight;
  log: Logger;
}

/**
 * Resolves when `work` is on disk. What fails is tried again after growing pauses, and one last time when the process
 * gives up; only then it rejects. `work` may run several times, and is kept once.
 */
export async function writeUntilWritten<T>(
  { store, inFlight, log }: WrittenDeps,
  about: { redemptionId: number } | { usageId: number },
  work: (tables: Tables) => T,
  whose?: number,
): Promise<T> {
  const { signal } = inFlight.giveUp;
  let failures = 0;
  const onRetry = (err: unknown, count: number) => {
    failures = count;
    if (count === 1)
      log.error({ err, ...about }, 'what happened could not be written down, it is tried again');
  };
  const written = await retry(growingPauseMs, () => store.write(work, { whose }), {
    signal,
    lastTry: true,
    onRetry,
  });
  if (failures > 0) log.info({ ...about, failures }, 'it was written down after all');
  return written;
}
