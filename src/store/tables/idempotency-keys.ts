// Idempotency keys: which request a key stood for, and what it began. The key itself is kept as a keyed hash.
import type { idempotencyKeys } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';

type Row = typeof idempotencyKeys.$inferSelect;
type Key = Pick<Row, 'accountId' | 'keyHash'>;
type NewKey = Omit<Row, 'at'> & { now: number };
/** Remembered until `began`; what it began has ended until `settled`. */
type Until = { began: number; settled: number };

export function createIdempotencyKeysTable(sql: Sql, secrets: Secrets) {
  // Asked in every redemption of a program.
  const find = sql.one<Key, Row>(`select * from idempotency_keys where ${IS_KEY}`);
  const remember = sql.run<NewKey>(`
    insert into idempotency_keys (account_id, key_hash, request_hash, redemption_id, extraction_id,
      batch_id, order_id, tries, at)
    values (@accountId, @keyHash, @requestHash, @redemptionId, @extractionId, @batchId, @orderId,
      @tries, @now)`);
  const remove = sql.run<Key>(`delete from idempotency_keys where ${IS_KEY}`);
  const { prune, pruneOfWork } = pruningOf(sql);

  return {
    hashKey: (key: string) => secrets.hash('idempotency-key', key),
    hashRequest: (request: string) => secrets.hash('idempotency-request', request),
    find: (accountId: number, keyHash: Buffer) => find({ accountId, keyHash }),
    /** Throws when the key is remembered already: look with `find` in the same transaction. */
    remember,
    remove: (accountId: number, keyHash: Buffer) => void remove({ accountId, keyHash }),
    /**
     * Deletes up to `limit` keys remembered until `began` whose redemption or order ended until `settled`; returns how
     * many.
     */
    prune: (until: Until, limit: number) => prune({ ...until, limit }),
    /** The same of keys of additions and extractions. */
    pruneOfWork: (until: Until, limit: number) => pruneOfWork({ ...until, limit }),
  };
}

const IS_KEY = 'account_id = @accountId + 0 and key_hash = @keyHash';

const isLate = (end: string) => `(${end} is null or ${end} > @settled)`;

// A key whose action is still open, or ended late, is kept: its replay must find it, however long a doubt, an order
// or a job lasted.
const pruningOf = (sql: Sql) => ({
  prune: sql.run<Until & { limit: number }>(`
    delete from idempotency_keys where rowid in (
      select k.rowid from idempotency_keys k
      where k.at <= @began and (k.redemption_id is not null or k.order_id is not null)
        and not (
          exists (select 1 from redemptions r where r.id = k.redemption_id
            and (${isLate('r.settled_at')} or (r.first_id is not null and r.error_code = 'UNKNOWN')))
          or exists (select 1 from orders o where o.id = k.order_id and ${isLate('o.ended_at')}))
      limit @limit)`),
  pruneOfWork: sql.run<Until & { limit: number }>(`
    delete from idempotency_keys where rowid in (
      select k.rowid from idempotency_keys k
      where k.at <= @began and k.redemption_id is null and k.order_id is null
        and not (
          exists (select 1 from jobs j
            where j.kind = 'add' and j.subject_id = k.batch_id and ${isLate('j.ended_at')})
          or exists (select 1 from jobs j
            where j.kind = 'extract' and j.subject_id = k.extraction_id and ${isLate('j.ended_at')}))
      limit @limit)`),
});
