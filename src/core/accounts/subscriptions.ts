// The end of a subscription, told three days before, one day before, and when it came: once each for every end.
import type { Store } from '../../store/index.ts';
import { writeNotice } from '../notices/notices.ts';
import { type CoreClock, DAY_MS } from '../../clock.ts';

/** A subscription that ended longer ago is no news. */
const NEWS_MS = 3 * DAY_MS;
const AT_ONCE = 100;

/** Writes the notices that are due now. Safe to repeat. */
export type WatchSubscriptions = () => Promise<void>;

export function createWatchSubscriptions({
  store,
  clock,
}: {
  store: Store;
  clock: CoreClock;
}): WatchSubscriptions {
  return async () => {
    // What has not come on both scales is not told: a notice cannot be taken back.
    const now = clock.safeNow();
    for (;;) {
      if (store.read((tables) => tables.accounts.listEnding(now, 1)).length === 0) return;
      const told = await store.write((tables) => {
        const ending = tables.accounts.listEnding(now, AT_ONCE);
        for (const { id: accountId, endsAt, stage } of ending) {
          tables.accounts.markEndTold(accountId, endsAt, stage);
          if (endsAt <= now - NEWS_MS) continue;
          const daysLeft = Math.max(0, Math.ceil((endsAt - now) / DAY_MS));
          writeNotice(tables, { kind: 'subscriptionEnds', accountId, endsAt, daysLeft }, now);
        }
        return ending.length;
      });
      if (told < AT_ONCE) return;
    }
  };
}
