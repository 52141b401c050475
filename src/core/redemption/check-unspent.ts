// After a restored backup a code of the database may be spent in a past that the backup does not know: it is
// "unverified". The platform is asked about it when it is taken, before anything is sent; one that is spent is put
// aside and the next taken.
import type { Clock } from '../../clock.ts';
import type { CodeOutcome } from '../../platform/port.ts';
import type { StockKey, Store, StoredRedemption, Tables } from '../../store/index.ts';
import { within, pause } from '../../waiting.ts';
import { bookBelied } from '../upstreams/cases.ts';
import { watchStock } from '../notices/notices.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { Witnesses } from '../upstreams/witnesses.ts';
import type { AttemptLimits } from './attempt.ts';
import { noteSent, type Begun } from './begin.ts';
import type { RecordRecovered, Redeemed } from './record-recovered.ts';
import { isGiven } from './lost-times.ts';
import { type Failure, settleRefused } from './settle.ts';
import { takeNextCode } from './take-code.ts';

export type Verified =
  | { status: 'verified'; begun: Begun }
  /** No code was left that is known to be unspent, or the platform could not tell. */
  | { status: 'settled'; redemption: StoredRedemption };

interface VerifyDeps {
  checkUnspent: CheckUnspent;
  witnesses: Pick<Witnesses, 'canTell'>;
  /** Keeps a code as what the lost time carried out; false where it was spent by somebody else. */
  recordRecovered: RecordRecovered;
  store: Store;
  clock: Clock;
  /** Resolves when it is on disk. */
  write: <T>(work: (tables: Tables) => T) => Promise<T>;
  /** Whoever waits for the redemption was answered already. */
  isLate: () => boolean;
}

interface At {
  now: number;
  isLate: boolean;
}

/** What is left for the redemption itself. */
const RESERVED_MS = 25_000;

/**
 * Asks about unverified codes until one is unspent; where no upstream looks codes up it is sent as it is. Throws only
 * where writing does.
 */
export async function verifyCode(deps: VerifyDeps, begun: Begun, limits: AttemptLimits): Promise<Verified> {
  const { checkUnspent, witnesses, write, clock, isLate } = deps;
  if (!witnesses.canTell(begun.gameId)) {
    await write((tables) => noteSent(tables, begun, clock.now()));
    return { status: 'verified', begun: { ...begun, unverified: false } };
  }
  let current = begun;
  while (current.unverified) {
    const asked = current;
    const leftMs = limits.deadline - RESERVED_MS - clock.elapsed();
    const told = await checkUnspent(asked, leftMs, limits.signal);
    const step = await write((tables): Verified => {
      const now = clock.now();
      const next = advance(deps, tables, asked, told, { now, isLate: isLate() });
      if (next.status === 'verified' && !next.begun.unverified) noteSent(tables, next.begun, now);
      return next;
    });
    if (step.status === 'settled') return step;
    current = step.begun;
  }
  return { status: 'verified', begun: current };
}

function advance(deps: VerifyDeps, tables: Tables, begun: Begun, told: CodeOutcome, at: At): Verified {
  const codeId = begun.codeId;
  if (codeId === null) throw new Error(`Redemption ${begun.id} has no code to verify.`);
  switch (told.status) {
    case 'notRedeemed':
      tables.codes.confirmClaim(codeId);
      return { status: 'verified', begun: { ...begun, unverified: false } };
    case 'redeemed':
      return putAside(deps, tables, begun, { told, at, codeId });
    case 'underWay':
      // It may be so for long, and of this code alone: at the head of its denomination it would stop every order.
      return settled(tables, begun, at, { ...CANNOT_TELL, stepsBack: true });
    case 'unreachable':
      return settled(tables, begun, at, CANNOT_TELL);
  }
}

const CANNOT_TELL: Failure = {
  errorCode: 'NETWORK_ERROR',
  message: 'The platform could not tell whether the code is unspent.',
  asked: false,
};

