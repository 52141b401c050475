// Settling what was left in doubt: the platform is asked about the same code, with growing pauses, for ever. What its
// answers mean is resolve-doubt.ts; here is when that is done, and that it is written (conclude-doubt.ts).
import type { CodeOutcome } from '../../platform/port.ts';
import type { Tables } from '../../store/index.ts';
import type { Games } from '../games.ts';
import { tellCase } from '../upstreams/cases.ts';
import type { CoreLog } from '../log.ts';
import { conclude, LONGEST_PAUSE_MS, postpone, type DoubtVerdict } from './conclude-doubt.ts';
import { findDoubtfulAttempts, measureAge } from './decide-doubt.ts';
import type { RecordLost } from './record-lost.ts';
import type { OutcomeMetrics } from './outcome-metrics.ts';
import type { OpenDoubt } from './own-record.ts';
import { prove } from './repeated.ts';
import { createResolveDoubt, type Known, type ResolveDeps, type ResolveDoubt } from './resolve-doubt.ts';

export interface Reconcile {
  /** Begins to look at what is due, as far as there are places; a place that becomes free takes the next at once. */
  checkDue(): void;
  /** The same, and resolves when nothing is due and nothing is looked at any more. */
  sweep(): Promise<void>;
  /** Resolves when nothing is looked at any more. */
  settled(): Promise<void>;
}

export interface ReconcileDeps extends ResolveDeps {
  games: Games;
  log: CoreLog;
  recordLost: RecordLost;
  outcomeMetrics: Pick<OutcomeMetrics, 'settled'>;
}

type LookDeps = ReconcileDeps & { resolve: ResolveDoubt };

const LOOKS_AT_ONCE = 50;
/**
 * So long, and so often, a receipt is asked for that cannot be shown, before the redemption is settled without its
 * login.
 */
const RECEIPT_AWAITED_MS = 24 * 60 * 60 * 1000;
const RECEIPT_LOOKS = 10;
/**
 * A look that could not be written down is not repeated sooner: where the store fails, the platform is not asked in a
 * loop.
 */
const UNWRITTEN_PAUSE_MS = 60_000;

/** More than this between two looks nobody has watched it. */
const LONGEST_GAP_MS = 20 * 60_000;

/**
 * When this process first knew of a doubt, and has last looked at it, in elapsed time: a calendar that jumps must not
 * shorten the settling period.
 */
interface Watched {
  since: number;
  lookedAt: number;
  watchedMs: number;
}

/** What is listed of a doubt; its secrets are opened when it is looked at. */
type Due = { id: number; looks: number };

export function createReconcile(deps: ReconcileDeps): Reconcile {
  const { store, clock, log, inFlight } = deps;
  const watched = new Map<number, Watched>();
  const looking = new Map<number, Promise<void>>();
  const pausedUntil = new Map<number, number>();
  const resolve = createResolveDoubt(deps);

  /** What this process still carries out is not looked at: "not redeemed" would not be final. */
  const isFree = (id: number) =>
    !looking.has(id) && !inFlight.redemptions.has(id) && (pausedUntil.get(id) ?? 0) <= clock.elapsed();

  async function checkOnce(due: Due): Promise<void> {
    const { id } = due;
    const now = clock.elapsed();
    const { since, lookedAt, watchedMs } = watched.get(id) ?? { since: now, lookedAt: now, watchedMs: 0 };
    const look = { since, lookedAt: now, watchedMs: watchedMs + Math.min(now - lookedAt, LONGEST_GAP_MS) };
    watched.set(id, look);
    pausedUntil.delete(id);
    try {
      if (await checkDoubt({ ...deps, resolve }, id, look)) watched.delete(id);
    } catch (error) {
      log.error({ err: error, redemptionId: id }, 'a doubt could not be settled');
      await store
        .write((tables) => {
          const looksTold = tables.redemptions.find(id)?.looksTold ?? null;
          const said = { longestMs: LONGEST_PAUSE_MS, said: 'failed' } as const;
          postpone({ ...deps, ...deps.upstreams }, tables, { ...due, looksTold }, said);
        })
        .catch(() => pausedUntil.set(id, clock.elapsed() + UNWRITTEN_PAUSE_MS));
    }
  }

  function checkDue(): void {
    const places = LOOKS_AT_ONCE - looking.size;
    if (places === 0 || inFlight.giveUp.signal.aborted) return;
    // Those that are not free are due, too.
    const limit = LOOKS_AT_ONCE + looking.size + pausedUntil.size;
    const listed = store.read((tables) => tables.redemptions.listDue(clock.now(), LONGEST_PAUSE_MS, limit));
    for (const due of listed.filter(({ id }) => isFree(id)).slice(0, places)) {
      const look = checkOnce(due).then(() => {
        looking.delete(due.id);
        checkAgain();
      });
      looking.set(due.id, look);
    }
  }

  function checkAgain(): void {
    try {
      checkDue();
    } catch (error) {
      log.error({ err: error }, 'doubts could not be read, it is tried again');
    }
  }

  async function settled(): Promise<void> {
    while (looking.size > 0) await Promise.race(looking.values());
  }

  return {
    checkDue,
    async sweep() {
      checkDue();
      await settled();
    },
    settled,
  };
}

