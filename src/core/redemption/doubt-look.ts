// One look at a doubt: its upstreams' own records of what they were sent, then those that tell of codes, and where nobody
// can tell the code is sent once more, for the same player to the same upstream. What their answers mean is
// doubt-rules.ts.
import { DAY_MS, type CoreClock } from '../../clock.ts';
import type {
  CharacterOutcome,
  CodeOutcome,
  PlatformReceipt,
  RedeemOutcome,
  Upstream,
} from '../../platform/port.ts';
import type { AnsweredAttempt } from '../../store/index.ts';
import { within } from '../../waiting.ts';
import type { LookSaid } from '../receipts/looks.ts';
import { listSentTo } from '../upstreams/witnesses.ts';
import { toStoredAnswer } from './execute.ts';
import {
  readDoubt,
  readKnown,
  type Known,
  type LookDeps,
  type OpenDoubt,
  type Repeatable,
  type SentRow,
  type Watched,
} from './doubt-known.ts';
import { judgeDoubt } from './doubt-rules.ts';
import type { Redeemed } from './record-lost.ts';
import { prove } from './repeated.ts';
import { isStillWanted } from './still-wanted.ts';

interface Conceded {
  toldBy?: string | undefined;
  accused?: string | undefined;
}

/** What a look has come to. `toldBy`: the upstream that told of the code. */
export type LookEnd =
  | {
      then: 'spent';
      proof: 'lookup' | 'record' | 'resend';
      receipt: PlatformReceipt;
      warning: boolean;
      loginAwaited?: boolean;
      toldBy?: string;
      /** The attempt that it is of; the first unknown order where it is not said. */
      n?: number;
      answered?: AnsweredAttempt;
      /** One that was sent to ask, and was refused. */
      passed?: { n: number; answered: AnsweredAttempt };
    }
  | { then: 'returned'; proof: 'lookup' | 'record'; toldBy?: string }
  /** `accused`: an upstream that has to answer for it. */
  | ({ then: 'conceded'; proof: 'lookup' | 'record' } & Conceded)
  | ({ then: 'lost'; proof: 'lookup'; told: Redeemed } & Conceded)
  | { then: 'person'; why: 'mayBeBefore' | 'notSentAgain' }
  /** `untilFinalMs`: how long "not redeemed" may still turn into "redeemed", where that is what it waits for. */
  | { then: 'wait'; said: LookSaid; untilFinalMs?: number };

export type Look = (open: OpenDoubt, watched: Watched) => Promise<LookEnd>;

const LOOK_TIMEOUT_MS = 30_000;
/**
 * A look-up may cost: of one that was not sent the code, answers are heard so often a day, and once while nothing is
 * final.
 */
const HEARD_A_DAY = 3;
/** How much two ages may differ that are measured in two places, from the architecture document. */
export const SLACK_MS = 5 * 60 * 1000;
const LATE = { status: 'unreachable', message: 'No answer in time.' } as const;
const UNANSWERED: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: 'No answer in time.' };
const TAKEN_BACK: RedeemOutcome = {
  ...{ status: 'refused', errorCode: 'NETWORK_ERROR', asked: false, neverSent: true },
  message: 'It was taken back just before it was sent.',
};

export function createLook(deps: LookDeps): Look {
  const heard = createHeard(deps.clock);
  return async (open, watched) => {
    const known = deps.store.read((tables) => readKnown(deps, tables, open, watched));
    const record = await askRecords(deps, open, known);
    if ('then' in record) return record;
    const found = await askAboutCode(deps, open, { ...known, ...record }, heard);
    const end = 'then' in found ? found : await breakSilence(deps, open, { ...found, known, watched });
    const isByTime = end.then === 'wait' && end.said === 'notFinal';
    return isByTime ? { ...end, untilFinalMs: known.untilFinalMs } : end;
  };
}

