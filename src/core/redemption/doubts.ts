// Doubts as the host sees them, and asking the platform about them at once instead of when their pause is over.
import type { DoubtRow, Store, Tables } from '../../store/index.ts';
import { type HostActor, type InTransaction, requireHost } from '../context.ts';
import { record } from '../audit-log.ts';
import { MINUTE_MS, type CoreClock } from '../../clock.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { askHold } from '../promises.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { listSentTo, type Witnesses } from '../upstreams/witnesses.ts';
import { findQuietAt, findSpender } from './doubt-known.ts';
import { judgeDoubt } from './doubt-rules.ts';
import { notifyDoubtSettled, settleRedeemed, settleReturned, toStoredReceipt } from './settle.ts';

/** What was sent of it, and who may tell of its code: by their names. */
export interface DoubtDetail extends Doubt {
  attempts: ReturnType<Tables['attempts']['listWhole']>;
  tellers: string[];
  /** When nothing can be carried out any more, ms UTC; undefined while something is being sent. */
  quietAt: number | undefined;
}

interface Doubt extends Omit<DoubtRow, 'denomination' | 'nextLookAt'> {
  /** It waits for a person. */
  isHeld: boolean;
  /** undefined where the code came with the request. */
  denomination: number | undefined;
}

/**
 * `asked`: how many the platform is being asked about. `justAsked`: nothing was done, since somebody did it a moment
 * ago.
 */
type AskNowAnswer = { status: 'asked'; count: number } | { status: 'justAsked' };

/**
 * `none`: it is in doubt no more. `tooEarly`: what was sent may still be carried out, until then (ms UTC); undefined:
 * it is being sent.
 */
export type DecideAnswer =
  { status: 'decided' } | { status: 'none' } | { status: 'tooEarly'; until: number | undefined };

/**
 * By one press. A look can cost an activation on the other side, so that pauses grow; a person in a hurry is bounded,
 * too.
 */
const ASKED_AT_ONCE = 50;
const BETWEEN_MS = MINUTE_MS;
/** Those that wait for a person. */
const LAST = Number.MAX_SAFE_INTEGER;

interface Deps {
  store: Store;
  clock: CoreClock;
  games: Games;
  witnesses: Pick<Witnesses, 'list'>;
  upstreams: Pick<Upstreams, 'find' | 'settlingMs'>;
}

/** Waits for no answer. */
function createAskNow({ store, clock }: Pick<Deps, 'store' | 'clock'>) {
  // In elapsed time, in memory: a restart may ask once more.
  let askedAt = -Infinity;
  return async (actor: HostActor, accountId?: number): Promise<AskNowAnswer> => {
    requireHost(actor);
    if (clock.elapsed() < askedAt + BETWEEN_MS) return { status: 'justAsked' };
    askedAt = clock.elapsed();
    const count = await store.write((tables) => {
      const now = clock.now();
      const later = tables.doubts
        .listOf(accountId)
        .rows.filter(({ nextLookAt }) => (nextLookAt ?? LAST) > now);
      const next = later
        .sort((a, b) => (a.nextLookAt ?? LAST) - (b.nextLookAt ?? LAST))
        .slice(0, ASKED_AT_ONCE);
      for (const { id } of next) tables.tasks.release(askHold(id), now);
      const asked = { accountId: accountId ?? null, after: { count: next.length } };
      if (next.length > 0) record(tables, actor, 'doubtsAsked', asked, now);
      return next.length;
    });
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
const toDoubt = ({ nextLookAt, denomination, ...row }: DoubtRow): Doubt => ({
  ...row,
  denomination: denomination ?? undefined,
  isHeld: nextLookAt === null,
});

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
      return [...held, ...all.filter(({ nextLookAt }) => nextLookAt !== null)]
        .slice(0, MOST_SHOWN)
        .map(toDoubt);
    },
  };
}

/** The verbs about doubts, for the host alone. */
export function createDoubts(deps: Deps) {
  const { store, clock, witnesses } = deps;
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
        return { ...toDoubt(row), attempts, tellers, quietAt: findQuiet(deps, attempts) };
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
        const answer = decideDoubt(deps, tables, { redemptionId, isRedeemed });
        inTransaction?.(tables, answer);
        if (answer.status !== 'decided') return answer;
        const { accountId } = tables.redemptions.get(redemptionId);
        const object = `redemption:${redemptionId}`;
        const said = { accountId, object, after: { outcome: isRedeemed ? 'redeemed' : 'returned' }, reason };
        record(tables, actor, 'doubtDecided', said, clock.now());
        return answer;
      });
    },

    /**
     * Of one account, or of all: those that would be asked about next, at most 50 of them. Waits for no answer of the
     * platform.
     */
    askNow,
  };
}

/**
 * Settles it as the person says. Its code comes back to be asked about before it is used, where it was not redeemed.
 */
function decideDoubt(
  { games, clock, upstreams }: Deps,
  tables: Tables,
  { redemptionId, isRedeemed }: { redemptionId: number; isRedeemed: boolean },
): DecideAnswer {
  const now = clock.now();
  const doubt = tables.redemptions.find(redemptionId);
  if (doubt?.state !== 'in_doubt') return { status: 'none' };
  const until = findQuiet({ clock, upstreams }, tables.attempts.list(redemptionId));
  const known = { isOpen: until === undefined, isQuiet: (until ?? Infinity) <= now };
  const then = judgeDoubt('person', isRedeemed ? 'redeemed' : 'notRedeemed', known);
  if (then === undefined) return { status: 'tooEarly', until };
  if (then === 'spent') {
    const { playerId, playerName, gameId } = doubt;
    const told = { openid: `player:${playerId}`, name: playerName ?? playerId };
    const receipt = toStoredReceipt(told, true, receiptFamilyOf(games, gameId));
    const n = findSpender(tables, redemptionId, undefined)?.n;
    settleRedeemed(tables, doubt, receipt, 'person', now, n === undefined ? {} : { n });
  } else {
    if (doubt.codeId !== null) tables.codes.distrustClaim(doubt.codeId);
    const errorCode = doubt.errorCode ?? 'UNKNOWN';
    settleReturned(tables, doubt, { errorCode, message: doubt.errorMessage }, now, { proof: 'person' });
  }
  notifyDoubtSettled(tables, doubt, isRedeemed ? 'redeemed' : 'returned', now);
  tables.tasks.release(askHold(redemptionId), now);
  return { status: 'decided' };
}

/** By the calendar, ms UTC. */
function findQuiet(deps: Pick<Deps, 'clock' | 'upstreams'>, attempts: Parameters<typeof findQuietAt>[1]) {
  const at = findQuietAt(deps, attempts);
  return at && at + deps.clock.calendarAheadMs();
}
