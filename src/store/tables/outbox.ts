// Messages of the bot that are sent later, each once a key, a chat's in order. What a message says is sealed.
import { asc, sql, type Orm } from '../engine/drizzle.ts';
import { outbox } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

/** A message whose turn it is. */
export interface WaitingMessage {
  id: number;
  key: string;
  kind: 'answer' | 'result' | 'notice';
  /** Since when it waits. */
  at: number;
  /** JSON; undefined: it cannot be read any more. */
  content: string | undefined;
}

export function createOutboxTable(orm: Orm, secrets: Secrets) {
  const queries = prepareOutbox(orm);
  const identity = (key: string) => `outbox:${key}`;
  const open = ({
    id,
    messageKey: key,
    kind,
    at,
    messageSecret,
  }: typeof outbox.$inferSelect): WaitingMessage => ({
    id,
    key,
    kind: kind as WaitingMessage['kind'],
    at,
    content: secrets.openIfSound(identity(key), messageSecret),
  });
  return {
    /** Keeps a message; false when one of this key is there already. One of a job waits for the job's end. */
    keep: (message: {
      key: string;
      chatId: number;
      content: string;
      now: number;
      jobId?: number | undefined;
      kind?: 'answer' | 'notice' | undefined;
    }) =>
      queries.keep.run({
        chatId: message.chatId,
        messageKey: message.key,
        messageSecret: secrets.seal(identity(message.key), message.content),
        jobId: message.jobId ?? null,
        kind: message.kind ?? 'result',
        now: message.now,
      }).changes === 1,
    countWaiting: (): number => queries.countWaiting.get()?.count ?? 0,
    /** Since when the one that waits for longest has waited; undefined where none does. */
    waitsSince: (): number | undefined => queries.waitsSince.get()?.at ?? undefined,
    /** The chats for which something waits. */
    listChats: (): number[] => queries.listChats.all({}).map(({ chatId }) => chatId),
    /** What comes next in a chat: notices after all else. */
    findFirst(chatId: number) {
      const row = queries.findFirst.get({ chatId });
      return row && open(row);
    },
    /** The notices that wait in a chat, the oldest first. */
    listNotices: (chatId: number, limit: number) => queries.listNotices.all({ chatId, limit }).map(open),
    /** Of the answers that wait in a chat the newest so many stay; how many went. */
    dropAnswers: (chatId: number, kept: number) => queries.dropAnswers.run({ chatId, kept }).changes,
    /** Whether a chat is owed something. */
    isOwed: (chatId: number): boolean => queries.isOwed.get({ chatId }) !== undefined,
    /** Puts what a chat is owed into its line. */
    open: (chatId: number, now: number) => queries.open.run({ chatId, now }).changes,
    /** Whether anything waited for the end of a job that has ended by now. */
    hasEnded: (): boolean => queries.hasEnded.get() !== undefined,
    /** Puts what waited for the end of a job into its chat's line; how many messages. */
    release: (now: number): number => queries.release.run({ now }).changes,
    finish: (id: number, state: 'sent' | 'dropped' | 'pending') =>
      queries.finish[state].run({ id }).changes === 1,
    /** Sends a message once more that waits no longer; false where there is none of this key, or it still waits. */
    repeat: (key: string, now: number) => queries.repeat.run({ key, now }).changes === 1,
    /** What is owed is older: its chat may open yet. */
    forget: (until: number, pendingUntil: number, limit: number) =>
      queries.forget.run({ until, pendingUntil, limit }).changes,
  };
}

const IS_NOTICE = sql.raw(`(kind = 'notice')`);
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
        kind: ph('kind'),
        state: sql`'waiting'`,
        jobId: ph('jobId'),
        at: ph('now'),
      })
      .onConflictDoNothing()
      .prepare(),
    ...prepareWaiting(orm),
    findFirst: orm
      .select()
      .from(outbox)
      .where(sql`chat_id = ${ph('chatId')}+0 and ${WAITING}`)
      .orderBy(IS_NOTICE, asc(outbox.at), asc(outbox.id))
      .limit(1)
      .prepare(),
    ...prepareOwed(orm),
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
    finish: { sent: finish('sent'), dropped: finish('dropped'), pending: finish('pending') },
    repeat: orm
      .update(outbox)
      .set({ state: sql`'waiting'`, at: bound('now') })
      .where(sql`message_key = ${ph('key')} and state <> 'waiting'`)
      .prepare(),
    forget: orm
      .delete(outbox)
      .where(
        sql`id in (select id from outbox where at <= ${ph('until')}
          and (state in ('sent', 'dropped') or (state = 'pending' and at <= ${ph('pendingUntil')})) limit ${ph('limit')})`,
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
    // From one chat to the next by the index: what waits in each is not walked.
    listChats: orm
      .select({ chatId: sql<number>`chat_id` })
      .from(
        sql`(with recursive chats(chat_id) as (
          select min(chat_id) from outbox where ${WAITING}
          union all
          select (select min(chat_id) from outbox where ${WAITING} and outbox.chat_id > chats.chat_id)
          from chats where chats.chat_id is not null
        ) select chat_id from chats where chat_id is not null)`,
      )
      .prepare(),
    listNotices: orm
      .select()
      .from(outbox)
      .where(sql`chat_id = ${ph('chatId')}+0 and ${WAITING} and ${IS_NOTICE} = 1`)
      .orderBy(asc(outbox.at), asc(outbox.id))
      .limit(ph('limit'))
      .prepare(),
    dropAnswers: orm
      .update(outbox)
      .set({ state: sql`'dropped'` })
      .where(
        sql`id in (select id from outbox where chat_id = ${ph('chatId')}+0 and ${WAITING} and ${IS_NOTICE} = 0
          and kind = 'answer' order by at desc, id desc limit -1 offset ${ph('kept')})`,
      )
      .prepare(),
  };
}

function prepareOwed(orm: Orm) {
  const PENDING = sql`chat_id = ${ph('chatId')}+0 and state = 'pending'`;
  return {
    isOwed: orm
      .select({ one: sql`1` })
      .from(outbox)
      .where(PENDING)
      .limit(1)
      .prepare(),
    open: orm
      .update(outbox)
      .set({ state: sql`'waiting'`, at: bound('now') })
      .where(PENDING)
      .prepare(),
  };
}