function ask<T>({ inFlight }: LookDeps, call: (signal: AbortSignal) => Promise<T>, late: T): Promise<T> {
  return within(call, LOOK_TIMEOUT_MS, { signal: inFlight.giveUp.signal, late: () => late });
}

const orderOf = ({ gameId, code, playerId, denomination, playerName }: OpenDoubt['doubt'], row: SentRow) => ({
  ...{ reference: row.reference, gameId, code, playerId, denomination, playerName },
});

function readOutcome(outcome: RedeemOutcome) {
  if (outcome.status !== 'refused') return outcome.status;
  if (outcome.errorCode === 'CODE_USED') return outcome.usedByPlayer ? 'usedByPlayer' : 'used';
  return outcome.errorCode === 'INVALID_CODE' ? 'invalid' : 'refused';
}

/** Asks for the records of all that are unknown. What did not spend the code is passed, unless that ends it all. */
async function askRecords(
  deps: LookDeps,
  { doubt, ledger }: OpenDoubt,
  known: Known,
): Promise<LookEnd | { isUnderWay: boolean }> {
  const { store, upstreams, clock } = deps;
  const passed: { n: number; errorCode: string }[] = [];
  let isUnderWay = false;
  for (const row of ledger.filter(({ state }) => state === 'unknown')) {
    const { n, upstream, theirId } = row;
    const { findRecord } = upstreams.find(upstream)?.platform ?? {};
    if (!findRecord || theirId === null) continue;
    // Where another redemption is known there by this id, too, it is nobody's word.
    const names = { redemptionId: doubt.id, upstream, theirId };
    if (store.read(({ attempts }) => attempts.isAnothers(names))) continue;
    const told = await ask(
      deps,
      (signal) => findRecord(orderOf(doubt, row), theirId, { signal }),
      UNANSWERED,
    );
    const wereSentBefore = ledger.some((each) => each.n < n && each.proof !== 'never_sent');
    const then = judgeDoubt('record', readOutcome(told), { ...known, wereSentBefore });
    if (then === 'spent' && told.status === 'redeemed')
      return { then, proof: 'record', n, receipt: told.receipt, warning: told.fullReceipt !== true };
    if (then === 'passed' && told.status === 'refused') passed.push({ n, errorCode: told.errorCode });
    isUnderWay ||= told.status === 'unknown';
  }
  if (passed.length === 0) return { isUnderWay };
  if (ledger.every(({ n, state }) => state !== 'unknown' || passed.some((each) => each.n === n))) {
    const then = passed.at(-1)?.errorCode === 'CODE_USED' ? 'conceded' : 'returned';
    return { then, proof: 'record' };
  }
  await store.write(({ attempts }) => {
    for (const { n, errorCode } of passed)
      attempts.pass(doubt.id, n, { proof: 'record', answered: { errorCode } }, clock.now());
  });
  return { isUnderWay };
}

interface Silence {
  is: 'undecided' | 'silent' | 'notTold';
  said: LookSaid;
}

