// The messages that batches were pasted in, for as long as Telegram lets a bot delete them.
import type { Sql } from '../sql.ts';

export function createPastedMessagesTable(sql: Sql) {
  const save = sql.run<{ batchId: number; messageId: number; added: boolean }>(`
    insert into pasted_messages (batch_id, message_id, added) values (@batchId, @messageId, @added)
    on conflict do nothing`);
  const list = sql.all<{ batchId: number; limit: number }, { messageId: number; added: number }>(`
    select message_id, added from pasted_messages where batch_id = @batchId order by message_id limit @limit`);
  const findOldest = sql.one<void, { batchId: number }>(
    'select batch_id from pasted_messages where batch_id > 0 order by batch_id limit 1',
  );
  const remove = sql.run<{ batchId: number; limit: number }>(`
    delete from pasted_messages where batch_id = @batchId and message_id in (
      select message_id from pasted_messages where batch_id = @batchId order by message_id limit @limit)`);
  return {
    /** Keeps a message; the same again changes nothing. `added`: everything in it was. */
    save: (batchId: number, messageId: number, added: boolean) => void save({ batchId, messageId, added }),
    /** In the order in which they came. */
    list: (batchId: number, limit: number) =>
      list({ batchId, limit }).map(({ messageId, added }) => ({ messageId, added: added === 1 })),
    /** The batch of which messages are known longest. */
    findOldest: (): number | undefined => findOldest()?.batchId,
    /** Forgets messages of a batch; how many there were, at most `limit`. */
    remove: (batchId: number, limit: number): number => remove({ batchId, limit }),
  };
}
