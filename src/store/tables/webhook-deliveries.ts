// What addresses are to be told: messages, each written with its fact, and a delivery of it for each address that is
// told.
import { asc, bound, desc, getTableColumns, ph, sql, type Orm } from '../engine/drizzle.ts';
import { webhookDeliveries, webhookMessages, type DeliveryState } from '../schema/index.ts';

/** A delivery, and the message that it brings. */
export interface DeliveryRow {
  id: number;
  webhookId: number;
  messageId: number;
  state: DeliveryState;
  attempts: number;
  /** null where nothing is tried any more. */
  nextAt: number | null;
  pendingSince: number;
  lastAt: number | null;
  status: number | null;
  problem: string | null;
  type: string;
  /** JSON: what the body is made of. */
  subject: string;
  /** When the fact came about. */
  at: number;
}

/** How an attempt went; `nextAt` null: it was the last. */
export interface AttemptRow {
  at: number;
  status: number | null;
  problem: string | null;
  nextAt: number | null;
}

export function createWebhookDeliveriesTable(orm: Orm) {
  const queries = {
    ...preparePending(orm),
    ...prepareDue(orm),
    ...prepareReading(orm),
    ...prepareChanging(orm),
    ...preparePruning(orm),
  };

  return {
    /** Keeps a message. Its number is greater than that of any before. */
    insertMessage: (message: { accountId: number; type: string; subject: string; now: number }): number =>
      Number(queries.insertMessage.run(message).lastInsertRowid),
    /** Owes a message to an address, from now on; the number of the delivery. */
    enqueue: (delivery: { webhookId: number; messageId: number; now: number }): number =>
      Number(queries.enqueue.run(delivery).lastInsertRowid),
    /** The next address after this one that waits for anything, due or not. */
    findPending: (afterId: number): number | undefined =>
      queries.findPending.get({ afterId })?.id ?? undefined,
    /** Due by now, or further away than any pause is (the clock went back); the longest due first. */
    listDue(webhookId: number, now: number, longestPauseMs: number, limit: number): DeliveryRow[] {
      const due = queries.listDue.all({ webhookId, now, limit });
      const rows =
        due.length > 0 ? due : queries.listFar.all({ webhookId, far: now + longestPauseMs, limit });
      return rows;
    },
    /** Of facts of an account that came about at one moment. */
    listAt: (accountId: number, at: number): DeliveryRow[] => queries.listAt.all({ accountId, at }),
    /** Newest first. */
    list: (webhookId: number, limit: number) => queries.list.all({ webhookId, limit }),
    find(id: number, webhookId: number): DeliveryRow | undefined {
      const row = queries.find.get({ id });
      return row?.webhookId === webhookId ? row : undefined;
    },
    /** From waiting to delivered; false when it waits no more. */
    settle: (id: number, attempt: Omit<AttemptRow, 'nextAt'>) =>
      queries.settle.run({ id, ...attempt }).changes === 1,
    /** Tried once more later, or given up. False when it waits no more. */
    fail: (id: number, attempt: AttemptRow) => queries.fail.run({ id, ...attempt }).changes === 1,
    /** Waits from now on, whatever became of it. */
    retry: (id: number, now: number) => void queries.retry.run({ id, now }),
    /**
     * Prunes messages of until then with their deliveries, a few at a time, but none that was asked for again since;
     * how many.
     */
    prune(until: number, limit: number): number {
      const old = queries.listOld.all({ until, limit });
      for (const { id } of old) {
        queries.removeOfMessage.run({ id });
        queries.removeMessage.run({ id });
      }
      return old.length;
    },
    /** Deletes deliveries of an address that was removed, a few at a time; how many. */
    removeOf: (webhookId: number, limit: number) => queries.removeOfWebhook.run({ webhookId, limit }).changes,
  };
}

function preparePending(orm: Orm) {
  return {
    insertMessage: orm
      .insert(webhookMessages)
      .values({
        accountId: ph('accountId'),
        type: ph('type'),
        subject: ph('subject'),
        at: ph('now'),
      })
      .prepare(),
    enqueue: orm
      .insert(webhookDeliveries)
      .values({
        webhookId: ph('webhookId'),
        messageId: ph('messageId'),
        state: 'waiting',
        nextAt: ph('now'),
        pendingSince: ph('now'),
      })
      .prepare(),
  };
}

