// What is known of a doubt before anybody is asked, as it stands in a transaction.
import { DAY_MS, HOUR_MS, type CoreClock } from '../../clock.ts';
import type { Upstream } from '../../platform/port.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import type { Contest } from '../contest.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import type { KnownOfDoubt } from './doubt-rules.ts';
import type { InFlight } from './in-flight.ts';
import { isStillWanted } from './still-wanted.ts';

export interface LookDeps {
  store: Store;
  upstreams: Upstreams;
  witnesses: Witnesses;
  contest: Pick<Contest, 'isContested'>;
  clock: CoreClock;
  inFlight: InFlight;
}

export type SentRow = ReturnType<Tables['attempts']['list']>[number];

/** A doubt with what was sent of it. */
export interface OpenDoubt {
  doubt: StoredRedemption & { code: string };
  ledger: readonly SentRow[];
}

/** Since when it is looked at, when it was last, and how much of that again and again: on the monotonic scale. */
export interface Watched {
  since: number;
  lookedAt: number;
  watchedMs: number;
}

export interface Known extends KnownOfDoubt {
  ageMs: number;
  /** Whether this process has measured that itself: no calendar has a part in it. */
  isMeasured: boolean;
  /** Whether another account has ever had this code in doubt. */
  othersHadIt: boolean;
  /** Whether a receipt that could not be shown was asked for often enough. */
  isPatienceOver: boolean;
  /** How long "not redeemed" may still turn into "redeemed"; 0 or less: it is final. */
  untilFinalMs: number;
  /** The attempt that may be repeated, at an upstream that is there. */
  repeatable: Repeatable | undefined;
}

export interface Repeatable {
  row: SentRow;
  upstream: Upstream;
}

/** A witness that does not answer is waited for, before the code is sent again. */
const WAITED_FOR_MS = HOUR_MS;
/** So long nothing may come that ends it, whoever could tell, before a person is asked. */
const STUCK_AFTER_MS = 6 * HOUR_MS;
/** So long, and so often, a receipt is asked for that cannot be shown, before it is settled without its login. */
const RECEIPT_AWAITED_MS = DAY_MS;
const RECEIPT_LOOKS = 10;
const ALIKE_REFUSALS = 5;
const SENT_FOR_MS = 6 * HOUR_MS;

/** undefined where it is in doubt no more. */
export function readDoubt(tables: Tables, id: number): OpenDoubt | undefined {
  const { code, ...doubt } = tables.redemptions.get(id);
  if (doubt.state !== 'in_doubt') return undefined;
  if (code === null) throw new Error(`Redemption ${id} is in doubt without a code.`);
  return { doubt: { ...doubt, code }, ledger: tables.attempts.list(id) };
}

/** What is known of a doubt, as it stands. */
export function readKnown(
  deps: LookDeps,
  tables: Tables,
  { doubt, ledger }: OpenDoubt,
  { since, lookedAt, watchedMs }: Watched,
): Known {
  const { store, upstreams, clock, contest, inFlight } = deps;
  const { othersHadIt, hadEarlier } = findDoubtfulAttempts(tables, doubt);
  const age = measureAge(tables, doubt, clock);
  const isRestored = store.lost !== undefined && doubt.createdAt <= store.lost.until;
  const repeatable = findRepeatable(ledger, upstreams);
  const resends = ledger.filter(({ kind, proof }) => kind === 'resend' && proof !== 'never_sent');
  const untilFinalMs = (findQuietAt(deps, ledger) ?? Infinity) - clock.monotonicNow();
  // The first look after a night in which nobody looked is no patience.
  const wasWaitedFor = (ms: number) => lookedAt - since >= ms && watchedMs >= Math.min(ms / 2, 2 * HOUR_MS);
  return {
    ...age,
    ...{ othersHadIt, hadEarlier, isRestored, repeatable, untilFinalMs },
    isPatienceOver: age.ageMs >= RECEIPT_AWAITED_MS && doubt.looks + 1 >= RECEIPT_LOOKS,
    isOursAlone: doubt.mode === 'database' && !othersHadIt,
    isQuiet: untilFinalMs <= 0,
    isWaitedFor: wasWaitedFor(WAITED_FOR_MS),
    isStuck: wasWaitedFor(STUCK_AFTER_MS),
    wasSentAgain: resends.length > 0,
    isHeldBack: contest.isContested() || inFlight.giveUp.signal.aborted,
    maySend:
      !isRestored &&
      !isSentEnough(ledger, resends, clock.monotonicNow()) &&
      repeatable !== undefined &&
      isStillWanted(tables, doubt, repeatable.upstream, clock.now()),
  };
}

