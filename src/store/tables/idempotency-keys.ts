// Idempotency keys: which request a key stood for, and what it began. The key itself is kept as a keyed hash.
import { ph, sql, type Orm } from '../engine/drizzle.ts';
import { idempotencyKeys } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

export function createIdempotencyKeysTable(orm: Orm, secrets: Secrets) {
  const { find, remember, remove, prune, pruneOfWork } = prepareKeys(orm);

  return {
    hashKey: (key: string) => secrets.hash('idempotency-key', key),
    hashRequest: (request: string) => secrets.hash('idempotency-request', request),
    find: (accountId: number, keyHash: Buffer) => find.get({ accountId, keyHash }),
    /** Throws when the key is remembered already: look with `find` in the same transaction. */
    remember(entry: {
      accountId: number;
      keyHash: Buffer;
      requestHash: Buffer;
      redemptionId: number | null;
      extractionId: number | null;
      batchId: number | null;
      orderId: number | null;
      tries: number;
      now: number;
    }) {
      remember.run(entry);
    },
    remove: (accountId: number, keyHash: Buffer) => void remove.run({ accountId, keyHash }),
    /**
     * Deletes up to `limit` keys remembered until `began` whose redemption or order ended until `settled`; returns how
     * many.
     */
    prune: (until: { began: number; settled: number }, limit: number) =>
      prune.run({ ...until, limit }).changes,
    /** The same of keys of additions and extractions. */
    pruneOfWork: (until: { began: number; settled: number }, limit: number) =>
      pruneOfWork.run({ ...until, limit }).changes,
  };
}

function prepareKeys(orm: Orm) {
  const find = orm
    .select()
    .from(idempotencyKeys)
    .where(sql`account_id = ${ph('accountId')}+0 and key_hash = ${ph('keyHash')}`)
    .prepare();
  const remember = orm
    .insert(idempotencyKeys)
    .values({
      accountId: ph('accountId'),
      keyHash: ph('keyHash'),
      requestHash: ph('requestHash'),
      redemptionId: ph('redemptionId'),
      extractionId: ph('extractionId'),
      batchId: ph('batchId'),
      orderId: ph('orderId'),
      tries: ph('tries'),
      at: ph('now'),
    })
    .prepare();
  const remove = orm
    .delete(idempotencyKeys)
    .where(sql`account_id = ${ph('accountId')}+0 and key_hash = ${ph('keyHash')}`)
    .prepare();
  // A key whose action is still open, or ended late, is kept: its replay must find it, however long a doubt, an order
  // or a job lasted.
  const preparePrune = (of: string, isKept: ReturnType<typeof sql>) =>
    orm
      .delete(idempotencyKeys)
      .where(
        sql`rowid in (select k.rowid from idempotency_keys k where k.at <= ${ph('began')}+0 and ${sql.raw(of)} and not (${isKept})
          limit ${ph('limit')})`,
      )
      .prepare();
  const isLate = (end: string) => sql`(${sql.raw(end)} is null or ${sql.raw(end)} > ${ph('settled')}+0)`;
  const prune = preparePrune(
    '(k.redemption_id is not null or k.order_id is not null)',
    sql`exists (select 1 from redemptions r where r.id = k.redemption_id
        and (${isLate('r.settled_at')} or (r.first_id is not null and r.error_code = 'UNKNOWN')))
      or exists (select 1 from orders o where o.id = k.order_id and ${isLate('o.ended_at')})`,
  );
  const pruneOfWork = preparePrune(
    'k.redemption_id is null and k.order_id is null',
    sql`exists (select 1 from jobs j where j.kind = 'add' and j.subject_id = k.batch_id and ${isLate('j.ended_at')})
      or exists (select 1 from jobs j where j.kind = 'extract' and j.subject_id = k.extraction_id and ${isLate('j.ended_at')})`,
  );
  return { find, remember, remove, prune, pruneOfWork };
}
