// What is found out about a doubt at one look: first by the upstream's own record of what it was sent, then by those
// that tell of codes, and where nobody can tell by sending the code once more. What their answers mean is
// decide-doubt.ts.
import { DAY_MS, HOUR_MS, type CoreClock } from '../../clock.ts';
import type { CharacterOutcome, CodeOutcome, RedeemOutcome, Upstream } from '../../platform/port.ts';
import type { Store } from '../../store/index.ts';
import { within } from '../../waiting.ts';
import type { Contest } from '../contest.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { listSentTo, type Witnesses } from '../upstreams/witnesses.ts';
import type { DoubtVerdict } from './conclude-doubt.ts';
import { decide, type DecisionContext } from './decide-doubt.ts';
import type { InFlight } from './in-flight.ts';
import { readRecords, type OfRecord, type OpenDoubt } from './own-record.ts';
import { findRepeatable, isSentEnough, resend } from './resend.ts';

export interface ResolveDeps {
  store: Store;
  upstreams: Upstreams;
  witnesses: Witnesses;
  contest: Pick<Contest, 'isContested'>;
  clock: CoreClock;
  inFlight: InFlight;
}

/** What is known before anybody is asked. */
export interface Known extends DecisionContext {
  /** There was a doubt of ours at this code before. */
  isAsked: boolean;
  /** It was begun in a time that a restore may have lost a part of. */
  isRestored: boolean;
  /** For how long this process knows of it. */
  knownForMs: number;
  /** How much of that it was looked at again and again. */
  watchedMs: number;
}

/** `told`: what was told of the code, where that decided. */
interface Resolved {
  verdict: DoubtVerdict;
  told?: CodeOutcome;
}

const LOOK_TIMEOUT_MS = 30_000;
/**
 * A look-up may cost: of one that was not sent the code, answers are heard so often a day, and once while nothing is
 * final.
 */
const HEARD_A_DAY = 3;
/** A witness that does not answer is waited for, before the code is sent again. */
const WAITED_FOR_MS = HOUR_MS;
/** So long nothing may come that ends it, whoever could tell, before a person is asked. */
const STUCK_AFTER_MS = 6 * HOUR_MS;
const LATE = { status: 'unreachable', message: 'No answer in time.' } as const;
const UNANSWERED: RedeemOutcome = { status: 'unknown', errorCode: 'UNKNOWN', message: 'No answer in time.' };

export type ResolveDoubt = (open: OpenDoubt, known: Known) => Promise<Resolved>;

export function createResolveDoubt(deps: ResolveDeps): ResolveDoubt {
  const heard = createHeard(deps.clock);
  return async (open, known) => {
    const isOursAlone = known.isOfStock && !known.othersHadIt;
    const asked = { ...known, isOursAlone, find: deps.upstreams.find };
    const isAnothers: Parameters<typeof readRecords>[1]['isAnothers'] = (told) =>
      deps.store.read(({ attempts }) => attempts.isAnothers(told));
    const record = await readRecords(open, {
      ...asked,
      isAnothers,
      ask: (call) => ask(deps, call, UNANSWERED),
    });
    const ofRecord = await judgeRecord(deps, open, record, known);
    if (ofRecord) return { verdict: ofRecord };
    const isUnderWay = record.status === 'told' && record.isUnderWay;
    const found = await askWitnesses(deps, open, { ...known, isUnderWay }, heard);
    if ('verdict' in found) return found;
    return { verdict: await sendAgain(deps, open, { ...known, isSilent: found.isSilent, isOursAlone }) };
  };
}

function ask<T>({ inFlight }: ResolveDeps, call: (signal: AbortSignal) => Promise<T>, late: T): Promise<T> {
  return within(call, LOOK_TIMEOUT_MS, { signal: inFlight.giveUp.signal, late: () => late });
}

/**
 * What a final record says; undefined where it is not all. After a restore an own "not spent" ends nothing of before
 * it.
 */
async function judgeRecord(
  { store, clock }: ResolveDeps,
  { doubt, ledger }: OpenDoubt,
  record: OfRecord,
  { isRestored }: Known,
): Promise<DoubtVerdict | undefined> {
  if (record.status === 'redeemed') {
    const { receipt, warning, n } = record;
    return { status: 'received', receipt, warning, loginAwaited: false, by: { proof: 'record', n } };
  }
  const { notSpent } = record;
  if (notSpent.length === 0 || isRestored) return undefined;
  const left = ledger.filter(({ n, state }) => state === 'unknown' && !notSpent.some((each) => each.n === n));
  if (left.length === 0)
    return {
      status: notSpent.at(-1)?.errorCode === 'CODE_USED' ? 'conceded' : 'returned',
      by: { proof: 'record' },
    };
  await store.write((tables) => {
    for (const { n, errorCode } of notSpent)
      tables.attempts.pass(doubt.id, n, { proof: 'record', answered: { errorCode } }, clock.now());
  });
  return undefined;
}

type Found = Resolved | { isSilent: boolean };

