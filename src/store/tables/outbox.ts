// Messages of the bot that are sent later, each once a key, a chat's in order. What a message says is sealed.
import { asc, sql, type Orm } from '../engine/drizzle.ts';
import { prepareHot } from '../engine/hot.ts';
import { outbox } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export function createOutboxTable(orm: Orm, secrets: Secrets) {
  const queries = prepareOutbox(orm);
  const identity = (key: string) => `outbox:${key}`;
  return {
    /** Keeps a message; false when one of this key is there already. One of a job waits for the job's end. */
    keep: (message: {
      key: string;
      chatId: number;
      content: string;
      now: number;
      jobId?: number | undefined;
    }) =>
      queries.keep.run({
        chatId: message.chatId,
        messageKey: message.key,
        messageSecret: secrets.seal(identity(message.key), message.content),
        jobId: message.jobId ?? null,
        now: message.now,
      }).changes === 1,
    countWaiting: (): number => queries.countWaiting.get()?.count ?? 0,
    /** Since when the one that waits for longest has waited; undefined where none does. */
    waitsSince: (): number | undefined => queries.waitsSince.get()?.at ?? undefined,
    /** The chats for which something waits. */
    listChats: (): number[] => queries.listChats.all().map(({ chatId }) => chatId),
    /** What comes next in a chat; `content` is undefined where it does not open any more. */
    findFirst(chatId: number) {
      const row = queries.findFirst.get({ chatId });
      if (!row) return undefined;
      const { id, messageKey: key, at } = row;
      return { id, key, at, content: secrets.openIfSound(identity(key), row.messageSecret) };
    },
    /** Whether anything waited for the end of a job that has ended by now. */
    hasEnded: (): boolean => queries.hasEnded.get() !== undefined,
    /** Puts what waited for the end of a job into its chat's line; how many messages. */
    release: (now: number): number => queries.release.run({ now }).changes,
    finish: (id: number, state: 'sent' | 'dropped') => queries.finish[state].run({ id }).changes === 1,
    /** Sends a message that was sent once more; false where there is none of this key, or it still waits. */
    repeat: (key: string, now: number) => queries.repeat.run({ key, now }).changes === 1,
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

const WAITING = sql.raw(`state = 'waiting' and job_id is null`);
/** A job that is forgotten has ended long ago. */
const ENDED = sql.raw(
  `job_id is not null and state = 'waiting'
    and not exists (select 1 from jobs where jobs.id = outbox.job_id and jobs.state = 'running')`,
);

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
        jobId: ph('jobId'),
        at: ph('now'),
      })
      .onConflictDoNothing()
      .prepare(),
    ...prepareWaiting(orm),
    findFirst: prepareHot(
      orm,
      orm
        .select()
        .from(outbox)
        .where(sql`chat_id = ${ph('chatId')}+0 and ${WAITING}`)
        .orderBy(asc(outbox.at), asc(outbox.id))
        .limit(1),
    ),
    hasEnded: orm
      .select({ one: sql`1` })
      .from(outbox)
      .where(ENDED)
      .limit(1)
      .prepare(),
    release: orm
      .update(outbox)
      .set({ jobId: null, at: bound('now') })
      .where(ENDED)
      .prepare(),
    finish: { sent: finish('sent'), dropped: finish('dropped') },
    repeat: orm
      .update(outbox)
      .set({ state: sql`'waiting'`, at: bound('now') })
      .where(sql`message_key = ${ph('key')} and state = 'sent'`)
      .prepare(),
    forget: orm
      .delete(outbox)
      .where(
        sql`id in (select id from outbox where at <= ${ph('until')} and state <> 'waiting' limit ${ph('limit')})`,
      )
      .prepare(),
  };
}

function prepareWaiting(orm: Orm) {
  return {
    countWaiting: orm
      .select({ count: sql<number>`count(*)` })
      .from(outbox)
      .where(WAITING)
      .prepare(),
    waitsSince: orm
      .select({ at: sql<number | null>`min(at)` })
      .from(outbox)
      .where(WAITING)
      .prepare(),
    listChats: orm.selectDistinct({ chatId: outbox.chatId }).from(outbox).where(WAITING).prepare(),
  };
}
