// Conversations with the bot: one state a chat and person. The state is sealed.
import { ph, sql, type Orm } from '../engine/drizzle.ts';
import { conversations } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

export function createConversationsTable(orm: Orm, secrets: Secrets) {
  const queries = prepareConversations(orm);
  const identity = (chatId: number, userId: number) => `conversation:${chatId}:${userId}`;
  return {
    /** One that does not open any more is none: the person begins anew. */
    find(chatId: number, userId: number): { state: string; touchedAt: number } | undefined {
      const row = queries.find.get({ chatId, userId });
      const state = row && secrets.openIfSound(identity(chatId, userId), row.stateSecret);
      return row && state !== undefined ? { state, touchedAt: row.touchedAt } : undefined;
    },
    save: (chatId: number, userId: number, state: string, now: number) =>
      void queries.save.run({
        chatId,
        userId,
        stateSecret: secrets.seal(identity(chatId, userId), state),
        now,
      }),
    remove: (chatId: number, userId: number) => queries.remove.run({ chatId, userId }).changes === 1,
    /** Prunes up to `limit` that nobody has touched since; returns how many. */
    prune: (until: number, limit: number) => queries.prune.run({ until, limit }).changes,
  };
}

function prepareConversations(orm: Orm) {
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
    prune: orm
      .delete(conversations)
      .where(
        sql`rowid in (select rowid from conversations where touched_at <= ${ph('until')}+0 limit ${ph('limit')})`,
      )
      .prepare(),
  };
}
