// What the core does by itself: settling doubts, telling of subscriptions that end, and forgetting idempotency keys that
// are over.
import type { Clock } from '../clock.ts';
import type { Store } from '../store/index.ts';
import { forgetOldKeys } from './idempotency.ts';
import type { Imports } from './imports.ts';
import type { CoreLog } from './log.ts';
import type { Reconcile } from './reconcile.ts';
import type { WatchSubscriptions } from './subscriptions.ts';

const TICK_MS = 500;
const RARELY_EVERY_MS = 60_000;
const FORGOTTEN_AT_ONCE = 500;
const IMPORTS_AT_ONCE = 20;

export interface Background {
  start(): void;
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** Ticks twice a second, never two ticks at once. */
export function createBackground(deps: {
  store: Store;
  reconcile: Reconcile;
  watchSubscriptions: WatchSubscriptions;
  imports: Pick<Imports, 'forgetOld'>;
  clock: Clock;
  log: CoreLog;
}): Background {
  const { store, reconcile, watchSubscriptions, imports, clock, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let rareAt = -Infinity;
  let current = Promise.resolve();

  async function tick(): Promise<void> {
    try {
      await reconcile.recover();
      await reconcile.sweep();
      if (clock.elapsed() - rareAt > RARELY_EVERY_MS) {
        while (
          (await store.write((tables) => forgetOldKeys(tables, clock.now(), FORGOTTEN_AT_ONCE))) ===
          FORGOTTEN_AT_ONCE
        );
        while ((await imports.forgetOld(IMPORTS_AT_ONCE)) === IMPORTS_AT_ONCE);
        await watchSubscriptions();
        rareAt = clock.elapsed();
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
