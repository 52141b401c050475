// From begun to settled or in doubt: the code verified where it must be, one attempt at the platform, its outcome
// written until it is written. Once a code is taken nothing throws any more: what is not certain is in doubt, and
// doubt-task.ts finds the truth. What the table of outcomes calls not spent may be sent to another upstream; what no row of
// it knows is in doubt.
import type { Clock, CoreClock } from '../../clock.ts';
import type { Store, StoredReceipt, Tables, AnsweredAttempt } from '../../store/index.ts';
import type { Game } from '../games.ts';
import type { Contest } from '../contest.ts';
import type { Logger } from '../../log.ts';
import type { Redemption } from '../receipts/receipts.ts';
import type { ChosenUpstream, Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import { attemptRedemption, LEAST_MS, type AttemptLimits, type CheckedOutcome } from './attempt.ts';
import { type Begun, noteSent } from './begin.ts';
import { verifyCode, type CheckUnspent } from './check-unspent.ts';
import type { RecordLost } from './record-lost.ts';
import { findDoubtfulAttempts } from './doubt-known.ts';
import { isUnasked } from './take-code.ts';
import { writeUntilWritten, type InFlight } from './in-flight.ts';
import { isStillWanted } from './still-wanted.ts';
import { fallInDoubt, NO_RECEIPT, settleRedeemed, settleRefused, toStoredReceipt } from './settle.ts';
import type { StoredAnswer } from '../../platform/port.ts';
import { SERVICE_FAULTS } from '../upstreams/circuit-breaker.ts';

export interface ExecuteDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'choose' | 'note' | 'pauseRefusing' | 'pauseBelied'>;
  checkUnspent: CheckUnspent;
  recordLost: RecordLost;
  witnesses: Pick<Witnesses, 'canTell' | 'canProve'>;
  contest: Pick<Contest, 'isContested'>;
  clock: CoreClock;
  log: Logger;
  inFlight: InFlight;
  platformTimeoutMs: number;
}

/** Left between the last word of the platform and the answer, for writing it down. */
const SETTLE_WITHIN_MS = 500;
/**
 * A timer may fire early by as much as its turn of the event loop is old: what is written so shortly before is late,
 * too.
 */
const EARLY_BY_MS = 50;

/** The record as it stands in the end; `deadline` in `clock.elapsed()`. Never rejects, whatever the disk does. */
export async function execute(
  deps: ExecuteDeps,
  begun: Begun,
  game: Game,
  deadline: number,
): Promise<Redemption> {
  const { clock, inFlight, log } = deps;
  const limits = {
    platformTimeoutMs: deps.platformTimeoutMs,
    deadline: deadline - SETTLE_WITHIN_MS,
    signal: inFlight.giveUp.signal,
  };
  const isLate = () => clock.elapsed() >= deadline - EARLY_BY_MS;
  const write = <T>(work: (tables: Tables) => T) =>
    writeUntilWritten(deps, { redemptionId: begun.id }, work, begun.accountId);
  try {
    let current = begun;
    if (begun.unverified) {
      const verified = await verifyCode({ ...deps, write, isLate }, begun, limits);
      if (verified.status === 'settled') return verified.redemption;
      current = verified.begun;
    }
    return await sendUntilEnded({ ...deps, write, isLate }, current, game, limits);
  } catch (error) {
    // The process ends, and its disk fails: the row stays pending, and the next start finds it.
    log.error({ err: error, redemptionId: begun.id }, 'a redemption was left open');
    return describeOpen(begun, clock.now());
  }
}

interface Sending extends ExecuteDeps {
  write: <T>(work: (tables: Tables) => T) => Promise<T>;
  isLate: () => boolean;
}

