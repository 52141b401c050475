// Messages of the bot that are sent later, each once a key. What a message says is sealed.
import { asc, sql, type Orm } from '../engine/drizzle.ts';
import { outbox } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export function createOutboxTable(orm: Orm, secrets: Secrets) {
  const queries = prepareOutbox(orm);
  const identity = (key: string) => `outbox:${key}`;
  return {
    /** Keeps a message; false when one of this key is there already. */
    keep: (message: { key: string; chatId: number; content: string; now: number }) =>
      queries.keep.run({
        chatId: message.chatId,
        messageKey: message.key,
        messageSecret: secrets.seal(identity(message.key), message.content),
        now: message.now,
      }).changes === 1,
    countWaiting: (): number => queries.countWaiting.get()?.count ?? 0,
    listDue: (now: number, limit: number) =>
      queries.listDue.all({ now, limit }).map(({ id, chatId, messageKey, messageSecret, attempts }) => ({
        id,
        chatId,
        attempts,
        content: secrets.open(identity(messageKey), messageSecret),
      })),
    finish: (id: number, state: 'sent' | 'dropped') => queries.finish[state].run({ id }).changes === 1,
    postpone: (id: number, nextAt: number) => queries.postpone.run({ id, nextAt }).changes === 1,
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

function prepareOutbox(orm: Orm) {
  const finish = (state: string) =>
    orm
      .update(outbox)
      .set({ state: sql.raw(`'${state}'`) })
      .where(sql`id = ${ph('id')}+0 and state = 'waiting'`)
      .prepare();
  return {
    keep: orm
      .insert(outbox)
      .values({
        chatId: ph('chatId'),
        messageKey: ph('messageKey'),
        messageSecret: ph('messageSecret'),
        state: sql`'waiting'`,
        nextAt: ph('now'),
        at: ph('now'),
      })
      .onConflictDoNothing()
      .prepare(),
    countWaiting: orm
      .select({ count: sql<number>`count(*)` })
      .from(outbox)
      .where(sql`state = 'waiting'`)
      .prepare(),
    listDue: orm
      .select()
      .from(outbox)
      .where(sql`state = 'waiting' and next_at <= ${ph('now')}+0`)
      .orderBy(asc(outbox.id))
      .limit(ph('limit'))
      .prepare(),
    finish: { sent: finish('sent'), dropped: finish('dropped') },
    postpone: orm
      .update(outbox)
      .set({ attempts: sql`attempts + 1`, nextAt: bound('nextAt') })
      .where(sql`id = ${ph('id')}+0 and state = 'waiting'`)
      .prepare(),
    forget: orm
      .delete(outbox)
      .where(
        sql`id in (select id from outbox where at <= ${ph('until')} and state <> 'waiting' limit ${ph('limit')})`,
      )
      .prepare(),
  };
}
