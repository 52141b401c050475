// The audit log: added to and read, newest first; never changed.
import type { auditLog } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type Row = typeof auditLog.$inferSelect;

/** A small object of numbers and words, without a secret. */
export type AuditValue = Readonly<Record<string, string | number>>;

/** An account that is null: of the service as a whole. */
export type AuditRow = Omit<Row, 'before' | 'after'> & {
  before: AuditValue | null;
  after: AuditValue | null;
};

/** What of the service as a whole every account is told of. */
const OF_ALL = "account_id is null and what in ('restored', 'databaseAdopted', 'platformAdopted')";
/** How much older than the newest row one is that goes; the same in its trigger. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000;

type Before = { before: number; limit: number };
type After = { after: number; limit: number };
type OfAccount = { accountId: number };

export function createAuditLogTable(sql: Sql) {
  const insert = sql.run<Omit<Row, 'id'>>(`
    insert into audit_log (account_id, actor, door, what, object, before, after, reason, at)
    values (@accountId, @actor, @door, @what, @object, @before, @after, @reason, @at)`);
  const own = sql.all<OfAccount & Before, Row>(`
    select * from audit_log where account_id = @accountId and id < @before
    order by id desc limit @limit`);
  const ofAll = sql.all<Before, Row>(
    `select * from audit_log where ${OF_ALL} and id < @before order by id desc limit @limit`,
  );
  const ofObject = sql.all<OfAccount & { object: string; limit: number }, Row>(`
    select * from audit_log where object = @object and account_id = @accountId
    order by id limit @limit`);
  const ownAfter = sql.all<OfAccount & After, Row>(
    'select * from audit_log where account_id = @accountId and id > @after order by id limit @limit',
  );
  const ofAllAfter = sql.all<After, Row>(
    `select * from audit_log where ${OF_ALL} and id > @after order by id limit @limit`,
  );
  const countLies = sql.one<{ upstream: string; since: number }, { count: number }>(`
    select count(*) as count from audit_log
    where object = @upstream and what = 'upstreamCase' and after ->> 'why' = 'wasSpent' and at > @since
      and id > coalesce(
        (select max(id) from audit_log where object = @upstream and what = 'upstreamResumed'), 0)`);
  const newest = sql.one<void, Pick<Row, 'at'>>(
    'select at from audit_log where id = (select max(id) from audit_log)',
  );
  const prune = sql.run<{ until: number; limit: number }>(`
    delete from audit_log
    where id in (select id from audit_log order by id limit @limit) and at <= @until`);
  return {
    insert: ({ before, after, ...row }: Omit<AuditRow, 'id'>) =>
      void insert({ ...row, before: toJson(before), after: toJson(after) }),
    /** Of an account, and what concerns every account, newest first: those before a row. */
    listBefore: (page: OfAccount & Before): AuditRow[] =>
      [...own(page), ...ofAll(page)]
        .sort((a, b) => b.id - a.id)
        .slice(0, page.limit)
        .map(toRow),
    /** What an account has done with one thing, oldest first. */
    listOfObject: (accountId: number, object: string, limit: number): AuditRow[] =>
      ofObject({ accountId, object, limit }).map(toRow),
    /** How often since then that upstream turned out to have spent what it had not, as was told: since it was resumed. */
    countLies: (upstream: string, since: number): number => countLies({ upstream, since })?.count ?? 0,
    /** The same the other way: those after a row, oldest first. */
    listAfter: (page: OfAccount & After): AuditRow[] =>
      [...ownAfter(page), ...ofAllAfter(page)]
        .sort((a, b) => a.id - b.id)
        .slice(0, page.limit)
        .map(toRow),
    /**
     * Prunes those of the oldest `limit` that were written until then and are 400 days older than the newest; returns
     * how many.
     */
    prune: (until: number, limit: number): number =>
      prune({ limit, until: Math.min(until, newest()?.at ?? 0) - KEPT_MS }),
  };
}

const toJson = (value: AuditValue | null): string | null => (value === null ? null : JSON.stringify(value));

const toRow = ({ before, after, ...row }: Row): AuditRow => ({
  ...row,
  before: fromJson(before),
  after: fromJson(after),
});

const fromJson = (text: string | null): AuditValue | null =>
  text === null ? null : (JSON.parse(text) as AuditValue);