/** One attempt, and as long as its end says that another upstream may be tried, the next. */
async function sendUntilEnded(
  deps: Sending,
  begun: Begun,
  game: Game,
  limits: AttemptLimits,
): Promise<Redemption> {
  const { clock, upstreams, write } = deps;
  let current = begun;
  let earlier = NOTHING_EARLIER;
  for (;;) {
    const sent = current;
    const { id, n, upstream } = sent;
    const own = { redemptionId: id, n, upstream: upstream.name };
    const saveJobId = (theirId: string) => write(({ attempts }) => attempts.saveJobId({ ...own, theirId }));
    const outcome = await attemptRedemption(upstream.platform, clock, sent, game, { ...limits, saveJobId });
    const next = chooseNext(deps, sent, earlier, outcome, limits);
    const step = await write((tables): { redemption: Redemption } | { next: Begun } => {
      upstreams.pauseRefusing(tables, { upstream, outcome }, clock.now());
      const mayGoOn = next && isStillWanted(tables, sent, next.upstream, clock.now());
      if (outcome.status !== 'refused' || !mayGoOn)
        return { redemption: settle(deps, tables, sent, game, { outcome, earlier }) };
      return { next: moveOn(tables, sent, outcome, next, clock.now()) };
    });
    upstreams.note({ upstream, order: sent, outcome }, isOver(limits, clock));
    if ('redemption' in step) return step.redemption;
    earlier = {
      upstreams: [...earlier.upstreams, upstream.name],
      wereNeverSent: earlier.wereNeverSent && outcome.status === 'refused' && outcome.neverSent === true,
    };
    current = step.next;
  }
}

/** Nothing more can be sent for want of time, or since the process stops. */
const isOver = ({ deadline, signal }: AttemptLimits, clock: Clock): boolean =>
  signal.aborted || clock.elapsed() >= deadline - LEAST_MS;

/** Where it is sent next; undefined where this was the end. */
function chooseNext(
  { upstreams, clock, isLate }: Sending,
  { upstream, gameId, denomination, uuid }: Begun,
  earlier: Earlier,
  outcome: CheckedOutcome,
  { deadline, signal }: AttemptLimits,
): ChosenUpstream | undefined {
  if (outcome.status !== 'refused' || signal.aborted || isLate()) return undefined;
  if (!mayGoOn(outcome, earlier, deadline - clock.elapsed())) return undefined;
  const tried = [...earlier.upstreams, upstream.name];
  return upstreams.choose({ gameId, denomination, uuid, tried });
}

/** Writes an outcome down, and tells the record as it stands then. It was settled already: nothing changes. */
function settle(
  { store, upstreams, witnesses, clock, contest, isLate }: Sending,
  tables: Tables,
  begun: Begun,
  game: Game,
  { outcome, earlier }: { outcome: CheckedOutcome; earlier: Earlier },
): Redemption {
  const now = clock.now();
  const { n } = begun;
  const { platform } = begun.upstream;
  const quietAtOnce = clock.monotonicNow();
  const until = { nextLookAt: now + platform.lookPauseMs, quietUntil: quietAtOnce + platform.settlingMs };
  switch (outcome.status) {
    case 'redeemed': {
      const receipt = toStoredReceipt(outcome.receipt, outcome.warning, game);
      const told = { n, answered: toStoredAnswer(outcome.answer, false) };
      // What was written this moment is known: it is not read and opened again.
      if (settleRedeemed(tables, begun, receipt, 'answer', now, told))
        return describeRedeemed(begun, receipt, now);
      break;
    }
    case 'refused': {
      const { errorCode, message, asked, usedByPlayer, neverSent } = outcome;
      const told = { n, answered: toStoredAnswer(outcome.answer) };
      // A gateway that repeats our request says "used by this player" of a code that nobody else had in hand. "Used"
      // right after an attempt of ours that nobody knew the end of, or by a machine beside this one, means "ask", not
      // "failed".
      const isAsked = () => {
        const { hadEarlier, othersHadIt } = findDoubtfulAttempts(tables, begun);
        const isOurs = usedByPlayer === true && begun.mode === 'database' && !othersHadIt;
        return isOurs || contest.isContested() || hadEarlier;
      };
      const isEarlier = isOfEarlier(outcome, earlier);
      if (isEarlier || (errorCode === 'CODE_USED' && isAsked())) {
        // Nothing more comes of what was answered.
        const quiet = isEarlier ? { ...until, quietUntil: quietAtOnce } : until;
        fallInDoubt(tables, begun, { errorCode: 'UNKNOWN', message, said: errorCode, told }, quiet, now);
      } else {
        const proof = neverSent ? 'never_sent' : 'answer';
        const isLost = errorCode === 'CODE_USED' && isUnasked({ store, witnesses }, tables, begun);
        const failure = { errorCode, message, asked, proof, told, isLost } as const;
        settleRefused(tables, begun, failure, { now, isLate: isLate() });
        if (errorCode === 'CODE_USED') upstreams.pauseBelied(tables, now);
      }
      break;
    }
    case 'unknown': {
      const { errorCode, message } = outcome;
      const told = { n, answered: toStoredAnswer(outcome.answer) };
      fallInDoubt(tables, begun, { errorCode, message, told }, until, now);
    }
  }
  return tables.redemptions.get(begun.id);
}

