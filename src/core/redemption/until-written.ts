// Writing what must not be lost while it is in memory: again and again, until it is on disk or the process ends.
import { setTimeout as pause } from 'node:timers/promises';

import type { Store, Tables } from '../../store/index.ts';
import type { CoreLog } from '../log.ts';
import type { Running } from './in-flight.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

export interface WrittenDeps {
  store: Store;
  running: Running;
  log: CoreLog;
}

/**
 * Resolves when `work` is on disk. What fails is tried again after growing pauses, and one last time when the process gives
 * up; only then it rejects. `work` may run several times, and is kept once.
 */
export async function writeUntilWritten<T>(
  { store, running, log }: WrittenDeps,
  about: { redemptionId: number } | { chargeId: number },
  work: (tables: Tables) => T,
): Promise<T> {
  const { signal } = running.giveUp;
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
