// Conversations with the bot: one state a chat and person. The state is sealed.
import type { conversations } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';

type Row = typeof conversations.$inferSelect;
type OfPerson = Pick<Row, 'chatId' | 'userId'>;

export function createConversationsTable(sql: Sql, secrets: Secrets) {
  const find = sql.one<OfPerson, Row>(
    'select * from conversations where chat_id = @chatId and user_id = @userId',
  );
  const save = sql.run<OfPerson & { stateSecret: Buffer; now: number }>(`
    insert into conversations (chat_id, user_id, state_secret, touched_at)
    values (@chatId, @userId, @stateSecret, @now)
    on conflict do update set state_secret = excluded.state_secret, touched_at = excluded.touched_at`);
  const remove = sql.run<OfPerson>('delete from conversations where chat_id = @chatId and user_id = @userId');
  const prune = sql.run<{ until: number; limit: number }>(`
    delete from conversations where rowid in (
      select rowid from conversations where touched_at <= @until limit @limit)`);
  const identity = (chatId: number, userId: number) => `conversation:${chatId}:${userId}`;
  return {
    /** One that does not open any more is none: the person begins anew. */
    find(chatId: number, userId: number): { state: string; touchedAt: number } | undefined {
      const row = find({ chatId, userId });
      const state = row && secrets.openIfSound(identity(chatId, userId), row.stateSecret);
      return row && state !== undefined ? { state, touchedAt: row.touchedAt } : undefined;
    },
    save: (chatId: number, userId: number, state: string, now: number) =>
      void save({ chatId, userId, stateSecret: secrets.seal(identity(chatId, userId), state), now }),
    remove: (chatId: number, userId: number) => remove({ chatId, userId }) === 1,
    /** Prunes up to `limit` that nobody has touched since; returns how many. */
    prune: (until: number, limit: number) => prune({ until, limit }),
  };
}
