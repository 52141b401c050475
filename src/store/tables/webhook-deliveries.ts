// What addresses are to be told: messages, each written with its fact, and a delivery of it for each address that is
// told.
import type { webhookDeliveries, webhookMessages } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type Delivery = typeof webhookDeliveries.$inferSelect;
type Message = typeof webhookMessages.$inferSelect;

/** A delivery, and the message that it brings. */
export type DeliveryRow = Delivery & Pick<Message, 'type' | 'subject' | 'at'>;

/** How an attempt went; `nextAt` null: it was the last. */
export interface AttemptRow {
  at: number;
  status: number | null;
  problem: string | null;
  nextAt: number | null;
}

export interface DeliveryPage {
  before?: number | undefined;
  state?: Delivery['state'] | undefined;
}

type OfDelivery = { id: number };
type ListedDeliveries = {
  webhookId: number;
  limit: number;
  before: number | null;
  state: Delivery['state'] | null;
};
type NewMessage = Pick<Message, 'accountId' | 'type' | 'subject'> & { now: number };
type NewDelivery = Pick<Delivery, 'webhookId' | 'messageId'> & { now: number };

export function createWebhookDeliveriesTable(sql: Sql) {
  const { insertMessage, enqueue, settle, fail, retry } = changesOf(sql);
  const { findPending, listDue, listFar, list, find, listAt } = readsOf(sql);
  const { listOld, removeOfMessage, removeMessage, removeOfWebhook } = pruningOf(sql);

  return {
    /** Keeps a message. Its number is greater than that of any before. */
    insertMessage,
    /** Owes a message to an address, from now on; the number of the delivery. */
    enqueue,
    /** The next address after this one that waits for anything, due or not. */
    findPending: (afterId: number): number | undefined => findPending({ afterId })?.id ?? undefined,
    /** Due by now, or further away than any pause is (the clock went back); the longest due first. */
    listDue(webhookId: number, now: number, longestPauseMs: number, limit: number): DeliveryRow[] {
      const due = listDue({ webhookId, now, limit });
      return due.length > 0 ? due : listFar({ webhookId, far: now + longestPauseMs, limit });
    },
    /** Of facts of an account that came about at one moment. */
    listAt: (accountId: number, at: number): DeliveryRow[] => listAt({ accountId, at }),
    /** Newest first; `before`: of smaller numbers. */
    list: (webhookId: number, limit: number, { before, state }: DeliveryPage = {}) =>
      list({ webhookId, limit, before: before ?? null, state: state ?? null }),
    find(id: number, webhookId: number): DeliveryRow | undefined {
      const row = find({ id });
      return row?.webhookId === webhookId ? row : undefined;
    },
    /** From waiting to delivered; false when it waits no more. */
    settle: (id: number, attempt: Omit<AttemptRow, 'nextAt'>) => settle({ id, ...attempt }) === 1,
    /** Tried once more later, or given up. False when it waits no more. */
    fail: (id: number, attempt: AttemptRow) => fail({ id, ...attempt }) === 1,
    /** Waits from now on, whatever became of it. */
    retry: (id: number, now: number) => void retry({ id, now }),
    /**
     * Prunes messages of until then with their deliveries, a few at a time, but none that was asked for again since;
     * how many.
     */
    prune(until: number, limit: number): number {
      const old = listOld({ until, limit });
      for (const { id } of old) {
        removeOfMessage({ id });
        removeMessage({ id });
      }
      return old.length;
    },
    /** Deletes deliveries of an address that was removed, a few at a time; how many. */
    removeOf: (webhookId: number, limit: number) => removeOfWebhook({ webhookId, limit }),
  };
}

const DELIVERIES = `
  select deliveries.*, type, subject, at
  from webhook_deliveries as deliveries join webhook_messages as messages on messages.id = message_id`;

const readsOf = (sql: Sql) => ({
  findPending: sql.one<{ afterId: number }, { id: number | null }>(`
    select min(webhook_id) as id from webhook_deliveries where state = 'waiting' and webhook_id > @afterId`),
  listDue: sql.all<{ webhookId: number; now: number; limit: number }, DeliveryRow>(`${DELIVERIES}
    where webhook_id = @webhookId and state = 'waiting' and next_at <= @now
    order by next_at limit @limit`),
  listFar: sql.all<{ webhookId: number; far: number; limit: number }, DeliveryRow>(`${DELIVERIES}
    where webhook_id = @webhookId and state = 'waiting' and next_at > @far
    order by next_at limit @limit`),
  list: sql.all<ListedDeliveries, DeliveryRow>(`${DELIVERIES}
    where webhook_id = @webhookId and deliveries.id < coalesce(@before, 9e15) and state = coalesce(@state, state)
    order by deliveries.id desc limit @limit`),
  find: sql.one<OfDelivery, DeliveryRow>(`${DELIVERIES} where deliveries.id = @id`),
  listAt: sql.all<{ accountId: number; at: number }, DeliveryRow>(`${DELIVERIES}
    where at = @at and account_id = @accountId order by messages.id`),
});

const changesOf = (sql: Sql) => ({
  insertMessage: sql.insert<NewMessage>(`
    insert into webhook_messages (account_id, type, subject, at) values (@accountId, @type, @subject, @now)`),
  enqueue: sql.insert<NewDelivery>(`
    insert into webhook_deliveries (webhook_id, message_id, state, next_at, pending_since)
    values (@webhookId, @messageId, 'waiting', @now, @now)`),
  settle: sql.run<OfDelivery & Omit<AttemptRow, 'nextAt'>>(`
    update webhook_deliveries
    set attempts = attempts + 1, last_at = @at, status = @status, problem = @problem, state = 'delivered',
      next_at = null
    where id = @id and state = 'waiting'`),
  fail: sql.run<OfDelivery & AttemptRow>(`
    update webhook_deliveries
    set attempts = attempts + 1, last_at = @at, status = @status, problem = @problem, next_at = @nextAt,
      state = case when @nextAt is null then 'failed' else 'waiting' end
    where id = @id and state = 'waiting'`),
  retry: sql.run<OfDelivery & { now: number }>(`
    update webhook_deliveries set state = 'waiting', next_at = @now, pending_since = @now where id = @id`),
});

const pruningOf = (sql: Sql) => ({
  listOld: sql.all<{ until: number; limit: number }, OfDelivery>(`
    select id from webhook_messages as messages
    where at <= @until and not exists (
      select 1 from webhook_deliveries where message_id = messages.id and pending_since > @until)
    limit @limit`),
  removeOfMessage: sql.run<OfDelivery>('delete from webhook_deliveries where message_id = @id'),
  removeMessage: sql.run<OfDelivery>('delete from webhook_messages where id = @id'),
  removeOfWebhook: sql.run<{ webhookId: number; limit: number }>(`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where webhook_id = @webhookId limit @limit)`),
});
