// Handing codes out of the database for good: a job that takes a slice at a time under one extraction, what a restore
// has put in question asked about first. The codes of an extraction stay readable, so that a lost answer loses none.
import { listAll, takeTurn } from '../../turns.ts';
import type { JobRow, StockKey, Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, type InTransaction, requirePermission } from '../context.ts';
import { record } from '../audit-log.ts';
import { CoreError, refuseOverload } from '../errors.ts';
import { type Games, requireDenomination, requireCodeDatabase } from '../games.ts';
import { useKey, type IdempotencyKey } from '../idempotency.ts';
import { watchStock } from '../notices/notices.ts';
import { countAvailable } from '../promises.ts';
import { getCurrentActor, requireUnpaused } from '../members.ts';
import type { CheckUnspent } from '../redemption/check-unspent.ts';
import { settleUnverified, type RecordLost } from '../redemption/record-lost.ts';
import { notifyUnreadable } from '../redemption/take-code.ts';
import { tellsNothing, type Witnesses } from '../upstreams/witnesses.ts';
import { refuseContested, type Contest } from '../contest.ts';
import { momentOf, type CoreClock, type Moment } from '../../clock.ts';
import type { Jobs, Work } from './jobs.ts';

export interface Extraction {
  /** 0: there was nothing to take, and nothing is kept of it. */
  extractionId: number;
  /** In the order in which they would have been redeemed. */
  codes: string[];
  replayed: boolean;
}

/** Under a key it is safe to repeat. */
export type ExtractRequest = Omit<StockKey, 'accountId'> & {
  amount: number;
  idempotencyKey?: IdempotencyKey;
  /** Kept with the beginning, now or earlier under the same key. */
  inTransaction?: InTransaction<ExtractionBegun>;
};

/** An extraction, and the job that goes on with it. */
export interface ExtractionBegun {
  /** 0: there was nothing to take. */
  extractionId: number;
  jobId: number | undefined;
}

export interface ExtractingDeps {
  store: Store;
  checkUnspent: CheckUnspent;
  recordLost: RecordLost;
  witnesses: Pick<Witnesses, 'canTell' | 'canProve'>;
  contest: Pick<Contest, 'isContested'>;
  games: Games;
  clock: CoreClock;
  signal: AbortSignal;
}

const SLICE = 100;
const LISTED_AT_ONCE = 100;
const VERIFY_AT_ONCE = 8;
/** How long one process asks the platform for one extraction; after it the extraction ends with what it has. */
export const VERIFY_WITHIN_MS = 25_000;

/**
 * Takes up to `amount` codes out of the database for good, and tells them. One that cannot go on tells what it has
 * taken. Throws CoreError FORBIDDEN, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, OVERLOADED, CONTESTED, SUBSCRIPTION_EXPIRED
 * (paused by a host) where nothing was begun, and STOPPING where it goes on after the next start.
 */
export async function extractCodes(
  { jobs, ...deps }: BeginningDeps & { jobs: Jobs },
  actor: AccountActor,
  request: ExtractRequest,
): Promise<Extraction> {
  const { extractionId, replayed } = await beginExtraction(deps, actor, request);
  const codes = await readExtraction({ store: deps.store, jobs }, extractionId);
  return { extractionId, codes, replayed };
}

type BeginningDeps = Pick<ExtractingDeps, 'store' | 'games' | 'clock' | 'contest' | 'witnesses'>;

export function beginExtraction(
  { store, games, clock, ...deps }: BeginningDeps,
  actor: AccountActor,
  request: ExtractRequest,
): Promise<ExtractionBegun & { replayed: boolean }> {
  requirePermission(actor, 'extractCodes');
  const game = requireCodeDatabase(games, request.gameId);
  requireDenomination(game, request.denomination);
  if (!Number.isSafeInteger(request.amount) || request.amount < 1) {
    throw new CoreError('INVALID_INPUT', 'The amount of codes to extract is a whole number from 1 on.');
  }
  const write = refuseOverload(store, actor, { bulk: true });
  return write((tables) => {
    const opened = begin(tables, actor, request, { ...deps, moment: momentOf(clock) });
    const { extractionId } = opened;
    const jobId = tables.jobs.findOfSubject('extract', extractionId)?.id;
    request.inTransaction?.(tables, { extractionId, jobId });
    return { ...opened, jobId };
  });
}