/** One look: true when it settled the doubt (or somebody else had), false when it has to be looked at again. */
async function checkDoubt(deps: LookDeps, id: number, watched: Watched): Promise<boolean> {
  const { store, upstreams, resolve } = deps;
  const open = store.read((tables) => readDoubt(tables, id));
  const known = store.read((tables) => readKnown(deps, tables, open, watched));
  const { doubt } = open;
  const resolved = await resolve(open, known);
  const { told } = resolved;
  const ofBefore = known.isRestored ? await proveOwn(deps, open, resolved) : resolved.verdict;
  const verdict: DoubtVerdict = ofBefore === 'anothers' ? { status: 'conceded' } : ofBefore;
  const { lookPauseMs } = upstreams;
  const conclusion = await store.write((tables) => {
    if (told && known.isRestored && isOfLostTime(deps, tables, doubt, { told, verdict })) return 'returned';
    const end = conclude({ ...deps, lookPauseMs }, tables, doubt, verdict, known.untilFinalMs);
    if (end === 'spentElsewhere') {
      accuse(deps, tables, open, { told, known });
      upstreams.pauseBelied(tables, deps.clock.now());
    }
    return end;
  });
  if (conclusion === 'spentElsewhere') upstreams.readPauses();
  if (conclusion !== 'postponed' && conclusion !== 'settledBefore')
    deps.outcomeMetrics.settled(id, conclusion);
  return conclusion !== 'postponed';
}

/** A reference that is derived from a key (idempotency.ts). */
const DERIVED = /^.{14}8/;

/**
 * Of before a restore: a code of the stock that the player has may have gone back in the lost time, and been taken for
 * another order of theirs. Its own reference says which.
 */
async function proveOwn(
  deps: LookDeps,
  { doubt, ledger }: OpenDoubt,
  { verdict, told }: Awaited<ReturnType<ResolveDoubt>>,
): Promise<DoubtVerdict | 'anothers'> {
  const isLooked = verdict.status === 'received' && verdict.by?.proof === 'lookup';
  const references = new Set(ledger.map(({ reference }) => reference).filter((each) => DERIVED.test(each)));
  if (!isLooked || doubt.mode === 'direct' || told === undefined || references.size === 0) return verdict;
  const { status } = await prove(deps, doubt, [...references], deps.inFlight.giveUp.signal);
  if (status === 'anothers') return status;
  return status === 'unclear' ? { status: 'postponed', why: 'unreachable' } : verdict;
}

/** What clocks and whole seconds of two wires may differ by. */
const COARSE_MS = 2_000;

/** A code of the stock that was used by somebody else after it was sent: whom it was sent to has to answer for it. */
function accuse(
  { clock }: LookDeps,
  tables: Tables,
  { doubt, ledger }: OpenDoubt,
  { told, known }: { told: CodeOutcome | undefined; known: Known },
): void {
  if (told?.status !== 'redeemed' || !known.isOfStock || known.othersHadIt || !known.isMeasured) return;
  const { redeemedAt, toldAt } = told;
  if (redeemedAt === undefined || toldAt === undefined || toldAt - redeemedAt + COARSE_MS > known.ageMs)
    return;
  const upstream = ledger.find(({ state }) => state === 'unknown')?.upstream;
  if (upstream === undefined) return;
  const { id: redemptionId, accountId: ofAccount } = doubt;
  tellCase(tables, { upstream, redemptionId, ofAccount, why: 'usedAfter' }, clock.now());
}

function readDoubt(tables: Tables, id: number): OpenDoubt {
  const { code, ...doubt } = tables.redemptions.get(id);
  if (code === null) throw new Error(`Redemption ${id} is in doubt without a code.`);
  return { doubt: { ...doubt, code }, ledger: tables.attempts.list(id) };
}

/** How long what was sent may still be carried out: by the calendar, and since this process knows of it. */
function readKnown(
  { store, upstreams, clock }: ReconcileDeps,
  tables: Tables,
  { doubt, ledger }: OpenDoubt,
  { since, watchedMs }: Watched,
): Known {
  const { othersHadIt, hadEarlier } = findDoubtfulAttempts(tables, doubt);
  const age = measureAge(tables, doubt, clock);
  const isPatienceOver = age.ageMs >= RECEIPT_AWAITED_MS && doubt.looks + 1 >= RECEIPT_LOOKS;
  const knownForMs = clock.elapsed() - since;
  const ofAttempts = ledger
    .filter(({ state }) => state === 'unknown')
    .map(({ kind, upstream, quietUntil }) => {
      const { settlingMs } = upstreams.find(upstream)?.platform ?? upstreams;
      // This process has known of an order since before; what it sent to ask itself ended later. One that lies further
      // ahead was written before the calendar went back.
      const byCalendar = kind === 'resend' ? Math.min((quietUntil ?? 0) - clock.now(), settlingMs) : 0;
      return Math.max(byCalendar, settlingMs - knownForMs);
    });
  return {
    ...{
      isOfStock: doubt.mode === 'database',
      othersHadIt,
      isPatienceOver,
      ...age,
      knownForMs,
      watchedMs,
    },
    untilFinalMs: Math.ceil(Math.max(...ofAttempts, 0)),
    isAsked: hadEarlier,
    isRestored: store.lost !== undefined && doubt.createdAt <= store.lost.until,
  };
}

/** A code of the stock that the lost time spent for another order, which is kept: nothing was redeemed for this one. */
function isOfLostTime(
  { recordLost }: ReconcileDeps,
  tables: Tables,
  { id, ...doubt }: OpenDoubt['doubt'],
  { told, verdict }: { told: CodeOutcome; verdict: DoubtVerdict },
): boolean {
  const { accountId, gameId, denomination, codeId, mode, code } = doubt;
  if (verdict.status !== 'conceded' || told.status !== 'redeemed' || mode === 'direct') return false;
  if (denomination === null || codeId === null || tables.redemptions.get(id).state !== 'in_doubt')
    return false;
  const spent = { accountId, gameId, denomination, id: codeId, code, isAnothers: true };
  return recordLost(tables, spent, told);
}
