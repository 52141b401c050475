// Group commit: jobs that arrive together share one transaction and one fsync, each in a savepoint of its own.
// A lone job commits at the next turn of the event loop; nothing ever waits for company.
import type { Database } from 'better-sqlite3';

/** About the knee: more jobs a commit hold the event loop longer than they save. */
const JOBS_PER_COMMIT = 64;
const BUSY_RETRIES = 40;
const BUSY_PAUSE_MS = 100;
const ROLLED_BACK = 'The transaction was rolled back by the database: nothing of it was kept.';

export interface GroupCommit {
  /**
   * Runs `work` inside a transaction; resolves with its result after the common COMMIT is on disk.
   * Rejects with what `work` threw (it alone is rolled back), or with the failure of the commit.
   */
  write<T>(work: () => T): Promise<T>;
  /** Resolves when everything handed in so far is decided. */
  drain(): Promise<void>;
}

interface Job {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

export interface GroupCommitOptions {
  /** Told of each commit: how many jobs it held. */
  onCommit?: (jobs: number) => void;
}

/** The queue. How one batch is run and decided is below. */
export function createGroupCommit(database: Database, options: GroupCommitOptions = {}): GroupCommit {
  const statements = prepareStatements(database);
  let queue: Job[] = [];
  let scheduled = false;
  let busyRetries = 0;
  const idle: (() => void)[] = [];

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(commitBatch);
  }

  function commitBatch(): void {
    scheduled = false;
    const jobs = queue.splice(0, JOBS_PER_COMMIT);
    if (jobs.length > 0 && !runBatch(jobs)) return;
    if (queue.length > 0) schedule();
    else for (const resolve of idle.splice(0)) resolve();
  }

  /** False when another process (the command line) holds the write lock: tried again without holding the event loop. */
  function runBatch(jobs: Job[]): boolean {
    rollBack(database, statements);
    try {
      statements.begin.run();
      busyRetries = 0;
    } catch (error) {
      if (isBusy(error) && busyRetries < BUSY_RETRIES) {
        busyRetries += 1;
        queue = [...jobs, ...queue];
        scheduled = true;
        setTimeout(commitBatch, BUSY_PAUSE_MS);
        return false;
      }
      busyRetries = 0;
      for (const job of jobs) job.reject(error);
      return true;
    }
    if (decide(database, statements, jobs)) options.onCommit?.(jobs.length);
    return true;
  }

  return {
    write<T>(work: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      });
    },
    drain() {
      if (queue.length === 0 && !scheduled) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
  };
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: Database) {
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    savepoint: database.prepare('SAVEPOINT job'),
    release: database.prepare('RELEASE job'),
    rollbackTo: database.prepare('ROLLBACK TO job'),
  };
}

/** Runs the jobs, commits, and only then tells: "resolved" means "on disk". A failed commit fails every job of the batch. */
function decide(database: Database, statements: Statements, jobs: Job[]): boolean {
  const decisions = jobs.map((job) => runJob(database, statements, job));
  const failure = commit(database, statements);
  for (const { job, outcome } of decisions) {
    if ('reason' in outcome) job.reject(outcome.reason);
    else if (failure) job.reject(failure.reason);
    else job.resolve(outcome.value);
  }
  return failure === undefined;
}

type Outcome = { value: unknown } | { reason: unknown };

function runJob(database: Database, statements: Statements, job: Job): { job: Job; outcome: Outcome } {
  // After some errors (a full disk) SQLite has already rolled the whole transaction back.
  if (!database.inTransaction) return { job, outcome: { reason: new Error(ROLLED_BACK) } };
  try {
    statements.savepoint.run();
    const value = job.work();
    if (isThenable(value)) {
      value.then(undefined, () => undefined);
      throw new TypeError('A write must be synchronous: its work returned a promise.');
    }
    statements.release.run();
    return { job, outcome: { value } };
  } catch (reason) {
    rollBackJob(database, statements);
    return { job, outcome: { reason } };
  }
}

/** Undoes one job. Where that fails too (its savepoint was never made), the whole batch goes: nothing is kept by halves. */
function rollBackJob(database: Database, statements: Statements): void {
  if (!database.inTransaction) return;
  try {
    statements.rollbackTo.run();
    statements.release.run();
  } catch {
    rollBack(database, statements);
  }
}

/** Ends whatever transaction is open. Never throws: one that stays open is tried again before the next begins. */
function rollBack(database: Database, statements: Statements): void {
  if (!database.inTransaction) return;
  try {
    statements.rollback.run();
  } catch {
    // The jobs have their reason already; a begin inside an open transaction would fail, and nothing be committed.
  }
}

/** What made the commit fail; undefined when everything is on disk. */
function commit(database: Database, statements: Statements): { reason: unknown } | undefined {
  if (!database.inTransaction) return { reason: new Error(ROLLED_BACK) };
  try {
    statements.commit.run();
    return undefined;
  } catch (reason) {
    rollBack(database, statements);
    return { reason };
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
