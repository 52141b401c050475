// Statements of the service that fail: the Nth of its transactions from now on, and so many after it.
import Database from 'better-sqlite3';

/**
 * `IOERR` leaves the transaction open, `IOERR_GONE` has rolled it back already, as some errors of SQLite do; `FULL` is
 * such a one.
 */
export const WAYS = ['IOERR', 'IOERR_GONE', 'FULL'] as const;
type Way = (typeof WAYS)[number];

interface Failing {
  /** Only the database of the process that runs now. */
  path: () => string;
  nth: number;
  count: number;
  way: Way;
}

let failing: (Failing & { counted: number; struck: number }) | undefined;

/** Told how many have failed; `end` before anything else is armed. */
export function failAt(asked: Failing): { struck(): number; counted(): number; end(): void } {
  const armed = { ...asked, counted: 0, struck: 0 };
  failing = armed;
  return { struck: () => armed.struck, counted: () => armed.counted, end: () => void (failing = undefined) };
}

const SAID = { IOERR: 'disk I/O error', IOERR_GONE: 'disk I/O error', FULL: 'database or disk is full' };
const CODES = { IOERR: 'SQLITE_IOERR_WRITE', IOERR_GONE: 'SQLITE_IOERR_WRITE', FULL: 'SQLITE_FULL' };

/** Connections whose transaction only reads. */
const snapshots = new WeakSet<Database.Database>();

function step(connection: Database.Database, sql: string): void {
  if (!failing || connection.readonly || connection.name !== failing.path()) return;
  // A read outside of a transaction that fails is not held: an update whose sender cannot be read waits for a start.
  if (sql === 'BEGIN') snapshots.add(connection);
  if (sql === 'BEGIN IMMEDIATE') snapshots.delete(connection);
  const isWriting = connection.inTransaction ? !snapshots.has(connection) : sql === 'BEGIN IMMEDIATE';
  if (!isWriting) return;
  failing.counted += 1;
  const { nth, counted, struck, count, way } = failing;
  if (sql.startsWith('ROLLBACK') || counted < nth || struck >= count) return;
  failing.struck += 1;
  if (way !== 'IOERR' && connection.inTransaction) connection.exec('ROLLBACK');
  throw new Database.SqliteError(SAID[way], CODES[way]);
}

interface Stepped {
  database: Database.Database;
  source: string;
}

/** From now on statements of this process can fail. */
export function bindStatements(): void {
  const file = new Database(':memory:');
  const prototype = Object.getPrototypeOf(file.prepare('select 1')) as Record<
    string,
    (...params: unknown[]) => unknown
  >;
  file.close();
  for (const method of ['run', 'get', 'all', 'iterate']) {
    const original = prototype[method]!;
    prototype[method] = function (this: Stepped, ...params) {
      if (failing) step(this.database, this.source);
      return original.apply(this, params);
    };
  }
}
