// Epochs: every restore and every move to another place begins one. A database remembers how far it knows each, its own
// and those of the file it was made of, so that no number that may have been given away is given again.
import { randomBytes } from 'node:crypto';
import type { Database as Connection } from 'better-sqlite3';

import { deleteCommits } from '../engine/commit-count.ts';
import { readNumber } from '../engine/connection.ts';
import { leaveHome } from '../engine/home.ts';
import { readBackedUpAt, readStoppedAt, unmarkBackup, unmarkStopped } from '../engine/identity.ts';
import { readMeta, writeMeta } from '../engine/meta.ts';
import { createAuditLogTable, type AuditRow } from '../tables/audit-log.ts';
import { openOrm } from '../engine/drizzle.ts';

const EPOCHS = 'epochs';

/** How far a file knows one epoch. */
interface Epoch {
  id: string;
  /** The highest numbers that are known to be given in it or before. */
  numbers: Numbers;
}

/** The highest number given, by table. */
export type Numbers = Readonly<Record<string, number>>;

/** What a database file knows of the past; its own epoch is the last. */
export type Line = readonly Epoch[];

interface Epochs {
  earlier: Line;
  /** `lost`: of the last restore, if there was one. */
  own: { id: string; lost?: LostTime };
}

/** In an hour nobody knows of, no table is given more numbers than this, and this many a second on top. */
const GAP = 1_000_000;
const GAP_PER_SECOND = 100;
/** Of an earlier restore it is remembered for so long what time it has lost. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;
/** The epoch of a database that was never restored, nor moved. */
const FIRST = { id: 'first' };

export function readLine(connection: Connection): Line {
  const { earlier, own } = readEpochs(connection);
  return [...earlier, { id: own.id, numbers: readNumbers(connection) }];
}

/**
 * The backup knew what happened until `asOf`, and the restore is made now; milliseconds UTC. `because`: what was wrong
 * with the database that it replaces.
 */
export function beginRestored(
  connection: Connection,
  { now, asOf, because }: { now: number; asOf: number; because?: string | undefined },
  earlier: Line,
): void {
  const epoch = earlier.at(-1)?.id ?? FIRST.id;
  begin(connection, { earlier, lost: { asOf, until: now, epoch, ...listEarlier(connection, asOf) } });
  // Who had ended one after the backup would be let in by it again.
  connection.exec('delete from console_sessions; delete from console_links');
  log(connection, {
    what: 'restored',
    before: { asOf },
    after: { until: now },
    reason: because ?? null,
    at: now,
  });
}

/** What was lost not long before is still repeated, and looked for. */
function listEarlier(connection: Connection, asOf: number): Pick<LostTime, 'earlier'> {
  const last = readLostTime(connection);
  if (!last) return {};
  const { earlier: before = [], ...own } = last;
  return { earlier: [own, ...before].filter(({ until }) => until > asOf - REMEMBERED_MS) };
}

/**
 * Remembers the epochs of another past of the same time, as one that was restored from the same backup: what it carried
 * out is known by references of its own. Safe to repeat.
 */
export function noteLostEpochs(connection: Connection, other: Line): void {
  const { earlier, own } = readEpochs(connection);
  if (!own.lost) return;
  const { earlier: before = [], ...lost } = own.lost;
  const known = new Set([...earlier, own, ...before.map(({ epoch }) => ({ id: epoch }))].map(({ id }) => id));
  const found = other.filter(({ id }) => !known.has(id)).map(({ id }) => ({ ...lost, epoch: id }));
  const all: Epochs = { earlier, own: { ...own, lost: { ...lost, earlier: [...found, ...before] } } };
  if (found.length > 0) writeMeta(connection, EPOCHS, JSON.stringify(all));
}

/** Of a database that goes on elsewhere with everything known: what an earlier restore has lost stays so. */
export function beginMoved(
  connection: Connection,
  { stoppedAt, now }: { stoppedAt: number; now: number },
): void {
  begin(connection, { earlier: readLine(connection), lost: readLostTime(connection) });
  log(connection, { what: 'databaseAdopted', before: { stoppedAt }, after: null, reason: null, at: now });
}

/** Into the audit log, where every account reads it. */
function log(
  connection: Connection,
  act: Pick<AuditRow, 'what' | 'before' | 'after' | 'reason' | 'at'>,
): void {
  const byHost = { accountId: null, actor: 'host:cli', door: 'cli', object: null } as const;
  createAuditLogTable(openOrm(connection)).insert({ ...byHost, ...act });
}

