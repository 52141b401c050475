// The logins and passwords that receipts hold, for as long as they are kept.
import type { Sql } from '../sql.ts';

export function createCredentialsTable(sql: Sql) {
  const prune = sql.run<{ until: number; limit: number }>(`
    update redemptions set credentials_secret = null where id in (
      select id from redemptions where credentials_secret is not null and settled_at <= @until + 0
      order by settled_at limit @limit)`);
  return {
    /** Erases those of up to `limit` receipts that ended until then; of how many. */
    prune: (until: number, limit: number) => prune({ until, limit }),
  };
}
