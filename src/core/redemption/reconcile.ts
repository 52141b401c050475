// Settling what was left in doubt: the platform is asked about the same code, with growing pauses, for ever. What its answers
// mean is decide-doubt.ts; here is who is asked, when, and how the decision is written.
import type { CharacterOutcome, CodeOutcome } from '../../platform/port.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { within, backOff } from '../../waiting.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import type { CoreLog } from '../log.ts';
import { writeNotice } from '../notices/notices.ts';
import type { ErrorCode } from '../error-policy.ts';
import { decide, type Decision } from './decide-doubt.ts';
import { awaitLogin } from './late-logins.ts';
import type { CoreClock } from '../../clock.ts';
import { findDoubtfulAttempts, measureAge } from './decide-doubt.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { InFlight } from './in-flight.ts';
import type { KeepRecovered } from './keep-recovered.ts';
import { settleFailed, settleRedeemed, settleReturned, tellOfDoubt } from './settle.ts';
import { toStoredReceipt } from './settle.ts';
import type { DoubtOutcome, OutcomeMetrics } from './outcome-metrics.ts';

export interface Reconcile {
  /** Begins to look at what is due, as far as there are places; a place that becomes free takes the next at once. */
  lookAtDue(): void;
  /** The same, and resolves when nothing is due and nothing is looked at any more. */
  sweep(): Promise<void>;
  /** Resolves when nothing is looked at any more. */
  settled(): Promise<void>;
}

export interface ReconcileDeps {
  store: Store;
  upstreams: Upstreams;
  games: Games;
  clock: CoreClock;
  log: CoreLog;
  inFlight: InFlight;
  keepRecovered: KeepRecovered;
  outcomeMetrics: Pick<OutcomeMetrics, 'settled'>;
}

const LOOKS_AT_ONCE = 50;
const LOOK_TIMEOUT_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60 * 1000;
/** So long, and so often, a receipt is asked for that cannot be shown, before the redemption is settled without its login. */
const RECEIPT_AWAITED_MS = 24 * 60 * 60 * 1000;
const RECEIPT_LOOKS = 10;
/** A look that could not be written down is not repeated sooner: where the store fails, the platform is not asked in a loop. */
const UNWRITTEN_PAUSE_MS = 60_000;

/** What is listed of a doubt; its secrets are opened when it is looked at. */
type Due = { id: number; looks: number };

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const { store, clock, log, inFlight } = deps;
  // When this process first knew of a doubt, in elapsed time: a calendar that jumps must not shorten the settling period.
  const knownSince = new Map<number, number>();
  const looking = new Map<number, Promise<void>>();
  const pausedUntil = new Map<number, number>();

  /** What this process still carries out is not looked at: "not redeemed" would not be final. */
  const isFree = (id: number) =>
    !looking.has(id) && !inFlight.redemptions.has(id) && (pausedUntil.get(id) ?? 0) <= clock.elapsed();

  async function lookOnce(due: Due): Promise<void> {
    const { id } = due;
    const since = knownSince.get(id) ?? clock.elapsed();
    knownSince.set(id, since);
    pausedUntil.delete(id);
    try {
      if (await lookAt(deps, id, since)) knownSince.delete(id);
    } catch (error) {
      log.error({ err: error, redemptionId: id }, 'a doubt could not be settled');
      await store
        .write((tables) => postpone(deps, tables, due, LONGEST_PAUSE_MS))
        .catch(() => pausedUntil.set(id, clock.elapsed() + UNWRITTEN_PAUSE_MS));
    }
  }

  function lookAtDue(): void {
    const places = LOOKS_AT_ONCE - looking.size;
    if (places === 0 || inFlight.giveUp.signal.aborted) return;
    // Those that are not free are due, too.
    const limit = LOOKS_AT_ONCE + looking.size + pausedUntil.size;
    const listed = store.read((tables) => tables.redemptions.listDue(clock.now(), LONGEST_PAUSE_MS, limit));
    for (const due of listed.filter(({ id }) => isFree(id)).slice(0, places)) {
      const look = lookOnce(due).then(() => {
        looking.delete(due.id);
        lookAgain();
      });
      looking.set(due.id, look);
    }
  }

  function lookAgain(): void {
    try {
      lookAtDue();
    } catch (error) {
      log.error({ err: error }, 'doubts could not be read, it is tried again');
    }
  }

  async function settled(): Promise<void> {
    while (looking.size > 0) await Promise.race(looking.values());
  }

  return {
    lookAtDue,
    async sweep() {
      lookAtDue();
      await settled();
    },
    settled,
  };
}