/** Those that were sent the code first; the first whose answer is an end ends it. */
async function askAboutCode(
  deps: LookDeps,
  open: OpenDoubt,
  known: Known & { isUnderWay: boolean },
  heard: Heard,
): Promise<LookEnd | Silence> {
  const { witnesses, upstreams } = deps;
  const { id, gameId, code } = open.doubt;
  const { isQuiet, isRestored } = known;
  const sentTo = listSentTo(open.ledger);
  const unused: Upstream[] = [];
  let [isSilent, isKeeperSilent, undecided] = [false, false, undefined as LookSaid | undefined];
  for (const witness of witnesses.list(sentTo, gameId)) {
    const { name, platform } = witness;
    const isOwn = upstreams.all.length === 1 || sentTo.includes(name);
    if (!isOwn && heard.isEnough(id, name, isQuiet)) continue;
    const query = { gameId, code, withReceipt: true };
    const told = await ask<CodeOutcome>(deps, (signal) => platform.findCode(query, { signal }), LATE);
    if (told.status !== 'unreachable') heard.note(id, name, isQuiet);
    else if (isOwn && !platform.hasNoOrderList) isKeeperSilent = true;
    const answer = await readCode(deps, platform, open.doubt, told);
    const { is } = answer;
    if (is === 'unused') unused.push(witness);
    const isBelieved = is === 'unused' && witnesses.isBelieved(unused, open.doubt, isOwn && !isRestored);
    const isLast = heard.isEnough(id, name, true);
    const end = judgeAnswer(open, known, answer, { name, isKeeperSilent, isLast, isBelieved });
    if (end?.then === 'spent' && isRestored && 'told' in answer)
      return proveOwn(deps, open, known, end, answer.told);
    if (end) return end;
    if (is === 'silent') isSilent = true;
    else if (is === 'unused' && !isQuiet) undecided ??= 'notFinal';
    else if (is === 'playerNotFound' || is === 'playerUnreachable') undecided ??= is;
  }
  if (undecided) return { is: 'undecided', said: undecided };
  if (known.isUnderWay) return { is: 'undecided', said: 'underWay' };
  return { is: isSilent ? 'silent' : 'notTold', said: isQuiet || isSilent ? 'unreachable' : 'notFinal' };
}

type CodeAnswer =
  | { is: 'ours'; told: Redeemed; playerName: string }
  | { is: 'anothers'; told: Redeemed }
  | { is: 'unused' | 'underWay' | 'playerNotFound' | 'playerUnreachable' | 'silent' | 'notTold' };

/**
 * The player that the platform names is believed; where it names none, the openid of ours must be found to be the
 * redeemer's: it alone knows what it calls ours.
 */
async function readCode(
  deps: LookDeps,
  platform: Upstream['platform'],
  { gameId, playerId, playerName }: OpenDoubt['doubt'],
  told: CodeOutcome,
): Promise<CodeAnswer> {
  if (told.status === 'notRedeemed') return { is: 'unused' };
  if (told.status === 'unreachable') return { is: told.doesNotTell ? 'notTold' : 'silent' };
  if (told.status === 'underWay') return { is: 'underWay' };
  if (told.playerId === playerId)
    return { is: 'ours', told, playerName: told.playerName ?? playerName ?? playerId };
  if (told.playerId !== undefined) return { is: 'anothers', told };
  const call = (signal: AbortSignal) => platform.findCharacter({ gameId, playerId }, { signal });
  const player = await ask<CharacterOutcome>(deps, call, LATE);
  if (player.status === 'found' && player.openid !== told.openid) return { is: 'anothers', told };
  if (player.status === 'found') return { is: 'ours', told, playerName: player.name };
  if (player.status === 'notFound') return { is: 'playerNotFound' };
  // Whose it is nobody will ever say.
  return { is: platform.hasNoNames ? 'notTold' : 'playerUnreachable' };
}

function judgeAnswer(
  { ledger }: OpenDoubt,
  known: Known & { isUnderWay: boolean },
  answer: CodeAnswer,
  by: { name: string; isKeeperSilent: boolean; isLast: boolean; isBelieved: boolean },
): LookEnd | undefined {
  const told = 'told' in answer ? answer.told : undefined;
  // Only who carried it out keeps the receipt: as long as that one does not answer, a word of another is no end, until it
  // was asked as often as it may be.
  const isKept = by.isKeeperSilent && !told?.receipt;
  const loginAwaited = isKept || told?.receiptAwaited === true;
  const isPatienceOver = known.isPatienceOver || (isKept && by.isLast);
  const then = judgeDoubt('code', answer.is, {
    ...known,
    isSinceBegun: told !== undefined && isSinceBegun(told, known),
    isReceiptAwaited: loginAwaited && !isPatienceOver,
    isBelieved: by.isBelieved,
  });
  const proven = { proof: 'lookup', toldBy: by.name } as const;
  if (then === 'person') return { then, why: answer.is === 'ours' ? 'mayBeBefore' : 'notSentAgain' };
  if (then === 'wait') return { then, said: answer.is === 'ours' ? 'receiptAwaited' : 'underWay' };
  if (then === 'spent' && answer.is === 'ours')
    return { then, ...proven, ...receiptOf(answer.told, answer.playerName, loginAwaited) };
  if (then === 'returned') return { then, ...proven };
  if (told && (then === 'conceded' || then === 'lost'))
    return { then, ...proven, told, accused: findAccused(ledger, told, known) };
  return undefined;
}

