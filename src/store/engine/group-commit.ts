// One transaction that several writes share, each in a savepoint of its own, all told after the common COMMIT.
import type { Database } from 'better-sqlite3';

const ROLLED_BACK = 'The transaction was rolled back by the database: nothing of it was kept.';

/** What was handed to the writer, and who waits for it. */
export interface Write {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (reason: unknown) => void;
}

export interface GroupCommit {
  /** Opens the transaction. Throws what made it fail: `isBusy` where another process writes. */
  begin(): void;
  /** Runs one write inside it. Never throws: what `work` threw is its own failure, told with the others. */
  run(write: Write): void;
  /** Commits, and only then tells: "resolved" means "on disk". False when the commit failed, and with it every write. */
  end(): boolean;
}

type Outcome = { value: unknown } | { reason: unknown };
type Ran = { write: Write; outcome: Outcome }[];

/**
 * The transactions of one connection, one after the other: begin, run …, end. `beforeCommit` runs in each of them at
 * its end; what it throws fails the commit.
 */
export function createGroupCommit(
  database: Database,
  { beforeCommit }: { beforeCommit?: (() => void) | undefined } = {},
): GroupCommit {
  const statements = prepareStatements(database);
  let ran: Ran = [];

  return {
    begin() {
      rollBack(database, statements);
      statements.begin.run();
    },
    run(write) {
      // After some errors (a full disk) SQLite has already rolled the whole transaction back.
      const outcome = database.inTransaction ? runApart(database, statements, write) : rolledBack(ran);
      ran.push({ write, outcome });
    },
    end() {
      const failure = database.inTransaction ? commit(database, statements, beforeCommit) : rolledBack(ran);
      const decided = ran;
      ran = [];
      settle(decided, failure);
      return failure === undefined;
    },
  };
}

function settle(decided: Ran, failure: { reason: unknown } | undefined): void {
  for (const { write, outcome } of decided) {
    if ('reason' in outcome) write.reject(outcome.reason);
    else if (failure) write.reject(failure.reason);
    else write.resolve(outcome.value);
  }
}

/** Whether another process holds the lock, so that trying again helps. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(database: Database) {
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    rollback: database.prepare('ROLLBACK'),
    savepoint: database.prepare('SAVEPOINT one_write'),
    release: database.prepare('RELEASE one_write'),
    rollbackTo: database.prepare('ROLLBACK TO one_write'),
  };
}

function runApart(database: Database, statements: Statements, write: Write): Outcome {
  try {
    statements.savepoint.run();
    const value = runWork(write);
    statements.release.run();
    return { value };
  } catch (reason) {
    rollBackWrite(database, statements);
    return { reason };
  }
}

/**
 * Why a write is lost whose transaction another one took with it, the last that failed: what the disk refused that one
 * it refused this one, so that whoever tries again does.
 */
function rolledBack(ran: Ran): { reason: unknown } {
  const reasons = ran.flatMap(({ outcome }) => ('reason' in outcome ? [outcome.reason] : []));
  const cause = reasons.at(-1);
  const code = cause instanceof Error && 'code' in cause ? { code: cause.code } : {};
  return { reason: Object.assign(new Error(ROLLED_BACK, { cause }), code) };
}

function runWork(write: Write): unknown {
  const value = write.work();
  if (isThenable(value)) {
    value.then(undefined, () => undefined);
    throw new TypeError('A write must be synchronous: its work returned a promise.');
  }
  return value;
}

/** Undoes one write. Where that fails too (its savepoint was never made), all of them go: nothing is kept by halves. */
function rollBackWrite(database: Database, statements: Statements): void {
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
    // The writes have their reason already; a begin inside an open transaction would fail, and nothing be committed.
  }
}

/** What made the commit fail; undefined when everything is on disk. */
function commit(
  database: Database,
  statements: Statements,
  beforeCommit: (() => void) | undefined,
): { reason: unknown } | undefined {
  try {
    beforeCommit?.();
    statements.commit.run();
    return undefined;
  } catch (reason) {
    rollBack(database, statements);
    return { reason };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
