// Redemptions whose process is gone. What it had sent is unknown, so that they fall in doubt, to be asked about at
// once; what was still to be verified was never sent. Done once after a start: what this process begins itself it
// carries to its end.
import type { CoreClock } from '../../clock.ts';
import type { Store, Tables } from '../../store/index.ts';
import { eachSlice } from '../../turns.ts';
import type { Logger } from '../../log.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { InFlight } from './in-flight.ts';
import { addDoubtTask, fallInDoubt, settleFailed, type OpenRedemption } from './settle.ts';

const RECOVERED_AT_ONCE = 100;

/**
 * Goes through what is open, until one pass left nothing over; after that it does nothing. Resolves with how many
 * redemptions it ended or left in doubt.
 */
export type Recover = () => Promise<number>;

/** As it was left. */
type Orphan = OpenRedemption & { wasSent: boolean };

interface RecoveryDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'settlingMs'>;
  clock: CoreClock;
  log: Logger;
  inFlight: InFlight;
}

/** The verb rejects where the store cannot be read; it is safe to repeat. */
export function createRecovery(deps: RecoveryDeps): Recover {
  const { store, upstreams, clock, log, inFlight } = deps;
  let isDone = false;
  // Rows that could not be written: the disk failed, or they are inconsistent in themselves, and `cli check` names
  // them.
  const broken = new Set<number>();
  const isOrphan = ({ id }: { id: number }) => !inFlight.redemptions.has(id);

  /** A row that is not as it must be is left as it stands, and stops nobody else. */
  async function end(orphan: Orphan): Promise<boolean> {
    const { id: redemptionId, wasSent } = orphan;
    try {
      // Asked again inside: one that began since they were listed runs by now.
      const isEnded = await store.write(
        (tables) => isOrphan(orphan) && endOne(tables, orphan, upstreams.settlingMs, clock),
      );
      broken.delete(redemptionId);
      if (isEnded) log.info({ redemptionId }, wasSent ? IN_DOUBT : NEVER_SENT);
      return isEnded;
    } catch (error) {
      if (!broken.has(redemptionId))
        log.error({ err: error, redemptionId }, 'a redemption cannot be recovered: run the check');
      broken.add(redemptionId);
      return false;
    }
  }

  return async () => {
    if (isDone) return 0;
    let recovered = 0;
    const list = (last?: Orphan) =>
      store.read(({ redemptions }) => redemptions.listPending(last?.id ?? 0, RECOVERED_AT_ONCE));
    for await (const pending of eachSlice(list, RECOVERED_AT_ONCE)) {
      const ended = await Promise.all(pending.filter(isOrphan).map(end));
      recovered += ended.filter(Boolean).length;
    }
    await doubtAttempts(deps, broken);
    await giveTasks(deps);
    isDone = broken.size === 0;
    return recovered;
  };
}

/** What a start goes on with where it failed: none was recovered yet. */
export const logNotRecovered = (log: Logger) => (error: unknown) => {
  log.error({ err: error }, 'what an earlier process left open could not be recovered, it is tried again');
  return 0;
};

/** Of redemptions that are in doubt already; of those that are `broken` they stay as they are. */
async function doubtAttempts(
  { store, upstreams, clock, inFlight }: RecoveryDeps,
  broken: ReadonlySet<number>,
): Promise<void> {
  const isLeft = (id: number) => !broken.has(id) && !inFlight.redemptions.has(id);
  const left = store.read((tables) => tables.attempts.listOpen()).filter(isLeft);
  if (left.length === 0) return;
  await store.write((tables) => {
    const now = clock.now();
    for (const id of left.filter(isLeft))
      tables.attempts.doubt(id, INTERRUPTED, clock.monotonicNow() + upstreams.settlingMs, now);
  });
}

/** Each doubt has its task, whatever became of that. */
async function giveTasks({ store, clock }: RecoveryDeps): Promise<void> {
  const list = () => store.read(({ doubts }) => doubts.listForgotten(RECOVERED_AT_ONCE));
  for await (const ids of eachSlice(list, RECOVERED_AT_ONCE))
    await store.write((tables) => ids.forEach((id) => addDoubtTask(tables, id, clock.now())));
}

const IN_DOUBT = 'an earlier process left a redemption open: it is in doubt, the platform is asked';
const NEVER_SENT = 'an earlier process left a redemption open before anything was sent: it failed';

const INTERRUPTED = {
  errorCode: 'UNKNOWN',
  message: 'The service was interrupted during this redemption.',
} as const;
const UNSENT = {
  errorCode: 'NETWORK_ERROR',
  message: 'The service was interrupted: nothing was sent. Try again in a moment.',
  asked: false,
} as const;

function endOne(tables: Tables, orphan: Orphan, settlingMs: number, clock: CoreClock): boolean {
  const now = clock.now();
  if (!orphan.wasSent) return settleFailed(tables, orphan, UNSENT, now);
  const until = { nextLookAt: now, quietUntil: clock.monotonicNow() + settlingMs };
  return fallInDoubt(tables, orphan, INTERRUPTED, until, now);
}