/**
 * Ages are compared, never dates: two clocks may differ by anything. Where another account's attempt may have been the
 * one, its receipt is not handed over for what a calendar says.
 */
function isSinceBegun({ redeemedAt, toldAt }: Redeemed, { othersHadIt, ageMs, isMeasured }: Known): boolean {
  if (toldAt === undefined || redeemedAt === undefined) return false;
  const toldAgeMs = toldAt - redeemedAt;
  return othersHadIt ? isMeasured && toldAgeMs <= ageMs : toldAgeMs <= ageMs + SLACK_MS;
}

/** The receipt that the platform keeps for us; else what it told of the code, with a warning. */
function receiptOf(
  { receipt: kept, openid, productName, amount }: Redeemed,
  name: string,
  loginAwaited: boolean,
) {
  if (!kept) {
    const receipt = { openid, name, productName, ...(amount > 0 && { amount }) };
    return { receipt, warning: true, loginAwaited };
  }
  const { fullReceipt, ...receipt } = kept;
  return { receipt, warning: !fullReceipt, loginAwaited: false };
}

/** What clocks and whole seconds of two wires may differ by. */
const COARSE_MS = 2_000;

/** Whom a code of the stock was sent to that was used by somebody else after that: it has to answer for it. */
function findAccused(
  ledger: OpenDoubt['ledger'],
  { redeemedAt, toldAt }: Redeemed,
  { isOursAlone, isMeasured, ageMs }: Known,
): string | undefined {
  if (!isOursAlone || !isMeasured || redeemedAt === undefined || toldAt === undefined) return undefined;
  if (toldAt - redeemedAt + COARSE_MS > ageMs) return undefined;
  return ledger.find(({ state }) => state === 'unknown')?.upstream;
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
  known: Known,
  end: Extract<LookEnd, { then: 'spent' }>,
  told: Redeemed,
): Promise<LookEnd> {
  const references = new Set(ledger.map(({ reference }) => reference).filter((each) => DERIVED.test(each)));
  if (doubt.mode === 'direct' || references.size === 0) return end;
  const { status } = await prove(deps, doubt, [...references], deps.inFlight.giveUp.signal);
  const then = judgeDoubt('reference', status, known);
  if (then === 'spent') return end;
  if (then === 'lost') return { then, proof: 'lookup', toldBy: end.toldBy, told };
  return then === 'person' ? { then, why: 'notSentAgain' } : { then: 'wait', said: 'unreachable' };
}

/** Where nobody has told it is waited, sent once more, or a person's. */
async function breakSilence(
  deps: LookDeps,
  open: OpenDoubt,
  { is, said, known, watched }: Silence & { known: Known; watched: Watched },
): Promise<LookEnd> {
  const judge = (now: Known): LookEnd | 'resend' => {
    const then = judgeDoubt('silence', is, now);
    if (then === 'resend') return then;
    return then === 'person' ? { then, why: 'notSentAgain' } : { then: 'wait', said };
  };
  const { store, clock, upstreams } = deps;
  const { id } = open.doubt;
  const n = open.ledger.length + 1;
  const end = judge(known);
  if (end !== 'resend') return end;
  const begun = await store.write((tables): LookEnd | Repeatable => {
    const now = readDoubt(tables, id);
    if (now?.ledger.length !== open.ledger.length) return { then: 'wait', said: 'underWay' };
    // What holds in the transaction that writes it down is what counts: somebody may have taken it back meanwhile.
    const again = readKnown(deps, tables, now, watched);
    const endNow = judge(again);
    if (endNow !== 'resend' || !again.repeatable)
      return endNow !== 'resend' ? endNow : { then: 'wait', said };
    const { row, upstream } = again.repeatable;
    const at = clock.monotonicNow();
    tables.attempts.lower(id, at, at + upstreams.settlingMs);
    const sent = { redemptionId: id, n, upstream: upstream.name, reference: row.reference, now: at };
    tables.attempts.begin({ ...sent, kind: 'resend' });
    return again.repeatable;
  });
  return 'then' in begun ? begun : sendAgain(deps, open, known, { n, ...begun });
}

