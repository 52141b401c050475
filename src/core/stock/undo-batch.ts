// Taking a batch back: what of it can still be taken leaves the code database, within an hour of its beginning.
import type { Clock } from '../../clock.ts';
import type { JobRow, Store, Tables } from '../../store/index.ts';
import { nameActor, type AccountActor, type InTransaction, requirePermission } from '../context.ts';
import { record } from '../audit-log.ts';
import { refuseContested, type Contest } from '../contest.ts';
import { watchStock } from '../notices/notices.ts';
import { getCurrentActor } from '../members.ts';
import type { Jobs, Work } from './jobs.ts';

/** From the bot's document: how long a batch can be undone. */
export const UNDO_WITHIN_MS = 60 * 60 * 1000;

export type UndoAnswer =
  | { status: 'undone'; takenBack: number }
  | { status: 'alreadyUndone' }
  | { status: 'tooLate' }
  | { status: 'notFound' };

/** The job that takes it back, or why there is none. */
export type UndoBegun = { status: 'begun'; jobId: number } | Exclude<UndoAnswer, { status: 'undone' }>;

interface UndoingDeps {
  store: Store;
  clock: Clock;
  contest: Pick<Contest, 'isContested'>;
}

/** Codes of a batch gone through in one transaction. */
const SLICE = 100;

/** How far an undo came: the last hash gone through, and what was taken back by denomination. */
interface Cursor {
  after: string;
  taken: Record<string, number>;
}

/**
 * Takes back what of a batch can still be taken; where its codes are still being added, that ends. Goes on after a
 * restart, and repeating it is safe. Throws CoreError FORBIDDEN, CONTESTED, STOPPING.
 */
export async function undoBatch(
  { jobs, ...deps }: UndoingDeps & { jobs: Jobs },
  actor: AccountActor,
  batchId: number,
  inTransaction?: InTransaction<Undoing>,
): Promise<UndoAnswer> {
  const begun = await beginUndo(deps, actor, batchId, inTransaction);
  if (begun.status !== 'begun') return begun;
  const { taken } = readCursor(await jobs.run(begun.jobId));
  return { status: 'undone', takenBack: Object.values(taken).reduce((sum, count) => sum + count, 0) };
}

interface Undoing {
  batchId: number;
  jobId: number;
}

export function beginUndo(
  { store, clock, contest }: UndoingDeps,
  actor: AccountActor,
  batchId: number,
  inTransaction?: InTransaction<Undoing>,
): Promise<UndoBegun> {
  return store.write((tables) => {
    const begun = begin({ tables, contest }, actor, batchId, clock.now());
    if (begun.status === 'begun') inTransaction?.(tables, { batchId, jobId: begun.jobId });
    return begun;
  });
}

function begin(
  { tables, contest }: Pick<UndoingDeps, 'contest'> & { tables: Tables },
  actor: AccountActor,
  batchId: number,
  now: number,
): UndoBegun {
  const grant = requirePermission(getCurrentActor(tables, actor), 'undoImport');
  const batch = tables.batches.find(batchId);
  if (batch?.accountId !== actor.accountId) return { status: 'notFound' };
  if (grant === 'own' && batch.actor !== nameActor(actor)) return { status: 'notFound' };
  if (batch.undoneAt !== null) return { status: 'alreadyUndone' };
  const known = tables.jobs.findOfSubject('undo', batchId);
  if (known) return { status: 'begun', jobId: known.id };
  if (now - batch.at > UNDO_WITHIN_MS) return { status: 'tooLate' };
  refuseContested(contest);
  const adding = tables.jobs.findOfSubject('add', batchId);
  if (adding) tables.jobs.end(adding.id, 'cancelled', now);
  const { accountId, added, gameId } = batch;
  record(tables, actor, 'batchUndone', { object: `batch:${batchId}`, before: { gameId, count: added } }, now);
  const job = {
    accountId,
    actor: nameActor(actor),
    kind: 'undo',
    subjectId: batchId,
    total: added,
    now,
  } as const;
  return { status: 'begun', jobId: tables.jobs.open(job) };
}

/** The work of an `undo` job. */
export function createUndoingWork({ store, clock }: UndoingDeps): Work {
  return {
    step: (job) =>
      store.write((tables) => takeBackSlice(tables, job, clock.now()), { bulk: true, whose: job.accountId }),
  };
}

function takeBackSlice(tables: Tables, job: JobRow, now: number): void {
  const { after, taken } = readCursor(job);
  const { denominations, last } = tables.batches.takeBack(
    job.subjectId,
    Buffer.from(after, 'base64'),
    SLICE,
    now,
  );
  for (const denomination of denominations) taken[denomination] = (taken[denomination] ?? 0) + 1;
  const cursor: Cursor = { after: last?.toString('base64') ?? after, taken };
  const done = last ? Math.min(job.total, job.done + SLICE) : job.total;
  if (!tables.jobs.advance(job.id, { done, cursor: JSON.stringify(cursor) })) return;
  if (last) return;
  // Marked as undone last, and in the transaction of the last slice.
  tables.jobs.end(job.id, 'done', now);
  tables.batches.markUndone(job.subjectId, job.actor, now);
  const batch = tables.batches.find(job.subjectId);
  for (const denomination of Object.keys(taken)) {
    if (batch) watchStock(tables, { ...stockKeyOf(batch), denomination: Number(denomination) }, now);
  }
}

const stockKeyOf = ({ accountId, gameId }: { accountId: number; gameId: string }) => ({ accountId, gameId });

function readCursor(job: JobRow | undefined): Cursor {
  const cursor = job?.cursor ?? null;
  return cursor === null ? { after: '', taken: {} } : (JSON.parse(cursor) as Cursor);
}
