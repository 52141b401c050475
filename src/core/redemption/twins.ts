// Direct redemptions of a code that was under way already: refused at once, never sent, and settled with the one that was first.
import type { Store } from '../../store/index.ts';
import { oweSettled } from '../notices/webhooks-owed.ts';
import type { CoreClock } from '../steady.ts';

const SETTLED_AT_ONCE = 100;

/** Settles every twin whose first has ended: CODE_USED where the code was redeemed, else NETWORK_ERROR. Free where none waits. */
export async function settleTwins({ store, clock }: { store: Store; clock: CoreClock }): Promise<void> {
  for (;;) {
    const ended = store.read(({ twins }) => twins.listEnded(SETTLED_AT_ONCE));
    if (ended.length === 0) return;
    await store.write((tables) => {
      const now = clock.now();
      for (const { redemptionId, isSpent } of ended) {
        const failure = isSpent
          ? { errorCode: 'CODE_USED', errorMessage: 'Another request redeemed this code.' }
          : {
              errorCode: 'NETWORK_ERROR',
              errorMessage: 'Another request of this code ended without effect.',
            };
        if (tables.twins.settle(redemptionId, failure, now))
          oweSettled(tables, tables.redemptions.get(redemptionId), now);
      }
    });
  }
}
