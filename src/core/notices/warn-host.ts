// What the platform says that concerns whoever hosts the service: the same sentence at most once an hour, however many redemptions meet it.
import { type Clock, HOUR_MS } from '../../clock.ts';
import type { HostTrouble } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';
import type { CoreLog } from '../log.ts';
import { writeNotice } from './notices.ts';

/** Tells, or leaves it when it was told within the hour (in this process). Never rejects. */
export type WarnHost = (sentence: string, trouble?: HostTrouble) => Promise<void>;

export function createWarnHost({
  store,
  clock,
  log,
}: {
  store: Store;
  clock: Clock;
  log: CoreLog;
}): WarnHost {
  // In elapsed time: a calendar that jumps neither repeats nor silences.
  const toldAt = new Map<string, number>();

  return async (sentence, trouble) => {
    const now = clock.elapsed();
    for (const [told, at] of toldAt) if (at <= now - HOUR_MS) toldAt.delete(told);
    if (toldAt.has(sentence)) return;
    toldAt.set(sentence, now);
    try {
      const named = trouble === undefined ? {} : { trouble };
      const notice = { kind: 'platformTrouble', accountId: null, sentence, ...named } as const;
      await store.write((tables) => writeNotice(tables, notice, clock.now()));
    } catch (error) {
      toldAt.delete(sentence);
      log.warn({ err: error }, 'the host could not be told of trouble with the platform');
    }
  };
}
