// Accounts (subscribers): how long their subscription runs, and which of them nobody would miss.
import { DAY_MS } from '../../clock.ts';
import { and, asc, bound, desc, eq, ph, sql, type Orm, type SQL } from '../engine/drizzle.ts';
import { accounts, members, quotas } from '../schema/index.ts';

export function createAccountsTable(orm: Orm) {
  const insert = orm
    .insert(accounts)
    .values({ name: ph('name'), createdAt: ph('now'), subscriptionExpiresAt: ph('subscriptionExpiresAt') })
    .returning({ id: accounts.id })
    .prepare();
  const find = orm
    .select()
    .from(accounts)
    .where(sql`id = ${ph('id')}+0`)
    .prepare();
  const lists = prepareLists(orm);
  const extend = orm
    .update(accounts)
    .set({
      subscriptionExpiresAt: sql`max(coalesce(subscription_expires_at, 0), ${ph('now')}) + ${ph('ms')}`,
    })
    .where(eq(accounts.id, ph('id')))
    .returning({ subscriptionExpiresAt: accounts.subscriptionExpiresAt })
    .prepare();
  const shorten = orm
    .update(accounts)
    .set({
      subscriptionExpiresAt: sql`min(subscription_expires_at, max(${ph('now')}, subscription_expires_at - ${ph('ms')}))`,
    })
    .where(sql`id = ${ph('id')} and subscription_expires_at is not null`)
    .returning({ subscriptionExpiresAt: accounts.subscriptionExpiresAt })
    .prepare();
  const set = prepareSet(orm);
  const findEmpty = prepareFindEmpty(orm);
  const ends = prepareEnds(orm);
  const remove = orm
    .delete(accounts)
    .where(eq(accounts.id, ph('id')))
    .prepare();

  return {
    insert: (account: { name: string; now: number; subscriptionExpiresAt: number | null }): number =>
      insert.get(account).id,
    find: (id: number) => find.get({ id }),
    /** By number, those after one, with what a list tells of each. */
    list: (after: number, limit: number) => lists.after.all({ id: after, limit }),
    /** The same before one: the nearest, by number downwards. */
    listBefore: (before: number, limit: number) => lists.before.all({ id: before, limit }),
    /** Extends what is left of the subscription; its new end, or undefined when there is no such account. */
    extendSubscription: (id: number, ms: number, now: number): number | undefined =>
      extend.get({ id, ms, now })?.subscriptionExpiresAt ?? undefined,
    /** Takes time back, down to `now` at the least; the new end, or undefined when there never was a subscription. */
    shortenSubscription: (id: number, ms: number, now: number): number | undefined =>
      shorten.get({ id, ms, now })?.subscriptionExpiresAt ?? undefined,
    /** Subscriptions that end within three days or ended, and nobody was told of it yet; `stage` is 3, 1 or 0 days. */
    listEnding: (now: number, limit: number) => ends.list.all({ now, limit }),
    markEndTold: (id: number, endsAt: number, stage: number) => void ends.mark.run({ id, endsAt, stage }),
    rename: (id: number, name: string) => void set.name.run({ id, name }),
    setPaused: (id: number, pausedAt: number | null) => void set.pausedAt.run({ id, pausedAt }),
    /** `members`: who was in it, as JSON. */
    setClosed: (id: number, closedAt: number | null, members: string | null) =>
      void set.closed.run({ id, closedAt, closedMembers: members }),
    setTimeZone: (id: number, timeZone: string) => void set.timeZone.run({ id, timeZone }),
    /** Whether nothing would be lost if its only member left it. */
    isEmpty: (id: number, now: number) => findEmpty.get({ id, now }) !== undefined,
    /** Throws while anything refers to the account. */
    remove: (id: number) => remove.run({ id }).changes === 1,
  };
}

function prepareSet(orm: Orm) {
  type Changed = 'name' | 'timeZone' | 'pausedAt' | 'closedAt' | 'closedMembers';
  const set = (changed: Partial<Record<Changed, SQL>>) =>
    orm
      .update(accounts)
      .set(changed)
      .where(eq(accounts.id, ph('id')))
      .prepare();
  return {
    name: set({ name: bound('name') }),
    timeZone: set({ timeZone: bound('timeZone') }),
    pausedAt: set({ pausedAt: bound('pausedAt') }),
    closed: set({ closedAt: bound('closedAt'), closedMembers: bound('closedMembers') }),
  };
}

function prepareLists(orm: Orm) {
  const summaries = () =>
    orm
      .select({
        id: accounts.id,
        name: accounts.name,
        createdAt: accounts.createdAt,
        subscriptionExpiresAt: accounts.subscriptionExpiresAt,
        pausedAt: accounts.pausedAt,
        closedAt: accounts.closedAt,
        purchasedQuarters: sql<number>`coalesce(${quotas.purchased}, 0)`,
        owner: { telegramId: members.telegramId, name: members.name, username: members.username },
        memberCount: sql<number>`(select count(*) from members m where m.account_id = ${accounts.id})`,
      })
      .from(accounts)
      .leftJoin(quotas, eq(quotas.accountId, accounts.id))
      .leftJoin(members, and(eq(members.accountId, accounts.id), sql`${members.role} = 'owner'`));
  return {
    after: summaries()
      .where(sql`${accounts.id} > ${ph('id')}`)
      .orderBy(asc(accounts.id))
      .limit(ph('limit'))
      .prepare(),
    before: summaries()
      .where(sql`${accounts.id} < ${ph('id')}`)
      .orderBy(desc(accounts.id))
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareEnds(orm: Orm) {
  const stage = sql<number>`case when subscription_expires_at <= ${ph('now')}+0 then 0
    when subscription_expires_at <= ${ph('now')} + ${sql.raw(String(DAY_MS))} then 1 else 3 end`;
  return {
    list: orm
      .select({ id: accounts.id, endsAt: sql<number>`subscription_expires_at`, stage })
      .from(accounts)
      .where(
        sql`subscription_expires_at <= ${ph('now')} + ${sql.raw(String(3 * DAY_MS))}
          and (end_notified_of <> subscription_expires_at or end_notified_stage > ${stage})`,
      )
      .limit(ph('limit'))
      .prepare(),
    mark: orm
      .update(accounts)
      .set({ endNotifiedOf: bound('endsAt'), endNotifiedStage: bound('stage') })
      .where(eq(accounts.id, ph('id')))
      .prepare(),
  };
}

// Empty: one member, and nothing of worth or of record. Codes are found through their batches, which are indexed by
// account; codes that were undone and keys that were revoked are nobody's loss.
function prepareFindEmpty(orm: Orm) {
  return orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      sql`accounts.id = ${ph('id')}
        and coalesce(accounts.subscription_expires_at, 0) <= ${ph('now')}
        and (select count(*) from members where account_id = accounts.id) = 1
        and not exists (select 1 from quotas where account_id = accounts.id and purchased > 0)
        and not exists (select 1 from purchases where account_id = accounts.id)
        and not exists (select 1 from api_keys where account_id = accounts.id and revoked_at is null)
        and not exists (select 1 from redemptions where account_id = accounts.id)
        and not exists (select 1 from extractions where account_id = accounts.id)
        and not exists (
          select 1 from imports join import_pieces on import_id = imports.id
          where account_id = accounts.id and state in ('collecting', 'committing'))
        and not exists (
          select 1 from batches join codes on codes.batch_id = batches.id
          where batches.account_id = accounts.id and codes.state <> 'undone')`,
    )
    .prepare();
}
