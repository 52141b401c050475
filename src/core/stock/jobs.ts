// Jobs: bulk work (adding, undoing, extracting) that goes on a slice at a time. A slice and its progress are one
// transaction, so whatever interrupts a job, it goes on where it stood and does nothing twice. One that cannot go on is
// set aside, and its owner told; it stops nobody else, and waits for a person for as long as it is kept.
import type { JobKind, JobRow, Store, Tables } from '../../store/index.ts';
import { takeTurn } from '../../turns.ts';
import { backOff, pause } from '../../waiting.ts';
import { CoreError } from '../errors.ts';
import type { Logger } from '../../log.ts';
import { writeNotice, type SetAsideReason } from '../notices/notices.ts';
import type { CoreClock } from '../../clock.ts';
import { grantOf, nameActor, type AccountActor, requirePermission } from '../context.ts';
import { toActorLabel, type ActorLabel } from '../receipts/receipts.ts';

/** One kind of work: what it does between two pauses. */
export interface Work {
  /**
   * Does the next slice, in one transaction with `tables.jobs.advance`, and at the end `tables.jobs.end`. Throws
   * CoreError where it can never go on.
   */
  step(job: JobRow): Promise<void>;
}

export interface Jobs {
  /**
   * Carries a job on to its end, or waits for that where it is under way; the row as it ended, undefined where that was
   * so long ago that it is forgotten, maybe in this moment. Rejects with CoreError STOPPING when the process stops
   * before: the next start goes on.
   */
  run(id: number): Promise<JobRow | undefined>;
  /** Goes on with every job that no one carries on; does not wait for them. */
  resume(): void;
  /** Prunes a few of the jobs that ended a while ago; true while there are more. */
  prune(): Promise<boolean>;
  /** Resolves when none does anything any more, after `signal` fired. */
  settled(): Promise<void>;
}

interface JobsDeps {
  store: Store;
  clock: CoreClock;
  log: Logger;
  works: Record<JobKind, Work>;
  /** Fires when the process stops. */
  signal: AbortSignal;
  /** Jobs that somebody waits for: a stop gives them its grace. */
  waitedFor: Set<Promise<unknown>>;
}

const LISTED_AT_ONCE = 100;
const pauseAfter = backOff(200, 10_000);
/** As long as the answers that are told from a job can be asked for, and a day more. */
export const KEPT_MS = 48 * 60 * 60 * 1000;
const PRUNED_AT_ONCE = 20;

export function createJobs(deps: JobsDeps): Jobs {
  const { store, clock, log, works, signal, waitedFor } = deps;
  const running = new Map<number, Promise<JobRow | undefined>>();

  async function runJob(id: number): Promise<JobRow | undefined> {
    const whose = store.read((tables) => tables.jobs.find(id))?.accountId;
    for (let failures = 0; ;) {
      // However many jobs there are, one does a piece of work a turn of the event loop.
      await takeTurn(whose);
      const job = store.read((tables) => tables.jobs.find(id));
      if (!job) return undefined;
      if (job.state !== 'running') return job;
      if (signal.aborted)
        throw new CoreError('STOPPING', 'The service is stopping. This goes on at its next start.');
      try {
        await works[job.kind].step(job);
        failures = 0;
      } catch (error) {
        if (isPassing(error)) {
          failures += 1;
          log.warn({ err: error, jobId: id }, 'a slice of a job failed, it is tried again');
          await pause(pauseAfter(failures), signal);
        } else await setAside(deps, job, error);
      }
    }
  }

  function runWaitedFor(id: number): Promise<JobRow | undefined> {
    const promise = run(id);
    waitedFor.add(promise);
    return promise.finally(() => waitedFor.delete(promise));
  }

  function run(id: number): Promise<JobRow | undefined> {
    const known = running.get(id);
    if (known) return known;
    const promise = runJob(id).finally(() => running.delete(id));
    running.set(id, promise);
    return promise;
  }

  return {
    run: runWaitedFor,
    resume() {
      for (let after = 0; !signal.aborted;) {
        const ids = store.read((tables) => tables.jobs.listRunning(after, LISTED_AT_ONCE));
        for (const id of ids) {
          if (!running.has(id)) void run(id).catch(() => undefined);
        }
        if (ids.length < LISTED_AT_ONCE) return;
        after = ids.at(-1) ?? after;
      }
    },
    prune: () => store.write((tables) => prune(tables, clock.safeNow() - KEPT_MS), { bulk: true }),
    async settled() {
      await Promise.allSettled(running.values());
    },
  };
}

