// After a restored backup a code of the database may be spent in a past that the backup does not know: it is
// "unverified". The platform is asked about it when it is taken, before anything is sent; one that is spent is put
// aside and the next taken.
import { HOUR_MS, type Clock } from '../../clock.ts';
import type { StockKey, Store, StoredRedemption, Tables } from '../../store/index.ts';
import { backOff, within, pause } from '../../waiting.ts';
import { tellBelied } from '../upstreams/cases.ts';
import { watchStock } from '../notices/notices.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { FoundCode, Witnesses } from '../upstreams/witnesses.ts';
import type { AttemptLimits } from './attempt.ts';
import { noteSent, referenceOf, type Begun } from './begin.ts';
import type { RecordLost, Redeemed } from './record-lost.ts';
import { type Failure, settleRefused } from './settle.ts';
import { isStillWanted } from './still-wanted.ts';
import { takeNextCode } from './take-code.ts';

export type Verified =
  | { status: 'verified'; begun: Begun }
  /** No code was left that is known to be unspent, or the platform could not tell. */
  | { status: 'settled'; redemption: StoredRedemption };

interface VerifyDeps {
  checkUnspent: CheckUnspent;
  upstreams: Pick<Upstreams, 'pauseBelied'>;
  /** Keeps a code as what the lost time carried out; false where it was spent by somebody else. */
  recordLost: RecordLost;
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
  /** No other code is asked about any more. */
  isLast: boolean;
}

/** What is left for the redemption itself. */
const RESERVED_MS = 25_000;
/** An order steps over so many codes of which nobody tells, before it is to be repeated. */
const STEPPED_OVER = 5;

/**
 * Asks about unverified codes until one is unspent, stepping over those of which nobody tells; where nobody's word that
 * it is unspent would count it is sent as it is. Throws only where writing does.
 */
export async function verifyCode(deps: VerifyDeps, begun: Begun, limits: AttemptLimits): Promise<Verified> {
  const { checkUnspent, write, clock, isLate } = deps;
  let current = begun;
  for (let asks = 1; current.unverified; asks += 1) {
    const asked = current;
    const leftMs = limits.deadline - RESERVED_MS - clock.elapsed();
    const told = await checkUnspent(asked, leftMs, limits.signal);
    const step = await write((tables): Verified => {
      const at = { now: clock.now(), isLate: isLate(), isLast: asks > STEPPED_OVER };
      const next = advance(deps, tables, asked, told, at);
      if (next.status === 'verified' && !next.begun.unverified) {
        if (!isStillWanted(tables, next.begun, next.begun.upstream, at.now))
          return settled(tables, next.begun, at, TAKEN_BACK);
        noteSent(tables, next.begun, at.now);
      }
      return next;
    });
    if (step.status === 'settled') return step;
    current = step.begun;
  }
  return { status: 'verified', begun: current };
}

function advance(deps: VerifyDeps, tables: Tables, begun: Begun, told: Checked, at: At): Verified {
  const codeId = begun.codeId;
  if (codeId === null) throw new Error(`Redemption ${begun.id} has no code to verify.`);
  const verified = { status: 'verified', begun: { ...begun, unverified: false } } as const;
  switch (told.status) {
    case 'notRedeemed':
      tables.codes.confirmClaim(codeId);
      return verified;
    case 'redeemed':
      return putAside(deps, tables, begun, { told, at, codeId });
    case 'notAsked':
      return settled(tables, begun, at, CANNOT_TELL);
    case 'unproven':
      // It stays unverified, should it come back. Of a host that sells by verification alone anybody's word is enough.
      if (told.isLast || tables.takeover.findSweep(stockKeyOf(begun))?.needed === 0) return verified;
      break;
    case 'underWay':
    case 'unreachable':
  }
  return stepOver(deps, tables, begun, { at, codeId, isGivenUp: told.isGivenUp === true });
}

const TAKEN_BACK: Failure = {
  errorCode: 'NETWORK_ERROR',
  message: 'It was taken back, or paused there, before anything was sent.',
  asked: false,
};

const CANNOT_TELL: Failure = {
  errorCode: 'NETWORK_ERROR',
  message: 'The platform could not tell whether the code is unspent.',
  asked: false,
};

const stockKeyOf = ({ accountId, gameId, denomination }: Begun): StockKey => ({
  ...{ accountId, gameId, denomination: denomination ?? 0 },
});

/** One of which nobody tells steps behind the others, and stops nobody; asked about often enough, it is put aside. */
function stepOver(
  deps: Pick<VerifyDeps, 'store'>,
  tables: Tables,
  begun: Begun,
  { at, codeId, isGivenUp }: { at: At; codeId: number; isGivenUp: boolean },
): Verified {
  const next = at.isLast ? undefined : takeNextCode(tables, stockKeyOf(begun), at.now);
  if (!next && !isGivenUp) return settled(tables, begun, at, { ...CANNOT_TELL, stepsBack: true });
  tables.redemptions.dropCode(begun.id);
  const { codes } = tables;
  if (!(isGivenUp ? codes.markInvalid(codeId, at.now) : codes.stepBack(codeId, at.now)))
    throw new Error(`Code ${codeId} was not reserved.`);
  return goOn(deps, tables, begun, next, at, CANNOT_TELL);
}

