// The prepared statements of bot.ts.
import { asc, eq, sql, type Orm } from '../engine/drizzle.ts';
import { conversations, drafts, inbox, outbox, watches } from '../schema/bot.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export function prepareInbox(orm: Orm) {
  const finish = (state: string) =>
    orm
      .update(inbox)
      .set({ state: sql.raw(`'${state}'`) })
      .where(sql`update_id = ${ph('updateId')}+0 and state = 'waiting'`)
      .prepare();
  return {
    keep: orm
      .insert(inbox)
      .values({
        updateId: ph('updateId'),
        updateSecret: ph('updateSecret'),
        state: sql`'waiting'`,
        receivedAt: ph('now'),
      })
      .onConflictDoNothing()
      .prepare(),
    listWaiting: orm
      .select()
      .from(inbox)
      .where(sql`state = 'waiting' and update_id > ${ph('afterId')}+0`)
      .orderBy(asc(inbox.updateId))
      .limit(ph('limit'))
      .prepare(),
    countWaiting: orm
      .select({ count: sql<number>`count(*)` })
      .from(inbox)
      .where(sql`state = 'waiting'`)
      .prepare(),
    lastId: orm
      .select({ updateId: sql<number | null>`max(update_id)` })
      .from(inbox)
      .prepare(),
    begin: orm
      .update(inbox)
      .set({ attempts: sql`attempts + 1` })
      .where(sql`update_id = ${ph('updateId')}+0 and state = 'waiting'`)
      .returning({ attempts: inbox.attempts })
      .prepare(),
    finish: { done: finish('done'), failed: finish('failed'), set_aside: finish('set_aside') },
    forget: orm
      .delete(inbox)
      .where(
        sql`update_id in (select update_id from inbox where received_at <= ${ph('until')} and state <> 'waiting'
            limit ${ph('limit')})`,
      )
      .prepare(),
  };
}

export function prepareOutbox(orm: Orm) {
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

export function prepareConversations(orm: Orm) {
  const ofPerson = sql`chat_id = ${ph('chatId')}+0 and user_id = ${ph('userId')}+0`;
  return {
    find: orm.select().from(conversations).where(ofPerson).prepare(),
    save: orm
      .insert(conversations)
      .values({
        chatId: ph('chatId'),
        userId: ph('userId'),
        stateSecret: ph('stateSecret'),
        touchedAt: ph('now'),
      })
      .onConflictDoUpdate({
        target: [conversations.chatId, conversations.userId],
        set: { stateSecret: sql`excluded.state_secret`, touchedAt: sql`excluded.touched_at` },
      })
      .prepare(),
    remove: orm.delete(conversations).where(ofPerson).prepare(),
  };
}

export function prepareDrafts(orm: Orm) {
  return {
    keep: orm
      .insert(drafts)
      .values({
        id: ph('id'),
        chatId: ph('chatId'),
        userId: ph('userId'),
        action: ph('action'),
        payloadSecret: ph('payloadSecret'),
        expiresAt: ph('expiresAt'),
      })
      .onConflictDoNothing()
      .prepare(),
    find: orm
      .select()
      .from(drafts)
      .where(eq(drafts.id, ph('id')))
      .prepare(),
    take: orm
      .update(drafts)
      .set({ takenBy: bound('updateId') })
      .where(
        sql`id = ${ph('id')} and (taken_by = ${ph('updateId')} or (taken_by is null and expires_at > ${ph('now')}))`,
      )
      .prepare(),
    forget: orm
      .delete(drafts)
      .where(sql`id in (select id from drafts where expires_at <= ${ph('until')} limit ${ph('limit')})`)
      .prepare(),
  };
}

export function prepareWatches(orm: Orm) {
  return {
    keep: orm
      .insert(watches)
      .values({
        redemptionId: ph('redemptionId'),
        chatId: ph('chatId'),
        messageId: ph('messageId'),
        telegramId: ph('telegramId'),
        shown: sql`'pending'`,
      })
      .onConflictDoNothing()
      .prepare(),
    listOpen: orm
      .select()
      .from(watches)
      .where(sql`done = 0`)
      .orderBy(asc(watches.redemptionId))
      .limit(ph('limit'))
      .prepare(),
    show: orm
      .update(watches)
      .set({ shown: bound('shown'), done: bound('done') })
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
  };
}