/** What the disk, the lock or a full queue caused goes by; everything else will be the same the next time. */
export function isPassing(error: unknown): boolean {
  if (error instanceof CoreError) return error.code === 'OVERLOADED';
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

async function setAside({ store, clock, log, signal }: JobsDeps, job: JobRow, error: unknown): Promise<void> {
  log.error({ err: error, jobId: job.id, work: job.kind }, 'a job cannot go on and is set aside');
  const why = {
    problem: error instanceof CoreError ? error.message : 'What was kept for it cannot be read any more.',
    reason: error instanceof CoreError ? REASONS[error.code] : 'unreadable',
  };
  try {
    await store.write((tables) => endSetAside(tables, job.id, why, clock.now()));
  } catch (failure) {
    log.error({ err: failure, jobId: job.id }, 'a job could not be set aside');
    // Tried again, but not in a loop.
    await pause(pauseAfter(1), signal);
  }
}

/** What the works throw. */
const REASONS: Partial<Record<CoreError['code'], SetAsideReason>> = {
  CONFLICT: 'interrupted',
  NOT_FOUND: 'gone',
  INVALID_INPUT: 'notManaged',
};

function endSetAside(
  tables: Tables,
  id: number,
  { problem, reason }: { problem: string; reason: SetAsideReason | undefined },
  now: number,
): void {
  if (!tables.jobs.end(id, 'set_aside', now, problem)) return;
  const job = tables.jobs.find(id);
  if (!job) return;
  const { accountId, actor, kind: work, subjectId, done, total } = job;
  if (work === 'extract') tables.extractions.end(subjectId, now);
  const about = { accountId, actor, work, subjectId, done, total, problem };
  writeNotice(tables, { kind: 'jobSetAside', ...about, ...(reason && { reason }) }, now);
}

function prune(tables: Tables, until: number): boolean {
  const ids = tables.jobs.listEnded(until, PRUNED_AT_ONCE);
  for (const id of ids) {
    if (tables.jobSlices.remove(id, PRUNED_AT_ONCE) < PRUNED_AT_ONCE) tables.jobs.remove(id);
  }
  return ids.length > 0;
}

/** `subjectId`: the batch that was to be added or taken back, or the extraction. Times are ms UTC. */
export interface SetAsideJob {
  id: number;
  kind: JobKind;
  subjectId: number;
  /** How far it came, in codes. */
  done: number;
  total: number;
  at: number;
  setAsideAt: number;
  actorLabel: ActorLabel;
}

/** Oldest first; one's own alone for whoever may see no more. Throws CoreError FORBIDDEN. */
export type ListSetAsideJobs = (actor: AccountActor) => SetAsideJob[];

const MOST_LISTED = 200;

export function createListSetAsideJobs({ store }: { store: Store }): ListSetAsideJobs {
  return (actor) => {
    const isOwn = requirePermission(actor, 'undoImport') === 'own';
    const mayExtract = grantOf(actor, 'extractCodes') === 'yes';
    const { accountId } = actor;
    return store.read((tables) =>
      tables.jobs
        .listSetAside(accountId, MOST_LISTED)
        .filter((job) => !isOwn || job.actor === nameActor(actor))
        .filter(({ kind }) => kind !== 'extract' || mayExtract)
        .map(({ id, kind, subjectId, done, total, at, endedAt, actor: by }) => ({
          ...{ id, kind, subjectId, done, total, at, setAsideAt: endedAt ?? at },
          actorLabel: toActorLabel(tables, accountId, by),
        })),
    );
  };
}