/** What the lost time spent it for is kept; and where that may be this very order, it has to be asked for again. */
function putAside(
  { recordRecovered, store }: VerifyDeps,
  tables: Tables,
  begun: Begun,
  { told, at, codeId }: { told: Redeemed; at: At; codeId: number },
): Verified {
  const { accountId, gameId, playerId, code } = begun;
  const stockKey = { accountId, gameId, denomination: begun.denomination ?? 0 };
  tables.redemptions.dropCode(begun.id);
  if (!recordRecovered(tables, { ...stockKey, id: codeId, code }, told)) {
    if (!tables.codes.markUsed(codeId, at.now)) throw new Error(`Code ${codeId} was not reserved.`);
    bookBelied(tables, { id: begun.id, accountId, gameId, code }, at.now);
  } else if (isGiven(store) && (told.playerId ?? playerId) === playerId) {
    watchStock(tables, stockKey, at.now);
    return settled(tables, { ...begun, codeId: null }, at, CANNOT_TELL);
  }
  return takeNext(tables, begun, stockKey, at);
}

function takeNext(tables: Tables, begun: Begun, stockKey: StockKey, at: At): Verified {
  const { now } = at;
  const next = takeNextCode(tables, stockKey, now);
  if (!next) {
    watchStock(tables, stockKey, now);
    const failure: Failure = {
      errorCode: 'NO_CODES_AVAILABLE',
      message: 'No unspent code is left.',
      asked: false,
    };
    return settled(tables, { ...begun, codeId: null }, at, failure);
  }
  tables.redemptions.replaceCode(begun.id, next.id, next.code);
  const unverified = next.claimedFrom === 'unverified';
  return { status: 'verified', begun: { ...begun, codeId: next.id, code: next.code.text, unverified } };
}

function settled(tables: Tables, begun: Begun, at: At, failure: Failure): Verified {
  settleRefused(tables, begun, failure, at);
  return { status: 'settled', redemption: tables.redemptions.get(begun.id) };
}

/** Never rejects: what is not told within `timeoutMs`, or before `signal`, is `unreachable`. */
export type CheckUnspent = (
  code: { gameId: string; code: string; withReceipt?: boolean },
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<CodeOutcome>;

interface AskDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'settlingMs'>;
  witnesses: Pick<Witnesses, 'findCode'>;
  clock: Clock;
}

const LATE = {
  status: 'unreachable',
  message: 'The platform did not tell in time whether the code is unspent.',
} as const;

/**
 * A restore may have lost a past that had just sent codes: what nobody knows of may still be carried out, and until the
 * platform's settling period is over "not redeemed" is not final. It is asked once, after that: upstream a look-up
 * costs an activation.
 */
export function createCheckUnspent({ store, upstreams, witnesses, clock }: AskDeps): CheckUnspent {
  const finalAt = clock.elapsed() + settlingLeftMs(store.lost?.until, upstreams.settlingMs, clock.now());

  return async ({ gameId, code, withReceipt = false }, timeoutMs, signal) => {
    const waitMs = Math.ceil(finalAt - clock.elapsed());
    // A look-up costs an activation: none is begun that nobody has the time to hear the end of.
    if (timeoutMs <= Math.max(0, waitMs)) return LATE;
    return within(
      async (inner): Promise<CodeOutcome> => {
        if (waitMs > 0) await pause(waitMs, inner);
        if (inner.aborted) return LATE;
        return witnesses.findCode({ gameId, code, withReceipt }, inner);
      },
      timeoutMs,
      { signal, late: () => LATE },
    );
  };
}

/** By the calendar, which may be wrong: never longer than the whole period. */
function settlingLeftMs(lostAt: number | undefined, settlingMs: number, now: number): number {
  return lostAt === undefined ? 0 : Math.min(Math.max(0, lostAt + settlingMs - now), settlingMs);
}