/** One look: true when it settled the doubt (or somebody else had), false when it has to be looked at again. */
async function lookAt(deps: ReconcileDeps, id: number, knownSince: number): Promise<boolean> {
  const { store, upstreams, clock } = deps;
  const doubt = store.read((tables) => tables.redemptions.get(id));
  const { gameId, code, playerId } = doubt;
  if (code === null) throw new Error(`Redemption ${id} is in doubt without a code.`);
  const askedAt = clock.elapsed();
  const told = await ask<CodeOutcome>(
    deps,
    (signal) => upstreams.findCode({ gameId, code, withReceipt: true }, { signal }),
    LATE,
  );
  const context = {
    ...store.read((tables) => readContext(tables, { ...doubt, code }, clock)),
    untilFinalMs: Math.ceil(upstreams.settlingMs - (askedAt - knownSince)),
  };
  let decision = decide(doubt, told, undefined, context);
  if (decision.status === 'postponed' && decision.why === 'playerNotAsked') {
    const player = await ask<CharacterOutcome>(
      deps,
      (signal) => upstreams.findCharacter({ gameId, playerId }, { signal }),
      LATE,
    );
    decision = decide(doubt, told, player, context);
  }
  const conclusion = await store.write((tables) =>
    isOfLostTime(deps, tables, { ...doubt, code }, { told, decision })
      ? 'returned'
      : conclude(deps, tables, doubt, decision, context.untilFinalMs),
  );
  if (conclusion !== 'postponed' && conclusion !== 'settledBefore')
    deps.outcomeMetrics.settled(id, conclusion);
  return conclusion !== 'postponed';
}

/** A code of the stock that the lost time spent for another order, which is kept: nothing was redeemed for this one. */
function isOfLostTime(
  { keepRecovered }: ReconcileDeps,
  tables: Tables,
  { id, ...doubt }: StoredRedemption & { code: string },
  { told, decision }: { told: CodeOutcome; decision: Decision },
): boolean {
  const { accountId, gameId, denomination, codeId, mode, code } = doubt;
  if (decision.status !== 'conceded' || told.status !== 'redeemed' || mode === 'direct') return false;
  if (denomination === null || codeId === null || tables.redemptions.get(id).state !== 'in_doubt')
    return false;
  const spent = { accountId, gameId, denomination, id: codeId, code, isAnothers: true };
  return keepRecovered(tables, spent, told);
}

function readContext(tables: Tables, doubt: StoredRedemption & { code: string }, clock: CoreClock) {
  const attempts = findDoubtfulAttempts(tables, doubt);
  const { othersHadIt } = attempts;
  const age = measureAge(tables, doubt, attempts, clock);
  const isPatienceOver = age.ageMs >= RECEIPT_AWAITED_MS && doubt.looks + 1 >= RECEIPT_LOOKS;
  return { isOfStock: doubt.mode === 'database', othersHadIt, isPatienceOver, ...age };
}

type Conclusion = DoubtOutcome | 'settledBefore' | 'postponed';

/** Why a person must look; it stands on the record, by which it is told once. */
const HELD =
  'The platform says that this code was redeemed for this player, perhaps before this redemption began: a person has to decide.';

const LATE = { status: 'unreachable', message: 'No answer in time.' } as const;

function ask<T>({ inFlight }: ReconcileDeps, call: (signal: AbortSignal) => Promise<T>, late: T): Promise<T> {
  return within(call, LOOK_TIMEOUT_MS, { signal: inFlight.giveUp.signal, late: () => late });
}

/** Writes the decision down. Whoever settled it before is right: nothing is told twice. */
function conclude(
  deps: ReconcileDeps,
  tables: Tables,
  doubt: StoredRedemption,
  decision: Decision,
  untilFinalMs: number,
): Conclusion {
  const now = deps.clock.now();
  switch (decision.status) {
    case 'received': {
      const game = receiptFamilyOf(deps.games, doubt.gameId);
      const receipt = toStoredReceipt(decision.receipt, decision.warning, game);
      const isSettled = settleRedeemed(tables, doubt, receipt, 'lookup', now);
      if (isSettled && decision.loginAwaited) awaitLogin(tables, doubt, now);
      return end(isSettled, 'redeemed');
    }
    case 'conceded': {
      const message = 'The platform says that this code was redeemed for someone else.';
      const failure = { errorCode: 'CODE_USED', message, asked: true, proof: 'lookup' } as const;
      return end(settleFailed(tables, doubt, failure, now), 'spentElsewhere');
    }
    case 'returned': {
      const errorCode = (doubt.errorCode ?? 'UNKNOWN') as ErrorCode;
      const answered = { errorCode, message: doubt.errorMessage };
      return end(settleReturned(tables, doubt, answered, now), 'returned');
    }
    case 'held':
      if (tables.doubts.hold(doubt.id, HELD) && doubt.errorMessage !== HELD)
        writeNotice(
          tables,
          { kind: 'doubtHeld', accountId: null, ofAccount: doubt.accountId, redemptionId: doubt.id },
          now,
        );
      return 'postponed';
    case 'postponed':
      // "Not redeemed" is final as soon as the period is over, however long the pauses had grown in processes that ended before.
      postpone(deps, tables, doubt, decision.why === 'notFinal' ? untilFinalMs : LONGEST_PAUSE_MS);
      return 'postponed';
  }

  function end(isSettled: boolean, outcome: DoubtOutcome): Conclusion {
    if (!isSettled) return 'settledBefore';
    tellOfDoubt(tables, doubt, outcome, now);
    return outcome;
  }
}

function postpone(
  { upstreams, clock }: ReconcileDeps,
  tables: Tables,
  { id, looks }: Due,
  longestMs: number,
) {
  const pauseMs = backOff(upstreams.lookPauseMs, longestMs)(looks + 1);
  tables.redemptions.postpone(id, clock.now() + pauseMs);
}