async function askWitnesses(
  deps: ResolveDeps,
  { doubt, ledger }: OpenDoubt,
  known: Known & { isUnderWay: boolean },
  heard: Heard,
): Promise<Found> {
  const { witnesses } = deps;
  const { id, gameId, code, accountId } = doubt;
  const sentTo = listSentTo(ledger);
  const isFinal = known.untilFinalMs <= 0;
  const unused: Upstream[] = [];
  let [isSilent, isKeeperSilent, later] = [false, false, undefined as Resolved | undefined];
  for (const witness of witnesses.list(sentTo, gameId)) {
    const { name, platform } = witness;
    const isOwn = deps.upstreams.all.length === 1 || sentTo.includes(name);
    if (!isOwn && heard.isEnough(id, name, isFinal)) continue;
    const query = { gameId, code, withReceipt: true };
    const answer = await ask<CodeOutcome>(deps, (signal) => platform.findCode(query, { signal }), LATE);
    if (answer.status !== 'unreachable') heard.note(id, name, isFinal);
    else if (isOwn && !platform.hasNoOrderList) isKeeperSilent = true;
    const isLast = heard.isEnough(id, name, true);
    const { told, known: heardOf } = isKeeperSilent
      ? awaitReceipt(answer, known, isLast)
      : { told: answer, known };
    const verdict = await decideWith(deps, witness, { doubt, told, known: heardOf });
    const by = { proof: 'lookup', toldBy: name } as const;
    switch (verdict.status) {
      case 'received':
      case 'held':
      case 'conceded':
        return { verdict: { ...verdict, by }, told };
      case 'returned': {
        if (known.isUnderWay) break;
        unused.push(witness);
        if (witnesses.isBelieved(unused, { gameId, code, accountId }, isOwn && !known.isRestored))
          return { verdict: { ...verdict, by }, told };
        break;
      }
      case 'postponed':
        if (verdict.why === 'receiptAwaited') return { verdict, told };
        if (verdict.why === 'underWay') return { verdict: untilStuck(verdict, known), told };
        // Whose it is nobody will ever say.
        if (verdict.why === 'playerUnreachable' && platform.hasNoNames) break;
        if (verdict.why !== 'unreachable') later ??= { verdict, told };
        else if (told.status !== 'unreachable' || !told.doesNotTell) isSilent = true;
    }
  }
  if (later) return { ...later, verdict: untilStuck(later.verdict, known) };
  if (known.isUnderWay) return { verdict: untilStuck({ status: 'postponed', why: 'underWay' }, known) };
  if (!isFinal) return { verdict: { status: 'postponed', why: isSilent ? 'unreachable' : 'notFinal' } };
  return { isSilent };
}

/** What no look has ended for so long a person has to. */
function untilStuck(verdict: DoubtVerdict, known: Known): DoubtVerdict {
  return known.untilFinalMs <= 0 && isStuck(known) ? { status: 'held', why: 'notSentAgain' } : verdict;
}

const isStuck = (known: Known): boolean => wasWaitedFor(known, STUCK_AFTER_MS);

/** The first look after a night in which nobody looked is no patience. */
const wasWaitedFor = ({ knownForMs, watchedMs }: Known, ms: number): boolean =>
  knownForMs >= ms && watchedMs >= Math.min(ms / 2, 2 * HOUR_MS);

/**
 * Only who carried it out keeps the receipt: as long as that one does not answer, a word of another is no end, until
 * it was asked as often as it may be.
 */
function awaitReceipt<K extends DecisionContext>(told: CodeOutcome, known: K, isLast: boolean) {
  const isPatienceOver = known.isPatienceOver || isLast;
  return told.status === 'redeemed' && !told.receipt
    ? { told: { ...told, receiptAwaited: true } as const, known: { ...known, isPatienceOver } }
    : { told, known };
}

/** Where it names no player, it alone knows what it calls ours. */
async function decideWith(
  deps: ResolveDeps,
  { platform }: Upstream,
  { doubt, told, known }: { doubt: OpenDoubt['doubt']; told: CodeOutcome; known: Known },
): Promise<DoubtVerdict> {
  const decision = decide(doubt, told, undefined, known);
  if (decision.status !== 'postponed' || decision.why !== 'playerNotAsked') return decision;
  const { gameId, playerId } = doubt;
  const call = (signal: AbortSignal) => platform.findCharacter({ gameId, playerId }, { signal });
  return decide(doubt, told, await ask<CharacterOutcome>(deps, call, LATE), known);
}

async function sendAgain(
  deps: ResolveDeps,
  open: OpenDoubt,
  known: Known & { isSilent: boolean; isOursAlone: boolean },
): Promise<DoubtVerdict> {
  const { clock, contest, inFlight } = deps;
  const wait: DoubtVerdict = { status: 'postponed', why: 'unreachable' };
  // One that comes back may tell, and is waited for; where there is none, or it takes what is sent and says nothing, a
  // person has to.
  const isHeard = open.ledger.some(({ kind, proof }) => kind === 'resend' && proof !== 'never_sent');
  const isAwaited = known.isSilent && !isHeard && !isStuck(known);
  const over: DoubtVerdict = isAwaited ? wait : { status: 'held', why: 'notSentAgain' };
  if (known.isSilent && !wasWaitedFor(known, WAITED_FOR_MS)) return wait;
  if (contest.isContested() || inFlight.giveUp.signal.aborted) return wait;
  // The lost time may have given it to somebody else.
  if (known.isRestored || isSentEnough(open.ledger, clock.now())) return over;
  const repeated = findRepeatable(open, deps.upstreams);
  if (!repeated) return over;
  const sending = { ...deps, isOursAlone: known.isOursAlone };
  return (await resend({ ...sending, ask: (call) => ask(deps, call, UNANSWERED) }, open, repeated)) ?? over;
}

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
