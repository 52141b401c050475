// The logins and passwords that receipts hold, for as long as they are kept.
import { ph, sql, type Orm } from '../engine/drizzle.ts';
import { redemptions } from '../schema/index.ts';

export function createCredentialsTable(orm: Orm) {
  const prune = orm
    .update(redemptions)
    .set({ credentialsSecret: sql`null` })
    .where(
      sql`id in (select id from redemptions where credentials_secret is not null and settled_at <= ${ph('until')}+0
          order by settled_at limit ${ph('limit')})`,
    )
    .prepare();
  return {
    /** Erases those of up to `limit` receipts that ended until then; of how many. */
    prune: (until: number, limit: number) => prune.run({ until, limit }).changes,
  };
}
