// Addresses that are told of events. Address and signing secret are sealed under the webhook's own reference.
import { asc, bound, ph, sql, type Orm } from '../engine/drizzle.ts';
import type { Secrets } from '../engine/secrets.ts';
import { webhooks } from '../schema/index.ts';

/** One that was not removed, with its secrets opened. */
export interface WebhookRow {
  id: number;
  accountId: number;
  url: string;
  secret: string;
  events: string[];
  /** Whoever registered it: `member:…`, `apiKey:…`. */
  createdBy: string;
  createdAt: number;
  failingSince: number | null;
  disabledAt: number | null;
}

export function createWebhooksTable(orm: Orm, secrets: Secrets) {
  const queries = { ...prepareReading(orm), ...prepareChanging(orm) };
  /** What does not open any more is told as not there, so that it costs itself and nobody else. */
  const open = (row: typeof webhooks.$inferSelect): WebhookRow[] => {
    const { id, accountId, reference, createdBy, createdAt, failingSince, disabledAt } = row;
    const events = row.events.split(',');
    try {
      const url = secrets.open(sealedAs(reference, 'url'), row.urlSecret);
      const secret = secrets.open(sealedAs(reference, 'signing'), row.signingSecret);
      return [{ id, accountId, url, secret, events, createdBy, createdAt, failingSince, disabledAt }];
    } catch {
      return [];
    }
  };

  return {
    insert(webhook: {
      reference: string;
      accountId: number;
      url: string;
      secret: string;
      events: readonly string[];
      createdBy: string;
      now: number;
    }): number {
      const { reference, url, secret, events, ...rest } = webhook;
      return queries.insert.get({
        ...rest,
        reference,
        urlSecret: secrets.seal(sealedAs(reference, 'url'), url),
        signingSecret: secrets.seal(sealedAs(reference, 'signing'), secret),
        events: events.join(','),
      }).id;
    },
    /** Oldest first. */
    list: (accountId: number) => queries.list.all({ accountId }).flatMap(open),
    /** One that was not removed; undefined for another account's, too, where an account is named. */
    find(id: number, accountId?: number): WebhookRow | undefined {
      const row = queries.find.get({ id });
      return row && (accountId === undefined || row.accountId === accountId) ? open(row)[0] : undefined;
    },
    /** Those that are told of this event now; asked at every fact, so no secret is opened. */
    listTold: (accountId: number, event: string): number[] =>
      queries.listLive
        .all({ accountId })
        .flatMap(({ id, events }) => (events.split(',').includes(event) ? [id] : [])),
    /** null: the last attempt went through. False: nothing to change. */
    noteFailing: (id: number, since: number | null) => queries.noteFailing.run({ id, since }).changes === 1,
    /** False where it is off already. */
    disable: (id: number, now: number) => queries.disable.run({ id, now }).changes === 1,
    enable: (id: number) => void queries.enable.run({ id }),
    /** False where the account has none of this number. */
    remove: (accountId: number, id: number, now: number) =>
      queries.remove.run({ accountId, id, now }).changes === 1,
    listRemoved: (limit: number) => queries.listRemoved.all({ limit }).map(({ id }) => id),
    /** Deletes one that was removed and has nothing pending any more. */
    purge: (id: number) => void queries.purge.run({ id }),
  };
}

/** What a secret of a webhook is sealed under. */
const sealedAs = (reference: string, what: 'url' | 'signing') => `webhook:${reference}:${what}`;

function prepareReading(orm: Orm) {
  return {
    list: orm
      .select()
      .from(webhooks)
      .where(sql`account_id = ${ph('accountId')}+0 and removed_at is null`)
      .orderBy(asc(webhooks.id))
      .prepare(),
    find: orm
      .select()
      .from(webhooks)
      .where(sql`id = ${ph('id')}+0 and removed_at is null`)
      .prepare(),
    listLive: orm
      .select({ id: webhooks.id, events: webhooks.events })
      .from(webhooks)
      .where(sql`account_id = ${ph('accountId')}+0 and removed_at is null and disabled_at is null`)
      .prepare(),
    listRemoved: orm
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(sql`removed_at is not null`)
      .limit(ph('limit'))
      .prepare(),
  };
}

function prepareChanging(orm: Orm) {
  const change = (values: Parameters<ReturnType<typeof orm.update<typeof webhooks>>['set']>[0], where = '') =>
    orm
      .update(webhooks)
      .set(values)
      .where(sql`id = ${ph('id')}+0 and removed_at is null ${sql.raw(where)}`)
      .prepare();
  return {
    insert: orm
      .insert(webhooks)
      .values({
        reference: ph('reference'),
        accountId: ph('accountId'),
        urlSecret: ph('urlSecret'),
        signingSecret: ph('signingSecret'),
        events: ph('events'),
        createdBy: ph('createdBy'),
        createdAt: ph('now'),
      })
      .returning({ id: webhooks.id })
      .prepare(),
    noteFailing: change({ failingSince: bound('since') }),
    disable: change({ disabledAt: bound('now') }, 'and disabled_at is null'),
    enable: change({ disabledAt: sql`null`, failingSince: sql`null` }),
    remove: orm
      .update(webhooks)
      .set({ removedAt: bound('now') })
      .where(sql`id = ${ph('id')}+0 and account_id = ${ph('accountId')}+0 and removed_at is null`)
      .prepare(),
    purge: orm
      .delete(webhooks)
      .where(sql`id = ${ph('id')}+0 and removed_at is not null`)
      .prepare(),
  };
}
