// Redemptions whose process is gone: what it was doing is not known, so they fall in doubt, to be asked about at once.
import type { Clock } from '../../clock.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import type { CoreLog } from '../log.ts';
import type { Running } from './running.ts';
import { fallInDoubt } from './settle.ts';

const RECOVERED_AT_ONCE = 100;
/** A row that could not be put in doubt is not tried sooner: the row is broken, or the disk was. */
const FAILED_PAUSE_MS = 5_000;

/** Puts every pending redemption that this process does not run in doubt; returns how many. Safe to repeat. */
export function createRecovery(deps: {
  store: Store;
  clock: Clock;
  log: CoreLog;
  running: Running;
}): () => Promise<number> {
  const { store, clock, log, running } = deps;
  // Rows that failed, by when they are tried again; `cli check` names those that are inconsistent in themselves.
  const pausedUntil = new Map<number, number>();
  const isOrphan = ({ id }: StoredRedemption) =>
    !running.promises.has(id) && (pausedUntil.get(id) ?? 0) <= clock.elapsed();
  // Asked again inside: one that began since they were listed runs by now.
  const doubt = (rows: StoredRedemption[]) =>
    store.write((tables) => doubtAll(tables, rows.filter(isOrphan), clock.now()));

  /** One by one: a row that is not as it must be is left as it stands, and stops nobody else. */
  async function doubtEach(orphans: StoredRedemption[]): Promise<number> {
    let recovered = 0;
    for (const orphan of orphans) {
      try {
        recovered += await doubt([orphan]);
      } catch (error) {
        pausedUntil.set(orphan.id, clock.elapsed() + FAILED_PAUSE_MS);
        log.error({ err: error, redemptionId: orphan.id }, 'a redemption cannot be recovered: run the check');
      }
    }
    return recovered;
  }

  return async () => {
    for (let recovered = 0; ;) {
      const known = running.promises.size + pausedUntil.size;
      const pending = store.read((tables) => tables.redemptions.listPending(RECOVERED_AT_ONCE + known));
      const orphans = pending.filter(isOrphan).slice(0, RECOVERED_AT_ONCE);
      if (orphans.length === 0) return recovered;
      recovered += await doubt(orphans).catch(() => doubtEach(orphans));
    }
  };
}

function doubtAll(tables: Tables, orphans: StoredRedemption[], now: number): number {
  const error = {
    errorCode: 'UNKNOWN' as const,
    message: 'The service was interrupted during this redemption.',
  };
  return orphans.filter((orphan) => fallInDoubt(tables, orphan, error, now, now)).length;
}
