// A doubt as a task, written with the doubt: a look (doubt-look.ts) after growing pauses, for ever, and how it ends, in one
// transaction with its notices. What no look ends waits for a person. The same task asks for a login that comes late
// (late-logins.ts).
import { HOUR_MS, MINUTE_MS, type CoreClock } from '../../clock.ts';
import type { Store, StoredRedemption, Tables } from '../../store/index.ts';
import { backOff } from '../../waiting.ts';
import { receiptFamilyOf, type Games } from '../games.ts';
import { writeNotice } from '../notices/notices.ts';
import { askHold } from '../promises.ts';
import { noteLook } from '../receipts/looks.ts';
import type { TaskEnd, TaskHandler } from '../tasks/run-task.ts';
import { tellCase } from '../upstreams/cases.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import { findSpender, readDoubt, type LookDeps, type Watched } from './doubt-known.ts';
import { createLook, type LookEnd } from './doubt-look.ts';
import { askForLogin, askLater, awaitLogin, type AwaitedLogin } from './late-logins.ts';
import type { DoubtOutcome, OutcomeMetrics } from './outcome-metrics.ts';
import type { RecordLost, Redeemed } from './record-lost.ts';
import {
  notifyDoubtSettled,
  settleFailed,
  settleRedeemed,
  settleReturned,
  toStoredReceipt,
} from './settle.ts';
import { isUnasked } from './take-code.ts';

export interface DoubtTaskDeps extends LookDeps {
  games: Games;
  recordLost: RecordLost;
  outcomeMetrics: Pick<OutcomeMetrics, 'settled'>;
}

/** What the task holds. */
interface Kept extends Partial<Watched> {
  id: number;
  login?: AwaitedLogin;
}

const LOOKS_AT_ONCE = 50;
const LONGEST_PAUSE_MS = HOUR_MS;
/** More than this between two looks nobody has watched it. */
const LONGEST_GAP_MS = 20 * MINUTE_MS;

export function createDoubtHandler(deps: DoubtTaskDeps): TaskHandler {
  const { store, clock, upstreams, outcomeMetrics } = deps;
  const look = createLook(deps);

  async function run(task: { id: number }, kept: Kept): Promise<TaskEnd> {
    const { id, login } = kept;
    const open = store.read((tables) => readDoubt(tables, id));
    if (!open) return login ? askForLogin(deps, id, login) : { state: 'done' };
    const now = clock.monotonicNow();
    const { since = now, lookedAt = now, watchedMs = 0 } = kept;
    const watched = { since, lookedAt: now, watchedMs: watchedMs + Math.min(now - lookedAt, LONGEST_GAP_MS) };
    const end = await look(open, watched);
    const conclusion = await store.write((tables) =>
      conclude(deps, tables, { ...open.doubt, taskId: task.id }, end),
    );
    if (conclusion !== 'postponed' && conclusion !== 'settledBefore') outcomeMetrics.settled(id, conclusion);
    if (conclusion === 'redeemed' && end.then === 'spent' && end.loginAwaited) return askLater(id, 0, clock);
    if (conclusion !== 'postponed') return { state: 'done' };
    const next = {
      state: 'next',
      payload: JSON.stringify({ id, ...watched }),
      waitsFor: askHold(id),
    } as const;
    if (end.then === 'person') return next;
    // "Not redeemed" is final as soon as the period is over, however long the pauses have grown.
    const untilFinalMs = (end.then === 'wait' ? end.untilFinalMs : undefined) ?? LONGEST_PAUSE_MS;
    const pauseMs = backOff(
      upstreams.lookPauseMs,
      Math.min(untilFinalMs, LONGEST_PAUSE_MS),
    )(open.doubt.looks + 1);
    return { ...next, until: clock.now() + pauseMs };
  }

  return {
    atOnce: LOOKS_AT_ONCE,
    isOfOpenRow: true,
    // One whose payload does not open any more is looked at all the same.
    run: ({ id, key, payload }) =>
      run({ id }, payload === undefined ? { id: Number(key?.split(':')[1]) } : (JSON.parse(payload) as Kept)),
    // Where the store fails, the platform is not asked in a loop.
    retryMs: backOff(MINUTE_MS, LONGEST_PAUSE_MS),
  };
}

type Conclusion = DoubtOutcome | 'settledBefore' | 'postponed';

interface ConcludeDeps {
  store: Pick<Store, 'lastCodeBeforeLoss'>;
  witnesses: Pick<Witnesses, 'canProve'>;
  upstreams: Pick<Upstreams, 'pauseBelied'>;
  recordLost: RecordLost;
  games: Games;
  clock: CoreClock;
}

/** Why a person must look; it stands on the record, by which it is told once. */
const HELD =
  'The platform says that this code was redeemed for this player, perhaps before this redemption began: a person has to decide.';
const NOT_SENT_AGAIN =
  'The platform does not tell what became of this code, and it is not sent again: a person has to decide.';

/** Writes down what a look has come to; whoever settled it before is right, and nothing is told twice. */
function conclude(
  deps: ConcludeDeps,
  tables: Tables,
  doubt: StoredRedemption & { taskId: number },
  look: LookEnd,
): Conclusion {
  const now = deps.clock.now();
  const { id, gameId } = doubt;
  switch (look.then) {
    case 'spent': {
      const { proof, n, toldBy, answered, passed, loginAwaited } = look;
      const receipt = toStoredReceipt(look.receipt, look.warning, receiptFamilyOf(deps.games, gameId));
      if (passed) tables.attempts.pass(id, passed.n, { proof: 'answer', answered: passed.answered }, now);
      const spentBy = findSpender(tables, id, n);
      const witness = toldBy === spentBy?.upstream ? undefined : toldBy;
      const told = { n: spentBy?.n ?? 1, witness, answered };
      const isSettled = settleRedeemed(tables, doubt, receipt, proof, now, told);
      if (isSettled && loginAwaited) awaitLogin(tables, doubt, deps.clock);
      return end(isSettled, 'redeemed');
    }
    case 'lost':
      return keepLost(deps, tables, doubt, look.told) ? 'returned' : concede(look);
    case 'conceded':
      return concede(look);
    case 'returned': {
      const kept = { errorCode: doubt.errorCode ?? 'UNKNOWN', message: doubt.errorMessage };
      const told = { proof: look.proof, witness: findOther(tables, id, look.toldBy) };
      return end(settleReturned(tables, doubt, kept, now, told), 'returned');
    }
    case 'person':
      holdDoubt(tables, doubt, look.why === 'mayBeBefore' ? HELD : NOT_SENT_AGAIN, now);
      return 'postponed';
    case 'wait':
      tables.redemptions.noteLook(id, noteLook(doubt.looksTold, look.said, now));
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

/** The one that told, where nothing of it was sent there. */
function findOther(tables: Tables, id: number, toldBy: string | undefined): string | undefined {
  const isOwn = tables.attempts.list(id).some(({ upstream }) => upstream === toldBy);
  return isOwn ? undefined : toldBy;
}

function holdDoubt(
  tables: Tables,
  { id, accountId, errorMessage, looksTold }: StoredRedemption,
  why: string,
  now: number,
): void {
  const isHeld = tables.redemptions.noteLook(id, noteLook(looksTold, 'held', now), why);
  if (!isHeld || errorMessage === HELD || errorMessage === NOT_SENT_AGAIN) return;
  writeNotice(tables, { kind: 'doubtHeld', accountId: null, ofAccount: accountId, redemptionId: id }, now);
}
