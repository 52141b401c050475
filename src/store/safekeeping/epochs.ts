// Epochs: every restore begins one. A database remembers those it went through, so that of two files it can be told whether
// one is what became of the other; and numbers that may have been given away in a time nobody knows are not given again.
import { randomBytes } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

/** One restore, as the restored database remembers it. */
export interface Epoch {
  id: string;
  at: number;
  /** The newest entry that is known of the time before. */
  asOf: number;
  /** The highest number of each table that was known to be given then. */
  numbers: Numbers;
}

/** The highest number given, by table. */
export type Numbers = Readonly<Record<string, number>>;

/** A database file, as far as its past goes. */
export interface Line {
  epochs: readonly Epoch[];
  numbers: Numbers;
  /** Its newest entry. */
  asOf: number;
}

export interface Kinship {
  /** The replaced database is what became of the backup: it knows everything that the backup knows. */
  descends: boolean;
  /** Until then both have one past. */
  forkedAt: number;
}

/** In an hour nobody knows of, no table is given more numbers than this, and this many a second on top. */
const GAP = 1_000_000;
const GAP_PER_SECOND = 100;

/** Reads a database's past; `now` bounds it, since a clock that was wrong leaves entries of a time to come. */
export function readLine(connection: Connection, schema: 'main' | 'fresh', now: number): Line {
  return {
    epochs: readEpochs(connection, schema),
    numbers: readNumbers(connection, schema),
    asOf: Math.min(now, findNewest(connection, schema)),
  };
}

/**
 * Whether the replaced database is what became of the backup. Numbers only grow, so that of one line the later file has given
 * at least as many; where a restore lies between, what counts is how far the past was known that it went back to.
 */
export function compareLines(backup: Line, replaced: Line): Kinship {
  const at = countShared(backup.epochs, replaced.epochs);
  const [ahead, beside] = [replaced.epochs[at], backup.epochs[at]];
  const reached = ahead ?? replaced;
  const isKnown = backup.asOf <= reached.asOf && covers(reached.numbers, backup.numbers);
  if (!beside && isKnown) return { descends: true, forkedAt: Infinity };
  const forks = ahead || beside ? [ahead, beside] : [backup, replaced];
  return { descends: false, forkedAt: Math.min(...forks.map((end) => end?.asOf ?? Infinity)) };
}

export function nameEpoch(): string {
  return randomBytes(8).toString('hex');
}

/** Remembers a restore as the beginning of an epoch. */
export function beginEpoch(connection: Connection, epoch: Epoch): void {
  const epochs = [...readEpochs(connection, 'main'), epoch];
  connection
    .prepare(
      "insert into meta (key, value) values ('epochs', ?) on conflict do update set value = excluded.value",
    )
    .run(Buffer.from(JSON.stringify(epochs)));
}

/** The highest number given in each table that counts up. */
export function readNumbers(connection: Connection, schema: 'main' | 'fresh'): Numbers {
  const rows = connection
    .prepare(
      `select t.name, coalesce(s.seq, 0) from ${schema}.sqlite_schema t
       left join ${schema}.sqlite_sequence s on s.name = t.name
       where t.type = 'table' and t.sql like '%AUTOINCREMENT%' order by t.name`,
    )
    .raw()
    .all() as [string, number][];
  return Object.fromEntries(rows);
}

/** The higher of each. */
export function joinNumbers(some: Numbers, others: Numbers): Numbers {
  return Object.fromEntries(
    Object.entries(some).map(([name, number]) => [name, Math.max(number, others[name] ?? 0)]),
  );
}

/** Numbers that nobody can have been given in so long a time. */
export function leapOver(numbers: Numbers, unknownMs: number): Numbers {
  const gap = GAP + Math.ceil((Math.max(0, unknownMs) / 1000) * GAP_PER_SECOND);
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number + gap]));
}

/** From here on every number given is higher than these. */
export function raiseNumbers(connection: Connection, numbers: Numbers): void {
  const raise = connection.prepare('update sqlite_sequence set seq = max(seq, @number) where name = @name');
  const open = connection.prepare('insert into sqlite_sequence (name, seq) values (@name, @number)');
  for (const [name, number] of Object.entries(numbers)) {
    if (raise.run({ name, number }).changes === 0) open.run({ name, number });
  }
}

function readEpochs(connection: Connection, schema: 'main' | 'fresh'): Epoch[] {
  const value = connection.prepare(`select value from ${schema}.meta where key = 'epochs'`).pluck().get() as
    Buffer | undefined;
  return value ? (JSON.parse(value.toString('utf8')) as Epoch[]) : [];
}

function countShared(some: readonly Epoch[], others: readonly Epoch[]): number {
  const at = some.findIndex(({ id }, index) => others[index]?.id !== id);
  return at === -1 ? some.length : at;
}

const covers = (numbers: Numbers, others: Numbers) =>
  Object.entries(others).every(([name, number]) => number <= (numbers[name] ?? 0));

/** When anything was written last that says when. */
const TIMES: readonly [table: string, ...columns: string[]][] = [
  ['accounts', 'created_at'],
  ['api_keys', 'created_at', 'last_used_at', 'revoked_at'],
  ['members', 'joined_at'],
  ['batches', 'at', 'undone_at'],
  ['codes', 'changed_at'],
  ['extractions', 'at', 'ended_at'],
  ['redemptions', 'created_at', 'settled_at', 'doubted_at'],
  ['purchases', 'at', 'refunded_at'],
  ['notices', 'at', 'delivered_at'],
  ['inbox', 'received_at'],
  ['outbox', 'at'],
  ['conversations', 'touched_at'],
];

function findNewest(connection: Connection, schema: 'main' | 'fresh'): number {
  const newest = TIMES.map(([table, ...columns]) => {
    const times = columns.map((column) => `coalesce(max(${column}), 0)`);
    const sql = `select ${times.length > 1 ? `max(${times.join(', ')})` : times[0]} from ${schema}.${table}`;
    return connection.prepare(sql).pluck().get() as number;
  });
  return Math.max(...newest);
}