function describeRedeemed(begun: Begun, receipt: StoredReceipt, now: number): Redemption {
  const end = { state: 'redeemed', settledAt: now, errorCode: null, errorMessage: null } as const;
  return { ...describeOpen(begun, now), ...end, ...receipt };
}

/** What is answered where the end is not written, and perhaps nothing can be read: unknown, the code held. */
export function describeOpen(begun: Begun, now: number): Redemption {
  const { id, accountId, actor, gameId, playerId, mode, denomination, code, createdAt } = begun;
  return {
    ...{ id, accountId, actor, gameId, playerId, mode, denomination, code, createdAt },
    ...{ doubtedAt: null, settledAt: null },
    tookMs: Math.max(0, now - createdAt),
    state: 'pending',
    errorCode: 'UNKNOWN',
    errorMessage: 'The outcome is not recorded yet.',
    codeReset: false,
    ...NO_RECEIPT,
  };
}

type Refused = Extract<CheckedOutcome, { status: 'refused' }>;

/**
 * What says that the code is spent, or was never one: after another upstream had it, an earlier "not spent" may have
 * been a lie.
 */
const OF_CODE: readonly Refused['errorCode'][] = ['CODE_USED', 'INVALID_CODE'];

/** Orders of one redemption, each to another upstream. */
const ORDERS_AT_MOST = 3;

/** What must be left of the time of a redemption for another order. */
const ANOTHER_NEEDS_MS = 12_000;

/** What was sent of a redemption before: nothing, nothing that left this machine, or something. */
interface Earlier {
  upstreams: readonly string[];
  wereNeverSent: boolean;
}

const NOTHING_EARLIER: Earlier = { upstreams: [], wereNeverSent: true };

/** Whether a refusal may be a word of an earlier attempt of this redemption, so that it decides nothing. */
const isOfEarlier = ({ errorCode }: Refused, earlier: Earlier): boolean =>
  OF_CODE.includes(errorCode) && !earlier.wereNeverSent;

/** Whether another upstream may be tried, where there is one and `leftMs` of the answer's time. */
const mayGoOn = (
  { errorCode, refusedUs, neverSent }: Refused,
  { upstreams }: Earlier,
  leftMs: number,
): boolean =>
  (neverSent === true || refusedUs === true || SERVICE_FAULTS.includes(errorCode)) &&
  upstreams.length + 1 < ORDERS_AT_MOST &&
  leftMs >= ANOTHER_NEEDS_MS;

/** Ends an attempt as not spent and begins the next, in one transaction; `begun`: as it is sent on. */
function moveOn(tables: Tables, begun: Begun, refused: Refused, chosen: ChosenUpstream, now: number): Begun {
  const { errorCode, message, neverSent, answer } = refused;
  const answered = { errorCode, message, ...toStoredAnswer(answer) };
  const proof = neverSent ? 'never_sent' : 'answer';
  tables.attempts.pass(begun.id, begun.n, { proof, answered }, now);
  const next = { ...begun, n: begun.n + 1, ...chosen };
  noteSent(tables, next, now);
  return next;
}

/** As the ledger keeps it; of what was redeemed the receipt stands in the redemption. */
export const toStoredAnswer = (
  { httpStatus, text, theirId }: StoredAnswer = {},
  isText = true,
): AnsweredAttempt => ({
  httpStatus,
  theirId,
  ...(isText && { text }),
});