/** Sends what is written down as sent, and writes down what it says of itself. */
async function sendAgain(
  deps: LookDeps,
  { doubt }: OpenDoubt,
  known: Known,
  { n, row, upstream }: Repeatable & { n: number },
): Promise<LookEnd> {
  const { store, clock } = deps;
  const { id: redemptionId, playerId, playerName } = doubt;
  const own = { redemptionId, n, upstream: upstream.name };
  const saveJobId = (theirId: string) =>
    store.write(({ attempts }) => attempts.saveJobId({ ...own, theirId }));
  const send = (signal: AbortSignal) => upstream.platform.redeem(orderOf(doubt, row), { signal, saveJobId });
  // What was taken back in the same commit, or since, has still come before it.
  const isWanted = store.read((tables) => isStillWanted(tables, doubt, upstream, clock.now()));
  const outcome = isWanted ? await ask(deps, send, UNANSWERED) : TAKEN_BACK;
  const then = judgeDoubt('resend', readOutcome(outcome), known);
  if (outcome.status === 'redeemed') {
    const { receipt, fullReceipt, answer } = outcome;
    const answered = toStoredAnswer(answer, false);
    return { then: 'spent', proof: 'resend', n, receipt, warning: fullReceipt !== true, answered };
  }
  const { errorCode, message, answer } = outcome;
  const answered = { ...toStoredAnswer(answer), errorCode, message };
  if (then === 'spent') {
    const receipt = { openid: `player:${playerId}`, name: playerName ?? playerId };
    return { then, proof: 'resend', receipt, warning: true, passed: { n, answered } };
  }
  const quietMs = outcome.status === 'unknown' ? upstream.platform.settlingMs : 0;
  await store.write(({ attempts }) => {
    const now = clock.monotonicNow();
    if (then !== 'passed') attempts.doubt(redemptionId, { ...answered, n }, now + quietMs, now);
    else attempts.pass(redemptionId, n, { proof: proofOf(outcome), answered }, now);
  });
  return { then: 'wait', said: 'sentAgain' };
}

/** By what it is known that what was refused was not spent. */
const proofOf = (outcome: RedeemOutcome): 'never_sent' | 'answer' =>
  outcome.status === 'refused' && outcome.neverSent ? 'never_sent' : 'answer';

type Heard = ReturnType<typeof createHeard>;

/** How often witnesses have answered today, in memory: a restart may ask more often. */
function createHeard(clock: Pick<CoreClock, 'elapsed'>) {
  const answers = new Map<string, number>();
  let day = 0;
  const nameOf = (id: number, witness: string) => `${id} ${witness}`;
  return {
    isEnough(id: number, witness: string, isFinal: boolean): boolean {
      const today = Math.floor(clock.elapsed() / DAY_MS);
      if (today !== day) answers.clear();
      day = today;
      return (answers.get(nameOf(id, witness)) ?? 0) >= (isFinal ? HEARD_A_DAY : 1);
    },
    note(id: number, witness: string, isFinal: boolean): void {
      const count = answers.get(nameOf(id, witness)) ?? 0;
      answers.set(nameOf(id, witness), isFinal ? count + 1 : Math.max(count, 1));
    },
  };
}
