// Writing down how a doubt ends, in one transaction with its notices; whoever settled it before is right, and nothing
// is told twice.
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { HOUR_MS } from '../../clock.ts';
import { backOff } from '../../waiting.ts';
import type { ErrorCode } from '../error-policy.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { noteLook, type LookSaid } from '../receipts/looks.ts';
import { toStoredAnswer } from './after-attempt.ts';
import type { LookEnd } from './doubt-look.ts';
import type { RecordLost, Redeemed } from './record-lost.ts';
import { tellCase } from '../upstreams/cases.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
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

export type Conclusion = DoubtOutcome | 'settledBefore' | 'postponed';

interface ConcludeDeps {
  store: Pick<Store, 'lastCodeBeforeLoss'>;
  witnesses: Pick<Witnesses, 'canProve'>;
  upstreams: Pick<Upstreams, 'lookPauseMs' | 'pauseBelied'>;
  recordLost: RecordLost;
  games: Games;
  clock: { now(): number };
}

export const LONGEST_PAUSE_MS = HOUR_MS;

/** Why a person must look; it stands on the record, by which it is told once. */
const HELD =
  'The platform says that this code was redeemed for this player, perhaps before this redemption began: a person has to decide.';
const NOT_SENT_AGAIN =
  'The platform does not tell what became of this code, and it is not sent again: a person has to decide.';

/** Writes down what a look has come to. */
export function conclude(
  deps: ConcludeDeps,
  tables: Tables,
  doubt: StoredRedemption,
  look: LookEnd,
): Conclusion {
  const now = deps.clock.now();
  const { id, gameId } = doubt;
  switch (look.then) {
    case 'spent': {
      const { proof, n, toldBy, answered, passed, loginAwaited } = look;
      const receipt = toStoredReceipt(look.receipt, look.warning, receiptFamilyOf(deps.games, gameId));
      if (passed) passResend(tables, id, passed, now);
      const spentBy = findSpender(tables, id, n);
      const witness = toldBy === spentBy?.upstream ? undefined : toldBy;
      const told = { n: spentBy?.n ?? 1, witness, answered };
      const isSettled = settleRedeemed(tables, doubt, receipt, proof, now, told);
      if (isSettled && loginAwaited) awaitLogin(tables, doubt, now);
      return end(isSettled, 'redeemed');
    }
    case 'lost':
      return keepLost(deps, tables, doubt, look.told) ? 'returned' : concede(look);
    case 'conceded':
      return concede(look);
    case 'returned': {
      const kept = { errorCode: (doubt.errorCode ?? 'UNKNOWN') as ErrorCode, message: doubt.errorMessage };
      const told = { proof: look.proof, witness: findOther(tables, id, look.toldBy) };
      return end(settleReturned(tables, doubt, kept, now, told), 'returned');
    }
    case 'person':
      holdDoubt(tables, doubt, look.why === 'mayBeBefore' ? HELD : NOT_SENT_AGAIN, now);
      return 'postponed';
    case 'wait':
      // "Not redeemed" is final as soon as the period is over, however long the pauses had grown in processes that
      // ended before.
      postpone(deps, tables, doubt, { longestMs: look.untilFinalMs ?? LONGEST_PAUSE_MS, said: look.said });
      return 'postponed';
  }

  function concede({ proof, toldBy, accused }: Extract<LookEnd, { then: 'conceded' | 'lost' }>): Conclusion {
    const message = 'The platform says that this code was redeemed for someone else.';
    const told = { witness: findOther(tables, id, toldBy) };
    const isLost = isUnasked(deps, tables, doubt);
    const failure = { errorCode: 'CODE_USED', message, asked: true, proof, told, isLost } as const;
    const conclusion = end(settleFailed(tables, doubt, failure, now), 'spentElsewhere');
    if (conclusion === 'settledBefore') return conclusion;
    if (accused !== undefined)
      tellCase(
        tables,
        { upstream: accused, redemptionId: id, ofAccount: doubt.accountId, why: 'usedAfter' },
        now,
      );
    deps.upstreams.pauseBelied(tables, now);
    return conclusion;
  }

  function end(isSettled: boolean, outcome: DoubtOutcome): Conclusion {
    if (!isSettled) return 'settledBefore';
    notifyDoubtSettled(tables, doubt, outcome, now);
    return outcome;
  }
}

/** A code of the stock that the lost time spent for another order, which is kept: nothing was redeemed for this one. */
function keepLost(
  { recordLost }: ConcludeDeps,
  tables: Tables,
  { id }: Pick<StoredRedemption, 'id'>,
  told: Redeemed,
): boolean {
  const { accountId, gameId, denomination, codeId, mode, code, state } = tables.redemptions.get(id);
  if (mode === 'direct' || denomination === null || codeId === null || code === null) return false;
  return (
    state === 'in_doubt' &&
    recordLost(tables, { accountId, gameId, denomination, id: codeId, code, isAnothers: true }, told)
  );
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
  { n, outcome }: NonNullable<Extract<LookEnd, { then: 'spent' }>['passed']>,
  now: number,
): void {
  const { errorCode, message, answer } = outcome;
  const answered = { ...toStoredAnswer(answer), errorCode, message };
  tables.attempts.pass(id, n, { proof: 'answer', answered }, now);
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
  { upstreams, clock }: { upstreams: Pick<Upstreams, 'lookPauseMs'>; clock: { now(): number } },
  tables: Tables,
  { id, looks, looksTold }: Pick<StoredRedemption, 'id' | 'looks' | 'looksTold'>,
  { longestMs, said }: { longestMs: number; said: LookSaid },
): void {
  const now = clock.now();
  const nextLookAt = now + backOff(upstreams.lookPauseMs, longestMs)(looks + 1);
  tables.redemptions.postpone(id, nextLookAt, noteLook(looksTold, said, now));
}
