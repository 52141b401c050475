// One transaction that several writes share: each in a savepoint of its own, all told after the common COMMIT.
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

/** The transactions of one connection, one after the other: begin, run …, end. */
export function createGroupCommit(database: Database): GroupCommit {
  const statements = prepareStatements(database);
  let decisions: { write: Write; outcome: Outcome }[] = [];

  return {
    begin() {
      rollBack(database, statements);
      statements.begin.run();
    },
    run: (write) => void decisions.push({ write, outcome: runWrite(database, statements, write) }),
    end() {
      const failure = commit(database, statements);
      const decided = decisions;
      decisions = [];
      for (const { write, outcome } of decided) {
        if ('reason' in outcome) write.reject(outcome.reason);
        else if (failure) write.reject(failure.reason);
        else write.resolve(outcome.value);
      }
      return failure === undefined;
    },
  };
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

function runWrite(database: Database, statements: Statements, write: Write): Outcome {
  // After some errors (a full disk) SQLite has already rolled the whole transaction back.
  if (!database.inTransaction) return { reason: new Error(ROLLED_BACK) };
  try {
    statements.savepoint.run();
    const value = write.work();
    if (isThenable(value)) {
      value.then(undefined, () => undefined);
      throw new TypeError('A write must be synchronous: its work returned a promise.');
    }
    statements.release.run();
    return { value };
  } catch (reason) {
    rollBackWrite(database, statements);
    return { reason };
  }
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
