// What the core does by itself: settling doubts, telling of subscriptions that end, and forgetting idempotency keys that
// are over.
import type { Clock } from '../clock.ts';
import { createTicking, type Ticking } from '../ticking.ts';
import type { Store } from '../store/index.ts';
import { forgetOldKeys } from './idempotency.ts';
import type { Imports } from './stock/imports.ts';
import type { CoreLog } from './log.ts';
import type { Reconcile } from './redemption/reconcile.ts';
import type { WatchSubscriptions } from './accounts/subscriptions.ts';

const TICK_MS = 500;
const RARELY_EVERY_MS = 60_000;
const FORGOTTEN_AT_ONCE = 500;
const IMPORTS_AT_ONCE = 20;

/** Ticks twice a second, never two ticks at once. */
export function createBackground(deps: {
  store: Store;
  reconcile: Reconcile;
  watchSubscriptions: WatchSubscriptions;
  imports: Pick<Imports, 'forgetOld'>;
  clock: Clock;
  log: CoreLog;
}): Ticking {
  const { store, reconcile, watchSubscriptions, imports, clock, log } = deps;
  let rareAt = -Infinity;

  async function tick(): Promise<void> {
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
  }

  return createTicking(TICK_MS, tick, (error) =>
    log.error({ err: error }, 'background work failed, it is tried again'),
  );
}