/** It is no backup any more, was served by nobody, and is at home wherever it is started next. */
function begin(
  connection: Connection,
  { earlier, lost }: { earlier: Line; lost: LostTime | undefined },
): void {
  unmarkBackup(connection);
  unmarkStopped(connection);
  leaveHome(connection);
  deleteCommits(connection);
  const own = { id: randomBytes(8).toString('hex'), lost };
  writeMeta(connection, EPOCHS, JSON.stringify({ earlier, own } satisfies Epochs));
}

/** The time of which nothing is known, in ms UTC by the calendar, and the epochs, by which references are derived. */
export interface LostTime {
  /** Until when the backup knew what happened. */
  asOf: number;
  /** When the restore was made. */
  until: number;
  /** The epoch that the lost time belonged to. */
  epoch: string;
  /** What restores of the day before had lost, the newest first. */
  earlier?: readonly Omit<LostTime, 'earlier'>[];
}

/** What the last restore has lost that this database comes from; undefined where there was none. */
const readLostTime = (connection: Connection): LostTime | undefined => readEpochs(connection).own.lost;

/**
 * The epoch of this database: another after every restore and every move. And of the last restore what it has lost, and
 * the highest number of a code in its backup; undefined where there was none.
 */
export function readEpoch(connection: Connection) {
  const { earlier, own } = readEpochs(connection);
  const { id: epoch, lost } = own;
  const known = earlier.find(({ id }) => id === lost?.epoch)?.numbers['codes'] ?? 0;
  return { epoch, lost, lastCodeBeforeLoss: lost && known };
}

function readEpochs(connection: Connection): Epochs {
  const value = readMeta(connection, EPOCHS);
  return value ? (JSON.parse(value) as Epochs) : { earlier: [], own: FIRST };
}

/** The highest number given in each table that counts up. */
function readNumbers(connection: Connection): Numbers {
  const select = connection.prepare<[], [string, number]>(
    `select t.name, coalesce(s.seq, 0) from sqlite_schema t
       left join sqlite_sequence s on s.name = t.name
       where t.type = 'table' and t.sql like '%AUTOINCREMENT%' order by t.name`,
  );
  return Object.fromEntries(select.raw().all());
}

/**
 * From here on every number given is higher than these, and than any that may have been given in a time that nobody
 * knows of.
 */
export function leapOver(connection: Connection, known: Numbers, unknownMs: number): void {
  const gap = GAP + Math.ceil((Math.max(0, unknownMs) / 1000) * GAP_PER_SECOND);
  const raise = connection.prepare(
    'update sqlite_sequence set seq = max(seq, @known) + @gap where name = @name',
  );
  const open = connection.prepare('insert into sqlite_sequence (name, seq) values (@name, @known + @gap)');
  for (const name of Object.keys(readNumbers(connection))) {
    const leap = { name, gap, known: known[name] ?? 0 };
    if (raise.run(leap).changes === 0) open.run(leap);
  }
}

/**
 * Until when a backup knows what happened; `now` bounds it, since a clock that was wrong leaves entries of a time to
 * come.
 */
export const readAsOf = (connection: Connection, now: number): number =>
  Math.min(
    now,
    Math.max(readBackedUpAt(connection) ?? 0, readStoppedAt(connection) ?? 0, findNewest(connection)),
  );

/** When anything was written last that says when. */
const TIMES: readonly [table: string, ...columns: string[]][] = [
  ['accounts', 'created_at'],
  ['api_keys', 'created_at', 'last_used_at', 'revoked_at'],
  ['members', 'joined_at', 'role_at'],
  ['batches', 'at', 'undone_at'],
  ['codes', 'changed_at'],
  ['extractions', 'at', 'ended_at'],
  ['redemptions', 'created_at', 'settled_at', 'doubted_at'],
  ['attempts', 'begun_at', 'ended_at', 'resolved_at'],
  ['purchases', 'at', 'refunded_at'],
  ['purchase_orders', 'at'],
  ['charge_notes', 'at'],
  ['inbox', 'received_at'],
  ['tasks', 'queued_at', 'done_at', 'dead_at'],
  ['conversations', 'touched_at'],
  ['webhooks', 'created_at', 'removed_at'],
  ['webhook_messages', 'at'],
  ['audit_log', 'at'],
];

function findNewest(connection: Connection): number {
  const newest = TIMES.map(([table, ...columns]) => {
    const times = columns.map((column) => `coalesce(max(${column}), 0)`);
    const sql = `select ${times.length > 1 ? `max(${times.join(', ')})` : times[0]} from ${table}`;
    return readNumber(connection, sql);
  });
  return Math.max(...newest);
}
