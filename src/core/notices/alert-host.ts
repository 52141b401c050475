// What the host is told: of the platform, the same sentence at most once an hour, however many redemptions meet it; of what lasts,
// once when it begins and once when it is over.
import { type Clock, HOUR_MS } from '../../clock.ts';
import type { HostTrouble } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';
import type { CoreLog } from '../log.ts';
import { writeNotice, type HostAlert } from './notices.ts';

/** Tells, or leaves it when it was told within the hour (in this process). Never rejects. */
export type WarnHost = (sentence: string, trouble?: HostTrouble) => Promise<void>;

interface TellHostDeps {
  store: Store;
  clock: Clock;
  log: CoreLog;
}

export function createWarnHost({ store, clock, log }: TellHostDeps): WarnHost {
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

/** Whether something lasts; told where that changes (in this process), so that it may be said as often as it is known. Never rejects. */
export type AlertHost = (alert: HostAlert, isSo: boolean) => Promise<void>;

export function createAlertHost({ store, clock, log }: TellHostDeps): AlertHost {
  const lasting = new Set<HostAlert>();
  const note = (alert: HostAlert, isSo: boolean) => (isSo ? lasting.add(alert) : lasting.delete(alert));

  return async (alert, isSo) => {
    if (lasting.has(alert) === isSo) return;
    note(alert, isSo);
    try {
      const notice = { kind: 'hostAlert', accountId: null, alert, isOver: !isSo } as const;
      await store.write((tables) => writeNotice(tables, notice, clock.now()));
    } catch (error) {
      note(alert, !isSo);
      log.warn({ err: error, alert }, 'the host could not be told of it');
    }
  };
}