const WITH_MESSAGE = {
  ...getTableColumns(webhookDeliveries),
  type: webhookMessages.type,
  subject: webhookMessages.subject,
  at: webhookMessages.at,
};

function prepareDue(orm: Orm) {
  const waiting = (when: string, name: string) =>
    orm
      .select(WITH_MESSAGE)
      .from(webhookDeliveries)
      .innerJoin(webhookMessages, sql`${webhookMessages.id} = ${webhookDeliveries.messageId}`)
      .where(
        sql`${webhookDeliveries.webhookId} = ${ph('webhookId')}+0 and ${webhookDeliveries.state} = 'waiting'
          and ${webhookDeliveries.nextAt} ${sql.raw(when)} ${ph(name)}+0`,
      )
      .orderBy(asc(webhookDeliveries.nextAt))
      .limit(ph('limit'))
      .prepare();
  return {
    findPending: orm
      .select({ id: sql<number | null>`min(webhook_id)` })
      .from(webhookDeliveries)
      .where(sql`state = 'waiting' and webhook_id > ${ph('afterId')}+0`)
      .prepare(),
    listDue: waiting('<=', 'now'),
    listFar: waiting('>', 'far'),
  };
}

function prepareReading(orm: Orm) {
  const withMessage = () =>
    orm
      .select(WITH_MESSAGE)
      .from(webhookDeliveries)
      .innerJoin(webhookMessages, sql`${webhookMessages.id} = ${webhookDeliveries.messageId}`);
  return {
    list: withMessage()
      .where(sql`${webhookDeliveries.webhookId} = ${ph('webhookId')}+0`)
      .orderBy(desc(webhookDeliveries.id))
      .limit(ph('limit'))
      .prepare(),
    find: withMessage()
      .where(sql`${webhookDeliveries.id} = ${ph('id')}+0`)
      .prepare(),
    listAt: withMessage()
      .where(sql`${webhookMessages.at} = ${ph('at')}+0 and ${webhookMessages.accountId} = ${ph('accountId')}`)
      .orderBy(webhookMessages.id)
      .prepare(),
  };
}

function prepareChanging(orm: Orm) {
  const attempted = {
    attempts: sql`attempts + 1`,
    lastAt: bound('at'),
    status: bound('status'),
    problem: bound('problem'),
  };
  const isWaiting = sql`id = ${ph('id')}+0 and state = 'waiting'`;
  return {
    settle: orm
      .update(webhookDeliveries)
      .set({ ...attempted, state: sql`'delivered'`, nextAt: sql`null` })
      .where(isWaiting)
      .prepare(),
    fail: orm
      .update(webhookDeliveries)
      .set({
        ...attempted,
        nextAt: bound('nextAt'),
        state: sql`case when ${ph('nextAt')} is null then 'failed' else 'waiting' end`,
      })
      .where(isWaiting)
      .prepare(),
    retry: orm
      .update(webhookDeliveries)
      .set({ state: sql`'waiting'`, nextAt: bound('now'), pendingSince: bound('now') })
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
  };
}

function preparePruning(orm: Orm) {
  return {
    listOld: orm
      .select({ id: webhookMessages.id })
      .from(webhookMessages)
      .where(
        sql`at <= ${ph('until')}+0 and not exists (
          select 1 from webhook_deliveries d where d.message_id = webhook_messages.id and d.pending_since > ${ph('until')}+0)`,
      )
      .limit(ph('limit'))
      .prepare(),
    removeOfMessage: orm
      .delete(webhookDeliveries)
      .where(sql`message_id = ${ph('id')}+0`)
      .prepare(),
    removeMessage: orm
      .delete(webhookMessages)
      .where(sql`id = ${ph('id')}+0`)
      .prepare(),
    removeOfWebhook: orm
      .delete(webhookDeliveries)
      .where(
        sql`id in (select d.id from webhook_deliveries d where d.webhook_id = ${ph('webhookId')}+0 limit ${ph('limit')})`,
      )
      .prepare(),
  };
}
