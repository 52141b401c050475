// Redemptions whose process is gone: what it was doing is not known, so they fall in doubt, to be asked about at once. Done once
// after a start: what this process begins itself it carries to its end.
import type { Clock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import type { CoreLog } from '../log.ts';
import type { InFlight } from './in-flight.ts';
import { fallInDoubt, type OpenRedemption } from './settle.ts';

const RECOVERED_AT_ONCE = 100;

/** Goes through what is pending, until one pass left nothing over; after that it does nothing. Resolves with how many fell in doubt. */
export type Recover = () => Promise<number>;

/** The verb rejects where the store fails; it is safe to repeat. */
export function createRecovery(deps: {
  store: Store;
  clock: Clock;
  log: CoreLog;
  inFlight: InFlight;
}): Recover {
  const { store, clock, log, inFlight } = deps;
  let isDone = false;
  // Rows that could not be written: the disk failed, or they are inconsistent in themselves, and `cli check` names them.
  const broken = new Set<number>();
  const isOrphan = ({ id }: { id: number }) => !inFlight.redemptions.has(id);
  // Asked again inside: one that began since they were listed runs by now.
  async function doubt(rows: OpenRedemption[]): Promise<number> {
    const doubted = await store.write((tables) => doubtAll(tables, rows.filter(isOrphan), clock.now()));
    for (const { id: redemptionId } of doubted)
      log.info(
        { redemptionId },
        'an earlier process left a redemption open: it is in doubt, the platform is asked',
      );
    return doubted.length;
  }

  /** One by one: a row that is not as it must be is left as it stands, and stops nobody else. */
  async function doubtEach(orphans: OpenRedemption[]): Promise<number> {
    let recovered = 0;
    for (const orphan of orphans) {
      try {
        recovered += await doubt([orphan]);
        broken.delete(orphan.id);
      } catch (error) {
        if (!broken.has(orphan.id))
          log.error(
            { err: error, redemptionId: orphan.id },
            'a redemption cannot be recovered: run the check',
          );
        broken.add(orphan.id);
      }
    }
    return recovered;
  }

  async function goThrough(): Promise<number> {
    let recovered = 0;
    for (let after = 0; ;) {
      const pending = store.read((tables) => tables.redemptions.listPending(after, RECOVERED_AT_ONCE));
      const orphans = pending.filter(isOrphan);
      if (orphans.length > 0) recovered += await doubt(orphans).catch(() => doubtEach(orphans));
      after = pending.at(-1)?.id ?? after;
      if (pending.length < RECOVERED_AT_ONCE) return recovered;
    }
  }

  return async () => {
    if (isDone) return 0;
    const recovered = await goThrough();
    isDone = broken.size === 0;
    return recovered;
  };
}

/** What a start goes on with where it failed: none was recovered yet. */
export const tellNotRecovered = (log: CoreLog) => (error: unknown) => {
  log.error({ err: error }, 'what an earlier process left open could not be recovered, it is tried again');
  return 0;
};

function doubtAll(tables: Tables, orphans: OpenRedemption[], now: number): OpenRedemption[] {
  const error = {
    errorCode: 'UNKNOWN' as const,
    message: 'The service was interrupted during this redemption.',
  };
  return orphans.filter((orphan) => fallInDoubt(tables, orphan, error, now, now));
}
