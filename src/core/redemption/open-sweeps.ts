// What hosts may do about sweeps (sweep.ts) that are open: where the look-ups of the day run out before they have
// ended, stocks are sold by verification alone. Each code is asked about still, when it is taken.
import type { Clock } from '../../clock.ts';
import type { OpenSweep, Store, Tables } from '../../store/index.ts';
import { record } from '../audit-log.ts';
import { requireHost, type HostActor, type InTransaction } from '../context.ts';

/** `count`: of so many stock keys it was ended. */
export type SellByVerificationAnswer = { status: 'ended'; count: number } | { status: 'unchanged' };

interface Order {
  reason?: string | undefined;
  inTransaction?: InTransaction<SellByVerificationAnswer> | undefined;
}

const LISTED = 1_000;

export function createSweepsForHost({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }) {
  return {
    /** Stock keys whose codes are asked about before anything of them is sold; at most 1,000. */
    list(actor: HostActor): OpenSweep[] {
      requireHost(actor);
      return store.read(({ takeover }) => takeover.listOpenSweeps(LISTED));
    },
    /** Ends all that are open: an order that is repeated may take a second code then. Safe to repeat. */
    sellByVerification(actor: HostActor, order: Order = {}): Promise<SellByVerificationAnswer> {
      requireHost(actor);
      return store.write((tables) => {
        const answer = end(tables, actor, order.reason, clock.now());
        order.inTransaction?.(tables, answer);
        return answer;
      });
    },
  };
}

function end(
  tables: Tables,
  actor: HostActor,
  reason: string | undefined,
  now: number,
): SellByVerificationAnswer {
  const count = tables.takeover.endSweeps(now);
  if (count === 0) return { status: 'unchanged' };
  record(tables, actor, 'sweepsEnded', { accountId: null, after: { count }, reason }, now);
  return { status: 'ended', count };
}
