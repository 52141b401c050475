// Doubts as the host sees them, and asking the platform about them at once instead of when their pause is over.
import type { DoubtRow, Store, Tables } from '../../store/index.ts';
import { type HostActor, type InTransaction, requireHost } from '../context.ts';
import { record } from '../audit-log.ts';
import { MINUTE_MS, type CoreClock } from '../../clock.ts';
import type { Games } from '../games.ts';
import { listSentTo, type Witnesses } from '../upstreams/witnesses.ts';
import { decideDoubt, quietAtOf, type DecideAnswer } from './decide-by-person.ts';
import type { Reconcile } from './reconcile.ts';

/** What was sent of it, and who may tell of its code: by their names. */
export interface DoubtDetail extends Doubt {
  attempts: ReturnType<Tables['attempts']['listWhole']>;
  tellers: string[];
  /** When nothing can be carried out any more, ms UTC; undefined while something is being sent. */
  quietAt: number | undefined;
}

interface Doubt extends Omit<DoubtRow, 'denomination'> {
  /** undefined where the code came with the request. */
  denomination: number | undefined;
}

/**
 * `asked`: how many the platform is being asked about. `justAsked`: nothing was done, since somebody did it a moment
 * ago.
 */
type AskNowAnswer = { status: 'asked'; count: number } | { status: 'justAsked' };

/**
 * By one press. A look can cost an activation on the other side, so that pauses grow; a person in a hurry is bounded,
 * too.
 */
const ASKED_AT_ONCE = 50;
const BETWEEN_MS = MINUTE_MS;

interface Deps {
  store: Store;
  clock: CoreClock;
  games: Games;
  witnesses: Pick<Witnesses, 'list'>;
  reconcile: Pick<Reconcile, 'checkDue'>;
}

/** What a person asks about: whose it is, and the redemptions of it. */
interface AskedAbout {
  accountId: number | null;
  list(tables: Tables, now: number): readonly number[];
}

/**
 * Has what is asked about looked at now, at most 50 of it, and not again within a minute. Waits for no answer.
 */
function createAskNow({ store, clock, reconcile }: Omit<Deps, 'games' | 'witnesses'>) {
  // In elapsed time, in memory: a restart may ask once more.
  let askedAt = -Infinity;
  return async (actor: HostActor, { list, ...about }: AskedAbout): Promise<AskNowAnswer> => {
    requireHost(actor);
    if (clock.elapsed() < askedAt + BETWEEN_MS) return { status: 'justAsked' };
    askedAt = clock.elapsed();
    const count = await store.write((tables) => {
      const now = clock.now();
      const ids = list(tables, now).slice(0, ASKED_AT_ONCE);
      const due = ids.filter((id) => tables.doubts.makeDue(id, now)).length;
      if (due > 0) record(tables, actor, 'doubtsAsked', { ...about, after: { count: due } }, now);
      return due;
    });
    reconcile.checkDue();
    return { status: 'asked', count };
  };
}

interface DoubtSummary {
  count: number;
  held: number;
  oldestAt: number | undefined;
  heldSince: number | undefined;
}

const MOST_SHOWN = 100;
const toDoubt = (row: DoubtRow): Doubt => ({ ...row, denomination: row.denomination ?? undefined });

function createDoubtLists(store: Store) {
  return {
    /** How many there are, how many of them wait for a person, and since when the oldest is open, of each. */
    summary(actor: HostActor): DoubtSummary {
      requireHost(actor);
      return store.read((tables) => ({
        count: tables.redemptions.countOpen().inDoubt,
        held: tables.doubts.countHeld(),
        oldestAt: tables.doubts.oldestAt(),
        heldSince: tables.doubts.listHeld(1)[0]?.createdAt,
      }));
    },

    /** Those of one account, oldest first; `isPart`: it may have more. */
    listOf(actor: HostActor, accountId: number): { doubts: Doubt[]; isPart: boolean } {
      requireHost(actor);
      const { rows, isPart } = store.read((tables) => tables.doubts.listOf(accountId));
      return { doubts: rows.map(toDoubt), isPart };
    },

    /** Of all accounts, those that wait for a person first, oldest first; no more than a page shows. */
    listAll(actor: HostActor): Doubt[] {
      requireHost(actor);
      const { held, all } = store.read(({ doubts }) => ({
        held: doubts.listHeld(MOST_SHOWN),
        all: doubts.listOf().rows,
      }));
      return [...held, ...all.filter(({ isHeld }) => !isHeld)].slice(0, MOST_SHOWN).map(toDoubt);
    },
  };
}

/** The verbs about doubts, for the host alone. */
export function createDoubts(deps: Deps) {
  const { store, clock, games, witnesses } = deps;
  const askNow = createAskNow(deps);

  return {
    ...createDoubtLists(store),

    /** undefined where it is in doubt no more. */
    find(actor: HostActor, redemptionId: number): DoubtDetail | undefined {
      requireHost(actor);
      return store.read((tables) => {
        const row = tables.doubts.find(redemptionId);
        if (!row) return undefined;
        const attempts = tables.attempts.listWhole(redemptionId);
        const tellers = witnesses.list(listSentTo(attempts), row.gameId).map(({ name }) => name);
        const quietAt = quietAtOf(attempts);
        return { ...row, denomination: row.denomination ?? undefined, attempts, tellers, quietAt };
      });
    },

    /**
     * Ends a doubt by the word of a person, who says why. Not redeemed: its code comes back to be asked about before it
     * is used.
     */
    async decide(
      actor: HostActor,
      { redemptionId, isRedeemed, reason }: { redemptionId: number; isRedeemed: boolean; reason: string },
      inTransaction?: InTransaction<DecideAnswer>,
    ): Promise<DecideAnswer> {
      requireHost(actor);
      return store.write((tables) => {
        const now = clock.now();
        const answer = decideDoubt({ games }, tables, { redemptionId, isRedeemed }, now);
        inTransaction?.(tables, answer);
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
    askNow: (actor: HostActor, accountId?: number): Promise<AskNowAnswer> =>
      askNow(actor, {
        accountId: accountId ?? null,
        list: ({ doubts }, now) =>
          accountId === undefined
            ? doubts.listLater(now, ASKED_AT_ONCE)
            : doubts.listOf(accountId).rows.map(({ id }) => id),
      }),
  };
}