/** The codes of an extraction, once it has ended. */
export async function readExtraction(
  { store, jobs }: { store: Store; jobs: Jobs },
  extractionId: number,
): Promise<string[]> {
  const job = store.read((tables) => tables.jobs.findOfSubject('extract', extractionId));
  if (job) await jobs.run(job.id);
  const list = (last = { id: 0 }) =>
    store.read((tables) => tables.extractions.list(extractionId, last.id, LISTED_AT_ONCE));
  const found = await listAll(list, LISTED_AT_ONCE, () => takeTurn(job?.accountId));
  const inOrder = found.sort((a, b) => a.returns - b.returns || a.id - b.id);
  return inOrder.flatMap(({ code }) => (code === undefined ? [] : [code]));
}

function begin(
  tables: Tables,
  actor: AccountActor,
  request: ExtractRequest,
  { contest, witnesses, moment }: Pick<ExtractingDeps, 'contest' | 'witnesses'> & { moment: Moment },
): { extractionId: number; replayed: boolean } {
  requirePermission(getCurrentActor(tables, actor), 'extractCodes');
  const { gameId, denomination, amount, idempotencyKey } = request;
  const described = JSON.stringify(['extract', gameId, denomination, amount]);
  const key = useKey(tables, actor.accountId, idempotencyKey, described, moment);
  const earlier = key.earlier?.extractionId;
  if (typeof earlier === 'number') return { extractionId: earlier, replayed: true };
  requireUnpaused(tables, actor.accountId);
  refuseContested(contest);
  const isKnown = !witnesses.canProve(gameId, tables);
  const stockKey = { accountId: actor.accountId, gameId, denomination, isKnown };
  if (tables.stockPauses.isPaused(stockKey) || !hasMore(tables, stockKey))
    return { extractionId: 0, replayed: false };
  const ordered = { accountId: actor.accountId, actor: nameActor(actor), now: moment.now };
  const extractionId = tables.extractions.open({ ...ordered, gameId, denomination, requested: amount });
  tables.jobs.open({ ...ordered, kind: 'extract', subjectId: extractionId, total: amount });
  key.remember({ extractionId });
  const after = { gameId, denomination, count: amount };
  record(tables, actor, 'codesExtracted', { object: `extraction:${extractionId}`, after }, moment.now);
  return { extractionId, replayed: false };
}

/** The work of an `extract` job. */
export function createExtractingWork(deps: ExtractingDeps): Work {
  const { store, clock, witnesses } = deps;
  // Per job, since when this process asks the platform for it.
  const askingSince = new Map<number, number>();

  return {
    async step(job) {
      const extraction = store.read((tables) => tables.extractions.find(job.subjectId));
      if (!extraction) throw new CoreError('NOT_FOUND', 'The extraction is not there any more.');
      const isKnown = !witnesses.canProve(extraction.gameId);
      const stockKey = { ...extraction, isKnown, amount: Math.min(SLICE, job.total - job.done) };
      if (await putUnreadableAside(deps, stockKey)) return;
      const since = askingSince.get(job.id) ?? clock.elapsed();
      askingSince.set(job.id, since);
      const verified = await verifyAhead(deps, stockKey, since + VERIFY_WITHIN_MS);
      if (verified === 'settled') return;
      const isOver = await store.write(
        (tables) => takeSlice(deps, tables, job, stockKey, verified === 'unsettled'),
        { bulk: true, whose: job.accountId },
      );
      if (isOver) askingSince.delete(job.id);
    },
  };
}

/** `isKnown`: only such as are known to be unspent; of the others nobody's word would say so. */
type Handed = StockKey & { isKnown: boolean };
/** So many codes of a stock key. */
type AmountOf = Handed & { amount: number };