/** What the lost time spent it for is kept; where that may be this very order, repeated under its key it is asked about. */
function putAside(
  deps: VerifyDeps,
  tables: Tables,
  begun: Begun,
  { told, at, codeId }: { told: Redeemed; at: At; codeId: number },
): Verified {
  const { recordLost, upstreams } = deps;
  const { accountId, gameId, playerId, code } = begun;
  const stockKey = stockKeyOf(begun);
  tables.redemptions.dropCode(begun.id);
  if (!recordLost(tables, { ...stockKey, id: codeId, code }, told)) {
    if (!tables.codes.markUsed(codeId, at.now)) throw new Error(`Code ${codeId} was not reserved.`);
    tellBelied(tables, { id: begun.id, accountId, gameId, code }, at.now);
    upstreams.pauseBelied(tables, at.now);
  } else if (begun.keyed && (told.playerId ?? playerId) === playerId) {
    watchStock(tables, stockKey, at.now);
    return settled(tables, { ...begun, codeId: null }, at, CANNOT_TELL);
  }
  return goOn(deps, tables, begun, takeNextCode(tables, stockKey, at.now), at, NONE_LEFT);
}

const NONE_LEFT: Failure = {
  errorCode: 'NO_CODES_AVAILABLE',
  message: 'No unspent code is left.',
  asked: false,
};

/** With the code that was taken in place of one that it has no more; where there is none it has failed so. */
function goOn(
  { store: { secrets } }: Pick<VerifyDeps, 'store'>,
  tables: Tables,
  begun: Begun,
  next: ReturnType<typeof takeNextCode>,
  at: At,
  failure: Failure,
): Verified {
  watchStock(tables, stockKeyOf(begun), at.now);
  if (!next) return settled(tables, { ...begun, codeId: null }, at, failure);
  tables.redemptions.replaceCode(begun.id, next.id, next.code);
  const unverified = next.claimedFrom === 'unverified';
  const other = { ...begun, codeId: next.id, code: next.code.text, unverified };
  return { status: 'verified', begun: { ...other, reference: referenceOf(secrets, other) } };
}

function settled(tables: Tables, begun: Begun, at: At, failure: Failure): Verified {
  settleRefused(tables, begun, failure, at);
  return { status: 'settled', redemption: tables.redemptions.get(begun.id) };
}

/**
 * `notAsked`: for want of time. `isGivenUp`: it was asked about so often, and nothing of use was told, that it is not to
 * be asked about again.
 */
export type Checked = (FoundCode & { isGivenUp?: true }) | { status: 'notAsked' };

/**
 * Never rejects: what is not told within `timeoutMs`, or before `signal`, is `unreachable`. So is a code of which nobody
 * told a moment ago: it rests, unless it `isAskedAgain` in one go.
 */
export type CheckUnspent = (
  code: { gameId: string; code: string; withReceipt?: boolean; isAskedAgain?: boolean },
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<Checked>;

interface AskDeps {
  store: Store;
  upstreams: Pick<Upstreams, 'settlingMs'>;
  witnesses: Pick<Witnesses, 'canTell' | 'findCode'>;
  clock: Clock;
}

const LATE = {
  status: 'unreachable',
  message: 'The platform did not tell in time whether the code is unspent.',
} as const;

/** What it told was of use: it needs no rest. */
export const isCertain = (told: Checked): boolean =>
  told.status === 'redeemed' || told.status === 'notRedeemed' || (told.status === 'unproven' && told.isLast);

/**
 * A restore may have lost a past that had just sent codes: what nobody knows of may still be carried out, and until the
 * platform's settling period is over "not redeemed" is not final. It is asked once, after that: upstream a look-up
 * costs an activation.
 */
export function createCheckUnspent({ store, upstreams, witnesses, clock }: AskDeps): CheckUnspent {
  const finalAt = clock.elapsed() + settlingLeftMs(store.lost?.until, upstreams.settlingMs, clock.now());
  const rests = createRests(clock);

  return async ({ gameId, code, withReceipt = false, isAskedAgain = false }, timeoutMs, signal) => {
    if (!witnesses.canTell(gameId)) return { status: 'unproven', isLast: true };
    const waitMs = Math.ceil(finalAt - clock.elapsed());
    // A look-up costs an activation: none is begun that nobody has the time to hear the end of.
    if (timeoutMs <= Math.max(0, waitMs) || signal.aborted) return { status: 'notAsked' };
    const name = JSON.stringify([gameId, code]);
    if (!isAskedAgain && rests.has(name)) return LATE;
    const told = await within(
      async (inner): Promise<FoundCode> => {
        if (waitMs > 0) await pause(waitMs, inner);
        if (inner.aborted) return LATE;
        return witnesses.findCode({ gameId, code, withReceipt }, inner);
      },
      timeoutMs,
      { signal, late: () => LATE },
    );
    const isGivenUp = !signal.aborted && rests.note(name, isCertain(told), isAskedAgain);
    return isGivenUp ? { ...told, isGivenUp } : told;
  };
}

const ASKED_AT_MOST = 10;
const restMs = backOff(30_000, 2 * HOUR_MS);

/** Codes of which nobody told when they were asked about, in memory: a restart may ask sooner, and more often. */
function createRests(clock: Pick<Clock, 'elapsed'>) {
  const resting = new Map<string, { times: number; until: number }>();
  return {
    has: (name: string): boolean => (resting.get(name)?.until ?? 0) > clock.elapsed(),
    /** True once it was the last time. */
    note(name: string, isTold: boolean, isAskedAgain: boolean): boolean {
      const times = (resting.get(name)?.times ?? 0) + (isAskedAgain ? 0 : 1);
      const isOver = isTold || times >= ASKED_AT_MOST;
      if (isOver) resting.delete(name);
      else resting.set(name, { times, until: clock.elapsed() + restMs(Math.max(1, times)) });
      return isOver && !isTold;
    },
  };
}

/** By the calendar, which may be wrong: never longer than the whole period. */
function settlingLeftMs(lostAt: number | undefined, settlingMs: number, now: number): number {
  return lostAt === undefined ? 0 : Math.min(Math.max(0, lostAt + settlingMs - now), settlingMs);
}
