// API keys of accounts, each kept as a digest. A key that is revoked stays, so that receipts can name it.
import type { apiKeys } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

interface NewApiKey {
  accountId: number;
  prefix: string;
  digest: Buffer;
  name: string | null;
  createdBy: string;
  now: number;
}

/** Kept of a key's own limits; null: none. */
export type KeyLimitsRow = Pick<ApiKeyRow, 'dayLimit' | 'addresses' | 'expiresAt'>;

type FoundKey = Pick<
  ApiKeyRow,
  'id' | 'accountId' | 'revokedAt' | 'lastUsedAt' | 'addresses' | 'expiresAt'
> & {
  subscriptionExpiresAt: number | null;
};

export function createApiKeysTable(sql: Sql) {
  const insert = sql.insert<NewApiKey>(`
    insert into api_keys (account_id, prefix, digest, name, created_by, created_at)
    values (@accountId, @prefix, @digest, @name, @createdBy, @now)`);
  // Asked before every request.
  const findByDigest = sql.one<{ digest: Buffer }, FoundKey>(`
    select api_keys.id, account_id, revoked_at, last_used_at, addresses, expires_at, subscription_expires_at
    from api_keys join accounts on accounts.id = account_id
    where digest = +@digest`);
  const find = sql.one<{ id: number }, ApiKeyRow>('select * from api_keys where id = @id');
  // Asked in every transaction that a program orders.
  const findRevoked = sql.one<{ id: number }, Pick<ApiKeyRow, 'revokedAt'>>(
    'select revoked_at from api_keys where id = @id + 0',
  );
  // Asked before every usage that a program orders.
  const findDayLimit = sql.one<{ id: number }, Pick<ApiKeyRow, 'dayLimit'>>(
    'select day_limit from api_keys where id = @id + 0',
  );
  const limit = sql.run<{ id: number } & KeyLimitsRow>(`
    update api_keys set day_limit = @dayLimit, addresses = @addresses, expires_at = @expiresAt where id = @id`);
  // Goes through them all: for a host, who asks seldom.
  const findByPrefix = sql.all<{ prefix: string }, Pick<ApiKeyRow, 'id'>>(
    'select id from api_keys where prefix = @prefix',
  );
  const list = sql.all<{ accountId: number }, ApiKeyRow>(
    'select * from api_keys where account_id = @accountId order by id',
  );
  const touch = sql.run<{ id: number; now: number }>(
    'update api_keys set last_used_at = @now where id = @id',
  );
  const revoke = sql.run<{ accountId: number; id: number; now: number }>(
    'update api_keys set revoked_at = @now where id = @id and account_id = @accountId and revoked_at is null',
  );
  const revokeAll = sql.run<{ accountId: number; now: number }>(
    'update api_keys set revoked_at = @now where account_id = @accountId and revoked_at is null',
  );
  const restoreAll = sql.run<{ accountId: number; at: number }>(
    'update api_keys set revoked_at = null where account_id = @accountId and revoked_at = @at',
  );
  return {
    insert: (key: Omit<NewApiKey, 'name'> & { name?: string | null }): number =>
      insert({ name: null, ...key }),
    findByDigest: (digest: Buffer) => findByDigest({ digest }),
    find: (id: number) => find({ id }),
    findByPrefix: (prefix: string) => findByPrefix({ prefix }),
    /** False for one that was never made. */
    isRevoked: (id: number) => (findRevoked({ id })?.revokedAt ?? null) !== null,
    /** In quarters; null: none of its own. */
    findDayLimit: (id: number): number | null => findDayLimit({ id })?.dayLimit ?? null,
    limit: (id: number, limits: KeyLimitsRow) => void limit({ id, ...limits }),
    list: (accountId: number) => list({ accountId }),
    touch: (id: number, now: number) => void touch({ id, now }),
    /** False when the account has no such key that is alive. */
    revoke: (accountId: number, id: number, now: number) => revoke({ accountId, id, now }) === 1,
    /** Those of the account that are alive; returns how many. */
    revokeAll: (accountId: number, now: number) => revokeAll({ accountId, now }),
    /** Those that were revoked at that moment live again; returns how many. */
    restoreAll: (accountId: number, at: number) => restoreAll({ accountId, at }),
  };
}
