// The audit log: added to and read, newest first; never changed.
import { asc, desc, ph, sql, type Orm } from '../engine/drizzle.ts';
import { auditLog, type AuditDoor } from '../schema/index.ts';

/** A small object of numbers and words, without a secret. */
export type AuditValue = Readonly<Record<string, string | number>>;

export interface AuditRow {
  id: number;
  /** null: of the service as a whole. */
  accountId: number | null;
  actor: string;
  door: AuditDoor;
  what: string;
  object: string | null;
  before: AuditValue | null;
  after: AuditValue | null;
  reason: string | null;
  at: number;
}

/** What of the service as a whole every account is told of. */
const OF_ALL = sql.raw("('restored', 'databaseAdopted', 'platformAdopted')");
/** How much older than the newest row one is that goes; the same in its trigger. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

export function createAuditLogTable(orm: Orm) {
  const { insert, own, ofAll, ownAfter, ofAllAfter, ofObject, newest, prune } = prepareQueries(orm);
  const lies = prepareLies(orm);
  return {
    insert({ before, after, ...row }: Omit<AuditRow, 'id'>) {
      insert.run({ ...row, before: toJson(before), after: toJson(after) });
    },
    /** Of an account, and what concerns every account, newest first: those before a row. */
    listBefore({
      accountId,
      before,
      limit,
    }: {
      accountId: number;
      before: number;
      limit: number;
    }): AuditRow[] {
      const rows = [...own.all({ accountId, before, limit }), ...ofAll.all({ before, limit })];
      return rows
        .sort((a, b) => b.id - a.id)
        .slice(0, limit)
        .map(toRow);
    },
    /** What an account has done with one thing, oldest first. */
    listOfObject: (accountId: number, object: string, limit: number): AuditRow[] =>
      ofObject.all({ accountId, object, limit }).map(toRow),
    /** How often since then that upstream turned out to have spent what it had not, as was told: since it was resumed. */
    countLies: (upstream: string, since: number): number => lies.get({ upstream, since })?.count ?? 0,
    /** The same the other way: those after a row, oldest first. */
    listAfter({ accountId, after, limit }: { accountId: number; after: number; limit: number }): AuditRow[] {
      const rows = [...ownAfter.all({ accountId, after, limit }), ...ofAllAfter.all({ after, limit })];
      return rows
        .sort((a, b) => a.id - b.id)
        .slice(0, limit)
        .map(toRow);
    },
    /**
     * Prunes those of the oldest `limit` that were written until then and are 400 days older than the newest; returns
     * how many.
     */
    prune: (until: number, limit: number): number => {
      const newestAt = newest.get()?.at ?? 0;
      return prune.run({ limit, until: Math.min(until, newestAt) - KEPT_MS }).changes;
    },
  };
}

function prepareQueries(orm: Orm) {
  const select = () => orm.select().from(auditLog);
  const [before, limit] = [ph('before'), ph('limit')];
  return {
    insert: orm
      .insert(auditLog)
      .values({
        accountId: ph('accountId'),
        actor: ph('actor'),
        door: ph('door'),
        what: ph('what'),
        object: ph('object'),
        before: ph('before'),
        after: ph('after'),
        reason: ph('reason'),
        at: ph('at'),
      })
      .prepare(),
    own: select()
      .where(sql`account_id = ${ph('accountId')}+0 and id < ${before}+0`)
      .orderBy(desc(auditLog.id))
      .limit(limit)
      .prepare(),
    ofAll: select()
      .where(sql`account_id is null and what in ${OF_ALL} and id < ${before}+0`)
      .orderBy(desc(auditLog.id))
      .limit(limit)
      .prepare(),
    ofObject: select()
      .where(sql`object = ${ph('object')} and account_id = ${ph('accountId')}+0`)
      .orderBy(auditLog.id)
      .limit(limit)
      .prepare(),
    ownAfter: select()
      .where(sql`account_id = ${ph('accountId')}+0 and id > ${ph('after')}+0`)
      .orderBy(asc(auditLog.id))
      .limit(limit)
      .prepare(),
    ofAllAfter: select()
      .where(sql`account_id is null and what in ${OF_ALL} and id > ${ph('after')}+0`)
      .orderBy(asc(auditLog.id))
      .limit(limit)
      .prepare(),
    newest: orm
      .select({ at: auditLog.at })
      .from(auditLog)
      .where(sql`id = (select max(id) from audit_log)`)
      .prepare(),
    prune: orm
      .delete(auditLog)
      .where(sql`id in (select id from audit_log order by id limit ${limit}) and at <= ${ph('until')}`)
      .prepare(),
  };
}

const prepareLies = (orm: Orm) =>
  orm
    .select({ count: sql<number>`count(*)` })
    .from(auditLog)
    .where(
      sql`object = ${ph('upstream')} and what = 'upstreamCase' and after ->> 'why' = 'wasSpent' and at > ${ph('since')}+0
        and id > coalesce((select max(id) from audit_log where object = ${ph('upstream')} and what = 'upstreamResumed'), 0)`,
    )
    .prepare();

const toJson = (value: AuditValue | null): string | null => (value === null ? null : JSON.stringify(value));

function toRow({ before, after, ...row }: typeof auditLog.$inferSelect): AuditRow {
  return { ...row, before: fromJson(before), after: fromJson(after) };
}

const fromJson = (text: string | null): AuditValue | null =>
  text === null ? null : (JSON.parse(text) as AuditValue);
