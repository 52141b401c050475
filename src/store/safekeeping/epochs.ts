// Epochs: every restore begins one. A database remembers how far it knows each epoch, its own and those of the files it was
// made of: so that of two files it can be told what one of them cannot know, and numbers that may have been given away in a
// time that nobody knows of are not given again.
import { randomBytes } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

import { forgetCommits } from '../engine/commit-count.ts';
import { readBackedUpAt, unmarkBackup } from '../engine/identity.ts';
import { readMeta, writeMeta } from '../engine/meta.ts';

const EPOCHS = 'epochs';

/** How far one epoch is known. Epochs of one service follow each other: the next begins when a restore ends the last. */
export interface Epoch {
  id: string;
  startedAt: number;
  /** Until when it is known. */
  asOf: number;
  /** The highest numbers that are known to be given in it or before. */
  numbers: Numbers;
}

/** The highest number given, by table. */
export type Numbers = Readonly<Record<string, number>>;

/** What a database file knows of the past; its own epoch is the last. */
export type Line = readonly Epoch[];

/** A stretch of time, both ends included. */
type Stretch = readonly [from: number, until: number];

export interface Kinship {
  /** The replaced database knows everything that the backup knows. */
  descends: boolean;
  /** Of which times either knows what happened. */
  knownToReplaced: readonly Stretch[];
  knownToBackup: readonly Stretch[];
}

/** In an hour nobody knows of, no table is given more numbers than this, and this many a second on top. */
const GAP = 1_000_000;
const GAP_PER_SECOND = 100;
/** The epoch of a database that was never restored. */
const FIRST: OwnEpoch = { id: 'first', startedAt: 0 };

/**
 * Reads what a database knows that was in use until `now`: everything of its own time, entry or none. A backup that was put
 * in its place by hand knows no more than it did.
 */
export const readLine = (connection: Connection, now: number): Line =>
  isBackup(connection) ? readBackupLine(connection, now) : readUntil(connection, now);

/** Whether a file is a backup as it was made. */
export const isBackup = (connection: Connection): boolean => readBackedUpAt(connection) !== undefined;

/** Reads what a backup knows; `now` bounds it, since a clock that was wrong leaves entries of a time to come. */
export function readBackupLine(connection: Connection, now: number): Line {
  const made = readBackedUpAt(connection) ?? 0;
  return readUntil(connection, Math.min(now, Math.max(made, findNewest(connection))));
}

function readUntil(connection: Connection, asOf: number): Line {
  const { earlier, own } = readEpochs(connection);
  return [...earlier, { ...own, asOf: Math.max(own.startedAt, asOf), numbers: readNumbers(connection) }];
}

/** Until when a file knows what happened. */
export const newestOf = (line: Line): number => line.at(-1)?.asOf ?? 0;
/** The highest numbers that a file knows of. */
export const numbersOf = (line: Line): Numbers => line.at(-1)?.numbers ?? {};

/** What two files that have one origin know of each other's past. */
export function compareLines(backup: Line, replaced: Line): Kinship {
  const starts = [...backup, ...replaced].map(({ startedAt }) => startedAt);
  return {
    descends: backup.every((epoch) => replaced.some((other) => covers(other, epoch))),
    knownToReplaced: listStretches(replaced, starts),
    knownToBackup: listStretches(backup, starts),
  };
}

/** An epoch as far as one of two files knows it. */
export function joinLines(some: Line, others: Line): Line {
  const joined = some.map((epoch) => {
    const other = others.find(({ id }) => id === epoch.id);
    return other && covers(other, epoch) ? other : epoch;
  });
  return [...joined, ...others.filter(({ id }) => !some.some((epoch) => epoch.id === id))];
}

// Numbers only grow, so that of one epoch the later file has given at least as many.
function covers(epoch: Epoch, other: Epoch): boolean {
  if (epoch.id !== other.id || epoch.asOf < other.asOf) return false;
  return Object.entries(other.numbers).every(([name, number]) => number <= (epoch.numbers[name] ?? 0));
}

/** An epoch ends where the next begins, whichever file knows that one. */
function listStretches(line: Line, starts: readonly number[]): Stretch[] {
  return line.map(({ startedAt, asOf }) => {
    const next = Math.min(...starts.filter((start) => start > startedAt));
    return [startedAt, Math.min(asOf, next)];
  });
}

export function nameEpoch(): string {
  return randomBytes(8).toString('hex');
}

/** Begins an epoch in a restored database, which knows so far of those before. */
export function beginEpoch(connection: Connection, own: OwnEpoch, earlier: Line): void {
  unmarkBackup(connection);
  forgetCommits(connection);
  writeMeta(connection, EPOCHS, JSON.stringify({ earlier, own } satisfies Epochs));
}

/** The highest number given in each table that counts up. */
function readNumbers(connection: Connection): Numbers {
  const rows = connection
    .prepare(
      `select t.name, coalesce(s.seq, 0) from main.sqlite_schema t
       left join main.sqlite_sequence s on s.name = t.name
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

interface OwnEpoch {
  id: string;
  startedAt: number;
  /** A time before it is lost, of which nobody knows what was under way. Files of earlier versions do not tell. */
  isBlind?: boolean;
}

interface Epochs {
  earlier: Line;
  own: OwnEpoch;
}

/** When the restore was made that lost a past, by the calendar; undefined where this database lost none. */
export function readLostAt(connection: Connection): number | undefined {
  const { own } = readEpochs(connection);
  return own.isBlind ? own.startedAt : undefined;
}

function readEpochs(connection: Connection): Epochs {
  const value = readMeta(connection, EPOCHS);
  return value ? (JSON.parse(value) as Epochs) : { earlier: [], own: FIRST };
}

/** When anything was written last that says when. */
const TIMES: readonly [table: string, ...columns: string[]][] = [
  ['accounts', 'created_at'],
  ['api_keys', 'created_at', 'last_used_at', 'revoked_at'],
  ['members', 'joined_at', 'role_at'],
  ['batches', 'at', 'undone_at'],
  ['codes', 'changed_at'],
  ['extractions', 'at', 'ended_at'],
  ['redemptions', 'created_at', 'settled_at', 'doubted_at'],
  ['purchases', 'at', 'refunded_at'],
  ['purchase_orders', 'at'],
  ['charge_notes', 'at'],
  ['notices', 'at', 'delivered_at'],
  ['inbox', 'received_at'],
  ['outbox', 'at'],
  ['conversations', 'touched_at'],
  ['webhooks', 'created_at', 'removed_at'],
  ['webhook_messages', 'at'],
];

function findNewest(connection: Connection): number {
  const newest = TIMES.map(([table, ...columns]) => {
    const times = columns.map((column) => `coalesce(max(${column}), 0)`);
    const sql = `select ${times.length > 1 ? `max(${times.join(', ')})` : times[0]} from main.${table}`;
    return connection.prepare(sql).pluck().get() as number;
  });
  return Math.max(...newest);
}
