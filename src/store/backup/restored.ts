// What a database keeps of the restore that it comes from: the time that was lost, and which codes are of before it.
import type { Database as Connection } from 'better-sqlite3';

import { readNumber } from '../engine/connection.ts';
import { readBackedUpAt, readStoppedAt } from '../engine/identity.ts';
import { readMeta, writeMeta } from '../engine/meta.ts';
import { createSql } from '../sql.ts';
import { createAuditLogTable, type AuditRow } from '../tables/audit-log.ts';

const LOST = 'lost';

/** The time of which nothing is known, in ms UTC by the calendar. */
export interface LostTime {
  /** Until when the backup knew what happened. */
  asOf: number;
  /** When the restore was made. */
  until: number;
}

/** What the last restore has lost, and the highest number of a code in its backup; undefined where there was none. */
export function readLost(connection: Connection): {
  lost: LostTime | undefined;
  lastCodeBeforeLoss: number | undefined;
} {
  const value = readMeta(connection, LOST);
  if (value === undefined) return { lost: undefined, lastCodeBeforeLoss: undefined };
  const { lastCode, ...lost } = JSON.parse(value) as LostTime & { lastCode: number };
  return { lost, lastCodeBeforeLoss: lastCode };
}

export function markLost(connection: Connection, lost: LostTime): void {
  const lastCode = readNumber(connection, 'select max(id) from codes');
  writeMeta(connection, LOST, JSON.stringify({ ...lost, lastCode }));
}

/**
 * Until when a backup knows what happened: when it was made, else its newest entry. `now` bounds it, since a clock that
 * was wrong leaves entries of a time to come.
 */
export function readAsOf(connection: Connection, now: number): number {
  const newest = [
    'select max(changed_at) from codes',
    'select max(created_at) from redemptions',
    'select max(at) from audit_log',
  ].map((sql) => readNumber(connection, sql));
  return Math.min(now, Math.max(readBackedUpAt(connection) ?? 0, readStoppedAt(connection) ?? 0, ...newest));
}

/** Into the audit log, where every account reads it. */
export function recordByHost(
  connection: Connection,
  act: Pick<AuditRow, 'what' | 'at'> & Partial<Pick<AuditRow, 'before' | 'after' | 'reason'>>,
): void {
  const byHost = { accountId: null, actor: 'host:cli', door: 'cli', object: null } as const;
  const { before = null, after = null, reason = null } = act;
  createAuditLogTable(createSql(connection)).insert({ ...byHost, ...act, before, after, reason });
}
