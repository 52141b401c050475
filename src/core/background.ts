// What the core does by itself: settling doubts, and forgetting idempotency keys that are over.
import type { Clock } from '../clock.ts';
import type { Store } from '../store/index.ts';
import { forgetOldKeys } from './idempotency.ts';
import type { CoreLog } from './log.ts';
import type { Reconcile } from './reconcile.ts';

const TICK_MS = 500;
const FORGET_EVERY_MS = 60_000;
const FORGOTTEN_AT_ONCE = 500;

export interface Background {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** Ticks twice a second, never two ticks at once. */
export function createBackground(deps: {
  store: Store;
  reconcile: Reconcile;
  clock: Clock;
  log: CoreLog;
}): Background {
  const { store, reconcile, clock, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let forgotAt = -Infinity;
  let current = Promise.resolve();

  async function tick(): Promise<void> {
    try {
      await reconcile.recover();
      await reconcile.sweep();
      if (clock.elapsed() - forgotAt > FORGET_EVERY_MS) {
        while (
          (await store.write((tables) => forgetOldKeys(tables, clock.now(), FORGOTTEN_AT_ONCE))) ===
          FORGOTTEN_AT_ONCE
        );
        forgotAt = clock.elapsed();
      }
    } catch (error) {
      log.error({ err: error }, 'background work failed, it is tried again');
    }
    if (!stopped) schedule();
  }

  function schedule(): void {
    timer = setTimeout(() => void (current = tick()), TICK_MS);
  }

  return {
    start: schedule,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
