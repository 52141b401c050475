// What this process has under way, so that repeats wait for it, reconciling leaves it alone, and a stop waits and then gives
// it up.
import type { Redemption } from '../receipts/receipts.ts';

export interface Running {
  /** Redemptions, by id. They never reject. */
  promises: Map<number, Promise<Redemption>>;
  /** Look-ups that a person waits for. */
  lookUps: Set<Promise<unknown>>;
  /** Fires when the process stops: what still runs is left in doubt. */
  giveUp: AbortController;
}

export function createRunning(): Running {
  return { promises: new Map(), lookUps: new Set(), giveUp: new AbortController() };
}

/** Waits for what runs; after the grace it is given up, which settles it as in doubt at once. */
export async function finishRunning(running: Running, graceMs: number): Promise<void> {
  const giveUp = setTimeout(() => running.giveUp.abort(), graceMs);
  while (running.promises.size + running.lookUps.size > 0) {
    await Promise.allSettled([...running.promises.values(), ...running.lookUps]);
  }
  clearTimeout(giveUp);
  running.giveUp.abort();
}
