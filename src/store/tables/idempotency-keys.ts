// Idempotency keys: which request a key stood for, and what it began. The key itself is kept as a keyed hash.
import { ph, sql, type Orm } from '../engine/drizzle.ts';
import { idempotencyKeys } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

export function createIdempotencyKeysTable(orm: Orm, secrets: Secrets) {
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
      tries: ph('tries'),
      at: ph('now'),
    })
    .prepare();
  const forget = orm
    .delete(idempotencyKeys)
    .where(sql`account_id = ${ph('accountId')}+0 and key_hash = ${ph('keyHash')}`)
    .prepare();
  // A key whose action is still open, or ended late, is kept: its replay must find it, however long a doubt or a job lasted.
  const forgetOld = orm
    .delete(idempotencyKeys)
    .where(
      sql`rowid in (select k.rowid from idempotency_keys k where k.at <= ${ph('began')}+0
          and not exists (select 1 from redemptions r where r.id = k.redemption_id
            and (r.settled_at is null or r.settled_at > ${ph('settled')}+0))
          and not exists (select 1 from duplicate_requests t where t.redemption_id = k.redemption_id and t.settled_at is null)
          and not exists (select 1 from jobs j where j.kind = 'add' and j.subject_id = k.batch_id
            and (j.ended_at is null or j.ended_at > ${ph('settled')}+0))
          and not exists (select 1 from jobs j where j.kind = 'extract' and j.subject_id = k.extraction_id
            and (j.ended_at is null or j.ended_at > ${ph('settled')}+0))
          limit ${ph('limit')})`,
    )
    .prepare();

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
      tries: number;
      now: number;
    }) {
      remember.run(entry);
    },
    forget: (accountId: number, keyHash: Buffer) => void forget.run({ accountId, keyHash }),
    /** Deletes up to `limit` keys remembered until `began` whose action ended until `settled`; returns how many. */
    forgetOld: (until: { began: number; settled: number }, limit: number) =>
      forgetOld.run({ ...until, limit }).changes,
  };
}
