// Addresses that are told of events. Address and signing secret are sealed under the webhook's own reference.
import type { Secrets } from '../engine/secrets.ts';
import type { webhooks } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type Row = typeof webhooks.$inferSelect;

/** One that was not removed, with its secrets opened. `createdBy`: whoever registered it: `member:…`, `apiKey:…`. */
export type WebhookRow = Omit<Row, 'reference' | 'urlSecret' | 'signingSecret' | 'events' | 'removedAt'> & {
  url: string;
  secret: string;
  events: string[];
};

type NewWebhook = Pick<Row, 'reference' | 'accountId' | 'createdBy'> & { now: number };
type OfAccount = { accountId: number };
type OfWebhook = { id: number };

export function createWebhooksTable(sql: Sql, secrets: Secrets) {
  const { list, find, listTold, listRemoved } = readsOf(sql);
  const { insert, noteFailing, disable, enable, remove, purge } = changesOf(sql);
  /** What does not open any more is told as not there, so that it costs itself and nobody else. */
  const open = ({ reference, urlSecret, signingSecret, events, removedAt: _, ...row }: Row): WebhookRow[] => {
    try {
      const url = secrets.open(sealedAs(reference, 'url'), urlSecret);
      const secret = secrets.open(sealedAs(reference, 'signing'), signingSecret);
      return [{ ...row, url, secret, events: events.split(',') }];
    } catch {
      return [];
    }
  };

  return {
    insert({
      url,
      secret,
      events,
      ...webhook
    }: NewWebhook & {
      url: string;
      secret: string;
      events: readonly string[];
    }): number {
      const { reference } = webhook;
      return insert({
        ...webhook,
        urlSecret: secrets.seal(sealedAs(reference, 'url'), url),
        signingSecret: secrets.seal(sealedAs(reference, 'signing'), secret),
        events: events.join(','),
      });
    },
    /** Oldest first. */
    list: (accountId: number) => list({ accountId }).flatMap(open),
    /** One that was not removed; undefined for another account's, too, where an account is named. */
    find(id: number, accountId?: number): WebhookRow | undefined {
      const row = find({ id });
      return row && (accountId === undefined || row.accountId === accountId) ? open(row)[0] : undefined;
    },
    /** Those that are told of this event now; asked at every fact, so no secret is opened. */
    listTold: (accountId: number, event: string): number[] =>
      listTold({ accountId }).flatMap(({ id, events }) => (events.split(',').includes(event) ? [id] : [])),
    /** null: the last attempt went through. False: nothing to change. */
    noteFailing: (id: number, since: number | null) => noteFailing({ id, since }) === 1,
    /** False where it is off already. */
    disable: (id: number, now: number) => disable({ id, now }) === 1,
    enable: (id: number) => void enable({ id }),
    /** False where the account has none of this number. */
    remove: (accountId: number, id: number, now: number) => remove({ accountId, id, now }) === 1,
    listRemoved: (limit: number) => listRemoved({ limit }).map(({ id }) => id),
    /** Deletes one that was removed and has nothing pending any more. */
    purge: (id: number) => void purge({ id }),
  };
}

/** What a secret of a webhook is sealed under. */
const sealedAs = (reference: string, what: 'url' | 'signing') => `webhook:${reference}:${what}`;

const readsOf = (sql: Sql) => ({
  list: sql.all<OfAccount, Row>(
    'select * from webhooks where account_id = @accountId and removed_at is null order by id',
  ),
  find: sql.one<OfWebhook, Row>('select * from webhooks where id = @id and removed_at is null'),
  // Asked at every fact.
  listTold: sql.all<OfAccount, Pick<Row, 'id' | 'events'>>(`
    select id, events from webhooks
    where account_id = @accountId + 0 and removed_at is null and disabled_at is null`),
  listRemoved: sql.all<{ limit: number }, OfWebhook>(
    'select id from webhooks where removed_at is not null limit @limit',
  ),
});

const changesOf = (sql: Sql) => ({
  insert: sql.insert<NewWebhook & Pick<Row, 'urlSecret' | 'signingSecret' | 'events'>>(`
    insert into webhooks (reference, account_id, url_secret, signing_secret, events, created_by, created_at)
    values (@reference, @accountId, @urlSecret, @signingSecret, @events, @createdBy, @now)`),
  noteFailing: sql.run<OfWebhook & { since: number | null }>(
    'update webhooks set failing_since = @since where id = @id and removed_at is null',
  ),
  disable: sql.run<OfWebhook & { now: number }>(`
    update webhooks set disabled_at = @now
    where id = @id and removed_at is null and disabled_at is null`),
  enable: sql.run<OfWebhook>(`
    update webhooks set disabled_at = null, failing_since = null where id = @id and removed_at is null`),
  remove: sql.run<OfAccount & OfWebhook & { now: number }>(`
    update webhooks set removed_at = @now
    where id = @id and account_id = @accountId and removed_at is null`),
  purge: sql.run<OfWebhook>('delete from webhooks where id = @id and removed_at is not null'),
});
