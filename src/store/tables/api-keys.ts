// API keys of accounts, each kept as a digest. A key that is revoked stays, so that receipts can name it.
import { asc, bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { accounts, apiKeys } from '../schema/index.ts';

export function createApiKeysTable(orm: Orm) {
  const insert = orm
    .insert(apiKeys)
    .values({
      accountId: ph('accountId'),
      prefix: ph('prefix'),
      digest: ph('digest'),
      name: ph('name'),
      createdBy: ph('createdBy'),
      createdAt: ph('now'),
    })
    .returning({ id: apiKeys.id })
    .prepare();
  const findByDigest = prepareFindByDigest(orm);
  const find = orm
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.id, ph('id')))
    .prepare();
  // Asked in every transaction that a program orders.
  const revokedAt = orm
    .select({ revokedAt: apiKeys.revokedAt })
    .from(apiKeys)
    .where(sql`id = ${ph('id')}+0`)
    .prepare();
  const list = orm
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.accountId, ph('accountId')))
    .orderBy(asc(apiKeys.id))
    .prepare();
  const touch = orm
    .update(apiKeys)
    .set({ lastUsedAt: bound('now') })
    .where(eq(apiKeys.id, ph('id')))
    .prepare();
  const { revoke, revokeAll, restoreAll } = prepareRevoking(orm);

  return {
    insert: (key: {
      accountId: number;
      prefix: string;
      digest: Buffer;
      name?: string | null;
      createdBy: string;
      now: number;
    }): number => insert.get({ name: null, ...key }).id,
    findByDigest: (digest: Buffer) => findByDigest.get({ digest }),
    find: (id: number) => find.get({ id }),
    findByPrefix: (prefix: string) => findByPrefix(orm, prefix),
    /** False for one that was never made. */
    isRevoked: (id: number) => (revokedAt.get({ id })?.revokedAt ?? null) !== null,
    list: (accountId: number) => list.all({ accountId }),
    touch: (id: number, now: number) => void touch.run({ id, now }),
    /** False when the account has no such key that is alive. */
    revoke: (accountId: number, id: number, now: number) => revoke.run({ accountId, id, now }).changes === 1,
    /** Those of the account that are alive; returns how many. */
    revokeAll: (accountId: number, now: number) => revokeAll.run({ accountId, now }).changes,
    /** Those that were revoked at that moment live again; returns how many. */
    restoreAll: (accountId: number, at: number) => restoreAll.run({ accountId, at }).changes,
  };
}

function prepareRevoking(orm: Orm) {
  return {
    revoke: orm
      .update(apiKeys)
      .set({ revokedAt: bound('now') })
      .where(sql`id = ${ph('id')} and account_id = ${ph('accountId')} and revoked_at is null`)
      .prepare(),
    revokeAll: orm
      .update(apiKeys)
      .set({ revokedAt: bound('now') })
      .where(sql`account_id = ${ph('accountId')} and revoked_at is null`)
      .prepare(),
    restoreAll: orm
      .update(apiKeys)
      .set({ revokedAt: sql`null` })
      .where(sql`account_id = ${ph('accountId')} and revoked_at = ${ph('at')}`)
      .prepare(),
  };
}

/** Goes through them all: for a host, who asks seldom. */
const findByPrefix = (orm: Orm, prefix: string) =>
  orm.select({ id: apiKeys.id }).from(apiKeys).where(eq(apiKeys.prefix, prefix)).all();

/** Asked before every request. */
function prepareFindByDigest(orm: Orm) {
  return orm
    .select({
      id: apiKeys.id,
      accountId: apiKeys.accountId,
      revokedAt: apiKeys.revokedAt,
      lastUsedAt: apiKeys.lastUsedAt,
      subscriptionExpiresAt: accounts.subscriptionExpiresAt,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(sql`digest = +${ph('digest')}`)
    .prepare();
}
