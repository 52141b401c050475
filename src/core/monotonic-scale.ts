// The monotonic scale over a database: it goes on from one process to the next, whatever the calendar does meanwhile.
import { createCoreClock, DAY_MS, type Clock, type CoreClock } from '../clock.ts';
import type { Store } from '../store/index.ts';
import { askHold } from './promises.ts';

/** What the calendar is slewed by is kept, too, before it adds up. */
const KEPT_FROM_MS = 1_000;
const ASKED_AGAIN = 1_000;

/** The clock over a database, as the processes before left it. */
export function openCoreClock(store: Pick<Store, 'read'>, clock: Clock): CoreClock {
  const { calendarAheadMs, newestStart } = store.read(({ quota }) => quota.readScale());
  return createCoreClock(clock, { calendarAheadMs, notBefore: newestStart + DAY_MS });
}

/**
 * Keeps where the monotonic scale is, whenever the calendar has moved against it. What waited for a person by the old
 * one is asked about again.
 */
export function createScaleSaver({ store, clock }: { store: Store; clock: CoreClock }): () => Promise<void> {
  let kept: number | undefined;
  return async () => {
    kept ??= store.read(({ quota }) => quota.readScale().calendarAheadMs);
    const ahead = clock.calendarAheadMs();
    if (Math.abs(ahead - kept) < KEPT_FROM_MS) return;
    await store.write(({ quota, doubts, tasks }) => {
      quota.saveScale(ahead);
      for (const { id } of doubts.listHeld(ASKED_AGAIN)) tasks.release(askHold(id), clock.now());
    });
    kept = ahead;
  };
}
