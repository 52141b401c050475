// Writing down how a doubt ends, in one transaction with its notices; whoever settled it before is right, and nothing
// is told twice.
import type { RedeemOutcome } from '../../platform/port.ts';
import type { AnsweredAttempt, Store, StoredRedemption, Tables } from '../../store/index.ts';
import { HOUR_MS } from '../../clock.ts';
import { backOff } from '../../waiting.ts';
import type { ErrorCode } from '../error-policy.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { noteLook, type LookSaid } from '../receipts/looks.ts';
import { toStoredAnswer } from './after-attempt.ts';
import type { Decision } from './decide-doubt.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import { awaitLogin } from './late-logins.ts';
import { isUnasked } from './unasked.ts';
import type { DoubtOutcome } from './outcome-metrics.ts';
import {
  settleFailed,
  settleRedeemed,
  settleReturned,
  notifyDoubtSettled,
  toStoredReceipt,
} from './settle.ts';

/** By what a decision is known. */
interface DecidedBy {
  proof: 'lookup' | 'record' | 'resend';
  /** The upstream that told of the code. */
  toldBy?: string | undefined;
  /** The attempt that it is of; the first unknown order where it is not said. */
  n?: number;
  answered?: AnsweredAttempt;
  /** One that was sent to ask, and was refused. */
  passed?: { n: number; outcome: Extract<RedeemOutcome, { status: 'refused' }> };
}

export type DoubtVerdict = Decision & { by?: DecidedBy };

export type Conclusion = DoubtOutcome | 'settledBefore' | 'postponed';

interface ConcludeDeps {
  store: Pick<Store, 'lastCodeBeforeLoss'>;
  witnesses: Pick<Witnesses, 'canProve'>;
  games: Games;
  clock: { now(): number };
  lookPauseMs: number;
}

export const LONGEST_PAUSE_MS = HOUR_MS;

/** Why a person must look; it stands on the record, by which it is told once. */
const HELD =
  'The platform says that this code was redeemed for this player, perhaps before this redemption began: a person has to decide.';
const NOT_SENT_AGAIN =
  'The platform does not tell what became of this code, and it is not sent again: a person has to decide.';

/** `untilFinalMs`: how long "not redeemed" may still turn into "redeemed". */
export function conclude(
  deps: ConcludeDeps,
  tables: Tables,
  doubt: StoredRedemption,
  verdict: DoubtVerdict,
  untilFinalMs: number,
): Conclusion {
  const now = deps.clock.now();
  const { id } = doubt;
  const { proof, toldBy, n, answered, passed }: DecidedBy = verdict.by ?? { proof: 'lookup' };
  switch (verdict.status) {
    case 'received': {
      const receipt = toStoredReceipt(
        verdict.receipt,
        verdict.warning,
        receiptFamilyOf(deps.games, doubt.gameId),
      );
      if (passed) passResend(tables, id, passed, now);
      const spentBy = findSpender(tables, id, n);
      const witness = toldBy === spentBy?.upstream ? undefined : toldBy;
      const told = { n: spentBy?.n ?? 1, witness, answered };
      const isSettled = settleRedeemed(tables, doubt, receipt, proof, now, told);
      if (isSettled && verdict.loginAwaited) awaitLogin(tables, doubt, now);
      return end(isSettled, 'redeemed');
    }
    case 'conceded': {
      const message = 'The platform says that this code was redeemed for someone else.';
      const told = { witness: findOther(tables, id, toldBy) };
      const isLost = isUnasked(deps, tables, doubt);
      const failure = { errorCode: 'CODE_USED', message, asked: true, proof, told, isLost } as const;
      return end(settleFailed(tables, doubt, failure, now), 'spentElsewhere');
    }
    case 'returned': {
      const kept = { errorCode: (doubt.errorCode ?? 'UNKNOWN') as ErrorCode, message: doubt.errorMessage };
      const told = { proof, witness: findOther(tables, id, toldBy) };
      return end(settleReturned(tables, doubt, kept, now, told), 'returned');
    }
    case 'held':
      holdDoubt(tables, doubt, verdict.why === 'notSentAgain' ? NOT_SENT_AGAIN : HELD, now);
      return 'postponed';
    case 'postponed':
      // "Not redeemed" is final as soon as the period is over, however long the pauses had grown in processes that
      // ended before.
      postpone(deps, tables, doubt, {
        longestMs: verdict.why === 'notFinal' ? untilFinalMs : LONGEST_PAUSE_MS,
        said: verdict.why,
      });
      return 'postponed';
  }

  function end(isSettled: boolean, outcome: DoubtOutcome): Conclusion {
    if (!isSettled) return 'settledBefore';
    notifyDoubtSettled(tables, doubt, outcome, now);
    return outcome;
  }
}

/** The first unknown order is the one that has spent the code, else the first unknown one. */
export function findSpender(tables: Tables, id: number, n: number | undefined) {
  const open = tables.attempts.list(id).filter(({ state }) => state === 'unknown' || state === 'open');
  return n === undefined
    ? (open.find(({ kind, state }) => kind === 'order' && state === 'unknown') ?? open[0])
    : open.find((row) => row.n === n);
}

/** The one that told, where nothing of it was sent there. */
function findOther(tables: Tables, id: number, toldBy: string | undefined): string | undefined {
  const isOwn = tables.attempts.list(id).some(({ upstream }) => upstream === toldBy);
  return isOwn ? undefined : toldBy;
}

function passResend(
  tables: Tables,
  id: number,
  { n, outcome }: NonNullable<DecidedBy['passed']>,
  now: number,
): void {
  const { errorCode, message, answer } = outcome;
  tables.attempts.pass(
    id,
    n,
    { proof: 'answer', answered: { ...toStoredAnswer(answer), errorCode, message } },
    now,
  );
}

function holdDoubt(
  tables: Tables,
  { id, accountId, errorMessage, looksTold }: StoredRedemption,
  why: string,
  now: number,
): void {
  const isHeld = tables.doubts.hold(id, why, noteLook(looksTold, 'held', now));
  if (!isHeld || errorMessage === HELD || errorMessage === NOT_SENT_AGAIN) return;
  writeNotice(tables, { kind: 'doubtHeld', accountId: null, ofAccount: accountId, redemptionId: id }, now);
}

/** Looks at it later, not later than that; and notes what this look said. */
export function postpone(
  { lookPauseMs, clock }: Pick<ConcludeDeps, 'lookPauseMs' | 'clock'>,
  tables: Tables,
  { id, looks, looksTold }: Pick<StoredRedemption, 'id' | 'looks' | 'looksTold'>,
  { longestMs, said }: { longestMs: number; said: LookSaid },
): void {
  const now = clock.now();
  const nextLookAt = now + backOff(lookPauseMs, longestMs)(looks + 1);
  tables.redemptions.postpone(id, nextLookAt, noteLook(looksTold, said, now));
}
