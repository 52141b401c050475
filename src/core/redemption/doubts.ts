// Doubts as the host sees them, and asking the platform about them at once instead of when their pause is over.
import type { DoubtRow, Store } from '../../store/index.ts';
import { type HostActor, requireHost } from '../context.ts';
import { record } from '../audit-log.ts';
import type { CoreClock } from '../../clock.ts';
import type { Games } from '../games.ts';
import { decideDoubt, type DecideAnswer } from './decide-by-person.ts';
import type { Reconcile } from './reconcile.ts';

export interface Doubt extends Omit<DoubtRow, 'denomination'> {
  /** undefined where the code came with the request. */
  denomination: number | undefined;
}

/**
 * `asked`: how many the platform is being asked about. `justAsked`: nothing was done, since somebody did it a moment
 * ago.
 */
export type AskNowAnswer = { status: 'asked'; count: number } | { status: 'justAsked' };

/**
 * By one press. A look can cost an activation on the other side, so that pauses grow; a person in a hurry is bounded,
 * too.
 */
const AT_ONCE = 50;
const BETWEEN_MS = 60_000;

interface Deps {
  store: Store;
  clock: CoreClock;
  games: Games;
  reconcile: Pick<Reconcile, 'lookAtDue'>;
}

/** The verbs about doubts, for the host alone. */
export function createDoubts({ store, clock, games, reconcile }: Deps) {
  // In elapsed time, in memory: a restart may ask once more.
  let askedAt = -Infinity;

  return {
    /** How many there are, how many of them wait for a person, and since when the oldest is open. */
    summary(actor: HostActor): { count: number; held: number; oldestAt: number | undefined } {
      requireHost(actor);
      return store.read((tables) => ({
        count: tables.redemptions.countOpen().inDoubt,
        held: tables.doubts.countHeld(),
        oldestAt: tables.doubts.oldestAt(),
      }));
    },

    /** Those of one account, oldest first; `isPart`: it may have more. */
    listOf(actor: HostActor, accountId: number): { doubts: Doubt[]; isPart: boolean } {
      requireHost(actor);
      const { rows, isPart } = store.read((tables) => tables.doubts.listOf(accountId));
      const doubts = rows.map((row) => ({ ...row, denomination: row.denomination ?? undefined }));
      return { doubts, isPart };
    },

    /**
     * Ends a doubt by the word of a person, who says why. Not redeemed: its code comes back to be asked about before it
     * is used.
     */
    async decide(
      actor: HostActor,
      { redemptionId, isRedeemed, reason }: { redemptionId: number; isRedeemed: boolean; reason: string },
    ): Promise<DecideAnswer> {
      requireHost(actor);
      return store.write((tables) => {
        const now = clock.now();
        const answer = decideDoubt({ games }, tables, { redemptionId, isRedeemed }, now);
        if (answer.status !== 'decided') return answer;
        const { accountId } = tables.redemptions.get(redemptionId);
        const object = `redemption:${redemptionId}`;
        const said = { accountId, object, after: { outcome: isRedeemed ? 'redeemed' : 'returned' }, reason };
        record(tables, actor, 'doubtDecided', said, now);
        return answer;
      });
    },

    /**
     * Of one account, or of all: those that would be asked about next, at most 50 of them. Waits for no answer of the
     * platform.
     */
    async askNow(actor: HostActor, accountId?: number): Promise<AskNowAnswer> {
      requireHost(actor);
      if (clock.elapsed() < askedAt + BETWEEN_MS) return { status: 'justAsked' };
      askedAt = clock.elapsed();
      const count = await store.write((tables) => {
        const now = clock.now();
        const ids =
          accountId === undefined
            ? tables.doubts.listLater(now, AT_ONCE)
            : tables.doubts.listOf(accountId).rows.map(({ id }) => id);
        const due = ids.slice(0, AT_ONCE).filter((id) => tables.doubts.makeDue(id, now)).length;
        if (due > 0)
          record(tables, actor, 'doubtsAsked', { accountId: accountId ?? null, after: { count: due } }, now);
        return due;
      });
      reconcile.lookAtDue();
      return { status: 'asked', count };
    },
  };
}