/**
 * When nothing that was sent can be carried out any more, on the monotonic scale; undefined while something is being
 * sent. What was sent before this process began is quiet no sooner than if it had been sent then: that scale may have been
 * another.
 */
export function findQuietAt(
  { upstreams, clock }: { upstreams: Pick<Upstreams, 'find' | 'settlingMs'>; clock: CoreClock },
  ledger: readonly Pick<SentRow, 'state' | 'upstream' | 'quietUntil'>[],
): number | undefined {
  if (ledger.some(({ state }) => state === 'open')) return undefined;
  const ofAttempts = ledger
    .filter(({ state }) => state === 'unknown')
    .map(({ upstream, quietUntil }) => {
      const { settlingMs } = upstreams.find(upstream)?.platform ?? upstreams;
      const isOfThisScale = (quietUntil ?? 0) <= clock.monotonicNow() + upstreams.settlingMs;
      return Math.max(isOfThisScale ? (quietUntil ?? 0) : 0, clock.begunAt + settlingMs);
    });
  return Math.max(...ofAttempts, 0);
}

/** Whether nothing more is learned by sending it. */
function isSentEnough(ledger: OpenDoubt['ledger'], resends: readonly SentRow[], now: number): boolean {
  const last = resends.at(-1)?.errorCode;
  if (last === 'CODE_USED' || last === 'RISK_CONTROL') return true;
  const first = ledger.find(({ kind }) => kind === 'resend');
  if (first && now - first.begunAt >= SENT_FOR_MS) return true;
  const alike = resends.slice(-ALIKE_REFUSALS);
  return (
    alike.length === ALIKE_REFUSALS &&
    alike.every(({ errorCode }) => errorCode !== 'UNKNOWN' && errorCode === last)
  );
}

/** The first unknown order is the one that has spent the code, else the first unknown one. */
export function findSpender(tables: Tables, id: number, n: number | undefined) {
  const open = tables.attempts.list(id).filter(({ state }) => state === 'unknown' || state === 'open');
  return n === undefined
    ? (open.find(({ kind, state }) => kind === 'order' && state === 'unknown') ?? open[0])
    : open.find((row) => row.n === n);
}

/** Of an order first, and then of what was sent to ask. */
function findRepeatable(
  ledger: OpenDoubt['ledger'],
  upstreams: Pick<Upstreams, 'find'>,
): Repeatable | undefined {
  const unknown = ledger.filter(({ state }) => state === 'unknown');
  for (const row of [...unknown.filter(({ kind }) => kind === 'order'), ...unknown]) {
    const upstream = upstreams.find(row.upstream);
    if (upstream) return { row, upstream };
  }
  return undefined;
}

/** What began longer before has nothing to do with this one. */
const TOGETHER_MS = DAY_MS;

/**
 * Of the attempts at this code beside this one: whether this account had one for this player in doubt, from a day before
 * it on, which was not proven to be somebody else's; and whether another account ever sent it: an answer of *not spent*
 * may have been wrong.
 */
export function findDoubtfulAttempts(
  tables: Tables,
  attempt: Pick<StoredRedemption, 'id' | 'accountId' | 'gameId' | 'playerId' | 'createdAt'> & {
    code: string;
  },
): { hadEarlier: boolean; othersHadIt: boolean } {
  const { id, accountId, gameId, code, playerId, createdAt } = attempt;
  const hash = tables.redemptions.hashOf(gameId, code);
  const since = createdAt - TOGETHER_MS;
  const { own, others } = tables.redemptions.findDoubtful({ id, accountId, gameId, hash, playerId, since });
  return { hadEarlier: own, othersHadIt: others };
}

/**
 * How long ago a redemption began, by when it was charged: on the scale that no jump of the calendar moves, and whether
 * this process has measured that. What an earlier one began may be older, as the calendar tells it: a machine can start
 * behind. An earlier doubt at the same code makes it no older: what that had sent was not spent.
 */
function measureAge(tables: Tables, { usageId, createdAt }: StoredRedemption, clock: CoreClock) {
  const begunAt = usageId === null ? undefined : tables.quota.usedAt(usageId);
  if (begunAt === undefined) return { ageMs: 0, isMeasured: false };
  const isMeasured = begunAt >= clock.begunAt;
  const byCalendarMs = isMeasured ? 0 : clock.now() - createdAt;
  return { ageMs: Math.max(clock.monotonicNow() - begunAt, byCalendarMs), isMeasured };
}
