// From begun to settled or in doubt: the code verified where it must be, one attempt at the platform, its outcome written until
// it is written. Once a code is taken nothing throws any more: what is not certain is in doubt, and reconcile.ts finds the truth.
import type { Clock } from '../../clock.ts';
import type { Store, StoredReceipt, Tables } from '../../store/index.ts';
import type { Game } from '../games.ts';
import type { Contest } from '../contest.ts';
import type { CoreLog } from '../log.ts';
import { toRedemption, type RecordRow, type Redemption } from '../receipts/receipts.ts';
import { attemptRedemption, type CheckedOutcome } from './attempt.ts';
import type { Begun } from './begin.ts';
import { verifyCode, type CheckUnspent } from './check-unspent.ts';
import type { KeepRecovered } from './keep-recovered.ts';
import { findDoubtfulAttempts } from './decide-doubt.ts';
import { writeUntilWritten, type InFlight } from './in-flight.ts';
import { fallInDoubt, settleRedeemed, settleRefused, toStoredReceipt } from './settle.ts';

export interface ExecuteDeps {
  store: Store;
  checkUnspent: CheckUnspent;
  keepRecovered: KeepRecovered;
  contest: Pick<Contest, 'isContested'>;
  clock: Clock;
  log: CoreLog;
  inFlight: InFlight;
  platformTimeoutMs: number;
}

/** Left between the last word of the platform and the answer, for writing it down. */
const SETTLE_WITHIN_MS = 500;
/** A timer may fire early by as much as its turn of the event loop is old: what is written so shortly before is late, too. */
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
  const write = <T>(work: (tables: Tables) => T) => writeUntilWritten(deps, { redemptionId: begun.id }, work);
  try {
    let current = begun;
    if (begun.unverified) {
      const verified = await verifyCode({ ...deps, write, isLate }, begun, limits);
      if (verified.status === 'settled') return toRedemption(verified.redemption);
      current = verified.begun;
    }
    const outcome = await attemptRedemption(current.upstream.platform, clock, current, game, limits);
    return await write((tables) => settle({ ...deps, isLate }, tables, current, game, outcome));
  } catch (error) {
    // The process ends, and its disk fails: the row stays pending, and the next start finds it.
    log.error({ err: error, redemptionId: begun.id }, 'a redemption was left open');
    return describeOpen(begun, clock.now());
  }
}

/** Writes an outcome down, and tells the record as it stands then. It was settled already: nothing changes. */
function settle(
  { clock, contest, isLate }: ExecuteDeps & { isLate: () => boolean },
  tables: Tables,
  begun: Begun,
  game: Game,
  outcome: CheckedOutcome,
): Redemption {
  const now = clock.now();
  const { platform } = begun.upstream;
  const until = { nextLookAt: now + platform.lookPauseMs, quietUntil: now + platform.settlingMs };
  switch (outcome.status) {
    case 'redeemed': {
      const receipt = toStoredReceipt(outcome.receipt, outcome.warning, game);
      // What was written this moment is known: it is not read and opened again.
      if (settleRedeemed(tables, begun, receipt, 'answer', now)) return describeRedeemed(begun, receipt, now);
      break;
    }
    case 'refused': {
      const { errorCode, message, asked, usedByPlayer, neverSent } = outcome;
      // A gateway that repeats our request says "used by this player" of a code that nobody else had in hand. "Used" right after an attempt of ours that nobody knew the end of, or by a machine beside this one, means "ask", not "failed".
      const isAsked = () => {
        const { earlierAt, othersHadIt } = findDoubtfulAttempts(tables, begun);
        const isOurs = usedByPlayer === true && begun.mode === 'database' && !othersHadIt;
        return isOurs || contest.isContested() || earlierAt !== undefined;
      };
      if (errorCode === 'CODE_USED' && isAsked()) {
        fallInDoubt(tables, begun, { errorCode: 'UNKNOWN', message, said: errorCode }, until, now);
      } else {
        const proof = neverSent ? 'never_sent' : 'answer';
        settleRefused(tables, begun, { errorCode, message, asked, proof }, { now, isLate: isLate() });
      }
      break;
    }
    case 'unknown':
      fallInDoubt(tables, begun, outcome, until, now);
  }
  return toRedemption(tables.redemptions.get(begun.id));
}

function describeRedeemed(begun: Begun, receipt: StoredReceipt, now: number): Redemption {
  const end = { state: 'redeemed', settledAt: now, errorCode: null, errorMessage: null } as const;
  return toRedemption({ ...rowOf(begun, now), ...end, ...receipt });
}

/** What is answered where the end is not written, and perhaps nothing can be read: unknown, the code held. */
export function describeOpen(begun: Begun, now: number): Redemption {
  return toRedemption(rowOf(begun, now));
}

/** The row as it stands while nothing is known of the end. */
function rowOf(begun: Begun, now: number): RecordRow {
  return {
    ...begun,
    tookMs: Math.max(0, now - begun.createdAt),
    state: 'pending',
    settledAt: null,
    errorCode: 'UNKNOWN',
    errorMessage: 'The outcome is not recorded yet.',
    codeReset: false,
    ...NO_RECEIPT,
  };
}

const NO_RECEIPT = {
  ...{ openid: null, playerName: null, region: null, productName: null, amount: null },
  ...{ warning: false, credentials: null },
} as const;