/** Whether any of the next codes does not open any more: it is put aside, never handed out as nothing. */
async function putUnreadableAside({ store, clock }: ExtractingDeps, stockKey: AmountOf): Promise<boolean> {
  const unreadable = store.read((tables) => tables.extractions.listUnreadable(stockKey));
  if (unreadable.length === 0) return false;
  await store.write(
    (tables) => {
      const now = clock.now();
      const aside = unreadable.filter((id) => tables.codes.discardAsInvalid(id, now));
      notifyUnreadable(tables, stockKey, aside, now);
    },
    { bulk: true },
  );
  return true;
}

/**
 * After a restore: asks about the first few of the codes that come next, where they are in question. `settled`: some of
 * them are known now; `unsettled`: nothing more can be learned; `none` is in question.
 */
async function verifyAhead(
  { store, checkUnspent, recordLost, clock, signal }: ExtractingDeps,
  stockKey: AmountOf,
  deadline: number,
): Promise<'settled' | 'unsettled' | 'none'> {
  const unverified = store.read((tables) =>
    tables.extractions.listUnverified({ ...stockKey, limit: VERIFY_AT_ONCE }),
  );
  if (unverified.length === 0) return 'none';
  if (clock.elapsed() >= deadline) return 'unsettled';
  const told = await Promise.all(
    unverified.map(async ({ id, code }) => {
      const leftMs = deadline - clock.elapsed();
      return { id, code, asked: await checkUnspent({ gameId: stockKey.gameId, code }, leftMs, signal) };
    }),
  );
  // One that a redemption took meanwhile is its own affair: another has come in its place.
  const isAnySettled = await store.write(
    (tables) => {
      const now = clock.now();
      for (const { id, code, asked } of told) {
        // It is that code alone of which nothing is told: it stops no other.
        if (asked.status === 'underWay' || tellsNothing(asked)) tables.codes.stepAside(id, now);
        settleUnverified(recordLost, tables, { ...stockKey, id, code }, asked, now);
      }
      return told.some(({ asked }) => asked.status === 'notRedeemed' || asked.status === 'redeemed');
    },
    { bulk: true },
  );
  // What the end of the process cut off is asked about again by the next: the job stops before its next step.
  return isAnySettled || signal.aborted ? 'settled' : 'unsettled';
}

/**
 * Whether there are codes beyond those that are promised; where some are, or nobody can be asked, only what is known to
 * be unspent.
 */
function hasMore(tables: Tables, stockKey: Handed): boolean {
  const { available, promised } = countAvailable(tables, stockKey);
  return promised > 0 || stockKey.isKnown ? available > promised : tables.extractions.hasTakeable(stockKey);
}

/**
 * Takes the next few, and ends the job with the last of them, where there are no more, where the denomination is
 * paused, where another machine may hand out the same, or where `isLast`. A redemption may have taken some that were
 * looked at: what came in their place is looked at in the next step.
 */
function takeSlice(
  { contest, clock }: ExtractingDeps,
  tables: Tables,
  job: JobRow,
  stockKey: AmountOf,
  isLast: boolean,
): boolean {
  const now = clock.now();
  const extractionId = job.subjectId;
  const isPaused = contest.isContested() || tables.stockPauses.isPaused(stockKey);
  const { available, promised } = countAvailable(tables, stockKey);
  const amount = isPaused ? 0 : Math.min(stockKey.amount, available - promised);
  const taken = amount > 0 ? tables.extractions.extract({ ...stockKey, amount, extractionId, now }) : 0;
  const done = job.done + taken;
  if (!tables.jobs.advance(job.id, { done, cursor: null })) {
    throw new Error(`Job ${job.id} ended while it took codes.`);
  }
  const isAll = isLast || isPaused || (stockKey.isKnown && taken < amount);
  if (done < job.total && !isAll && hasMore(tables, stockKey)) return false;
  tables.jobs.end(job.id, 'done', now);
  tables.extractions.end(extractionId, now);
  watchStock(tables, stockKey, now);
  return true;
}
