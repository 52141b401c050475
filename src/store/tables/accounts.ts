// Accounts (subscribers): how long their subscription runs, and which of them nobody would miss.
import { DAY_MS } from '../../clock.ts';
import type { accounts } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type AccountRow = typeof accounts.$inferSelect;
type OfAccount = Pick<AccountRow, 'id'>;
type Expiry = Pick<AccountRow, 'subscriptionExpiresAt'>;
type Page = { id: number; limit: number };

export function createAccountsTable(sql: Sql) {
  const insert = sql.insert<Pick<AccountRow, 'name' | 'subscriptionExpiresAt'> & { now: number }>(`
    insert into accounts (name, created_at, subscription_expires_at)
    values (@name, @now, @subscriptionExpiresAt)`);
  // Asked in every redemption.
  const find = sql.one<OfAccount, AccountRow>('select * from accounts where id = @id + 0');
  const extend = sql.one<OfAccount & { ms: number; now: number }, Expiry>(`
    update accounts
    set subscription_expires_at = max(coalesce(subscription_expires_at, 0), @now) + @ms
    where id = @id
    returning subscription_expires_at`);
  const shorten = sql.one<OfAccount & { ms: number; now: number }, Expiry>(`
    update accounts
    set subscription_expires_at = min(subscription_expires_at, max(@now, subscription_expires_at - @ms))
    where id = @id and subscription_expires_at is not null
    returning subscription_expires_at`);
  const remove = sql.run<OfAccount>('delete from accounts where id = @id');
  const lists = listsOf(sql);
  const ends = endsOf(sql);
  const set = settersOf(sql);
  const findEmpty = emptyOf(sql);

  return {
    insert,
    find: (id: number) => find({ id }),
    /** By number, those after one, with what a list tells of each. */
    list: (after: number, limit: number) => lists.after({ id: after, limit }).map(toSummary),
    /** The same before one: the nearest, by number downwards. */
    listBefore: (before: number, limit: number) => lists.before({ id: before, limit }).map(toSummary),
    /** Extends what is left of the subscription; its new end, or undefined when there is no such account. */
    extendSubscription: (id: number, ms: number, now: number): number | undefined =>
      extend({ id, ms, now })?.subscriptionExpiresAt ?? undefined,
    /** Takes time back, down to `now` at the least; the new end, or undefined when there never was a subscription. */
    shortenSubscription: (id: number, ms: number, now: number): number | undefined =>
      shorten({ id, ms, now })?.subscriptionExpiresAt ?? undefined,
    /** Subscriptions that end within three days or ended, and nobody was told of it yet; `stage` is 3, 1 or 0 days. */
    listEnding: (now: number, limit: number) => ends.list({ now, limit }),
    markEndTold: (id: number, endsAt: number, stage: number) => void ends.mark({ id, endsAt, stage }),
    rename: (id: number, name: string) => void set.name({ id, name }),
    setContact: (id: number, contact: string | null) => void set.contact({ id, contact }),
    setPaused: (id: number, pausedAt: number | null) => void set.pausedAt({ id, pausedAt }),
    /** `members`: who was in it, as JSON. */
    setClosed: (id: number, closedAt: number | null, members: string | null) =>
      void set.closed({ id, closedAt, members }),
    setTimeZone: (id: number, timeZone: string) => void set.timeZone({ id, timeZone }),
    /** Whether nothing would be lost if its only member left it. */
    isEmpty: (id: number, now: number) => findEmpty({ id, now }) !== undefined,
    /** Throws while anything refers to the account. */
    remove: (id: number) => remove({ id }) === 1,
  };
}

const settersOf = (sql: Sql) => ({
  name: sql.run<Pick<AccountRow, 'id' | 'name'>>('update accounts set name = @name where id = @id'),
  timeZone: sql.run<Pick<AccountRow, 'id' | 'timeZone'>>(
    'update accounts set time_zone = @timeZone where id = @id',
  ),
  contact: sql.run<Pick<AccountRow, 'id' | 'contact'>>(
    'update accounts set contact = @contact where id = @id',
  ),
  pausedAt: sql.run<Pick<AccountRow, 'id' | 'pausedAt'>>(
    'update accounts set paused_at = @pausedAt where id = @id',
  ),
  closed: sql.run<Pick<AccountRow, 'id' | 'closedAt'> & { members: string | null }>(
    'update accounts set closed_at = @closedAt, closed_members = @members where id = @id',
  ),
});

type Summary = Omit<
  AccountRow,
  'timeZone' | 'contact' | 'closedMembers' | 'endNotifiedOf' | 'endNotifiedStage'
> & {
  purchasedQuarters: number;
  memberCount: number;
};
type WithOwner = Summary & { telegramId: number | null; ownerName: string; username: string | null };

const SUMMARIES = `
  select accounts.id, accounts.name, created_at, subscription_expires_at, paused_at, closed_at,
    coalesce(purchased, 0) as purchased_quarters,
    (select count(*) from members where account_id = accounts.id) as member_count,
    telegram_id, owners.name as owner_name, username
  from accounts
  left join quotas on quotas.account_id = accounts.id
  left join members as owners on owners.account_id = accounts.id and role = 'owner'`;

const listsOf = (sql: Sql) => ({
  after: sql.all<Page, WithOwner>(`${SUMMARIES} where accounts.id > @id order by accounts.id limit @limit`),
  before: sql.all<Page, WithOwner>(
    `${SUMMARIES} where accounts.id < @id order by accounts.id desc limit @limit`,
  ),
});

const toSummary = ({ telegramId, ownerName, username, ...summary }: WithOwner) => ({
  ...summary,
  owner: telegramId === null ? null : { telegramId, name: ownerName, username },
});

const STAGE = `case when subscription_expires_at <= @now then 0
  when subscription_expires_at <= @now + ${DAY_MS} then 1 else 3 end`;

const endsOf = (sql: Sql) => ({
  list: sql.all<{ now: number; limit: number }, { id: number; endsAt: number; stage: number }>(`
    select id, subscription_expires_at as ends_at, ${STAGE} as stage
    from accounts
    where subscription_expires_at <= @now + ${3 * DAY_MS}
      and (end_notified_of <> subscription_expires_at or end_notified_stage > ${STAGE})
    limit @limit`),
  mark: sql.run<{ id: number; endsAt: number; stage: number }>(
    'update accounts set end_notified_of = @endsAt, end_notified_stage = @stage where id = @id',
  ),
});

// Empty: one member, and nothing of worth or of record. Codes are found through their batches, which are indexed by
// account; codes that were undone and keys that were revoked are nobody's loss.
const emptyOf = (sql: Sql) =>
  sql.one<{ id: number; now: number }, OfAccount>(`
    select id from accounts
    where id = @id
      and coalesce(subscription_expires_at, 0) <= @now
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
        where batches.account_id = accounts.id and codes.state <> 'undone')`);
