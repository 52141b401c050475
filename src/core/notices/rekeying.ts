// A rekey goes on by itself, behind everything, and whoever hosts is told of its end in the transaction of the last
// slice.
import type { CoreClock } from '../../clock.ts';
import type { Store } from '../../store/index.ts';
import { pause } from '../../waiting.ts';
import { record } from '../audit-log.ts';
import type { CoreLog } from '../log.ts';
import { writeNotice } from './notices.ts';

export function createRekeying({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: CoreClock;
  log: CoreLog;
}): (isStopping: () => boolean) => Promise<void> {
  return async (isStopping) => {
    while (store.rekey.isRunning() && !isStopping() && !store.isCrowded({ bulk: true })) {
      const begun = clock.elapsed();
      const step = await store.rekey.step((tables, left) => {
        const now = clock.now();
        record(tables, { kind: 'service' }, 'keyChanged', { accountId: null, after: { left } }, now);
        writeNotice(tables, { kind: 'rekeyed', accountId: null, left }, now);
      });
      if (step === 'done') log.info({}, 'the rekey is done: nothing is sealed with the older key any more');
      if (step !== 'more') return;
      // It rests as long as it worked: the bulk work of people needs turns of the event loop without a commit in each.
      await pause(clock.elapsed() - begun);
    }
  };
}
