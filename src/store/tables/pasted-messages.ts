// The messages that batches were pasted in, for as long as Telegram lets a bot delete them.
import { asc, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { pastedMessages } from '../schema/index.ts';

export function createPastedMessagesTable(orm: Orm) {
  const ofBatch = eq(pastedMessages.batchId, ph('batchId'));
  const insert = orm
    .insert(pastedMessages)
    .values({ batchId: ph('batchId'), messageId: ph('messageId'), added: ph('added') })
    .onConflictDoNothing()
    .prepare();
  const list = orm
    .select({ messageId: pastedMessages.messageId, added: pastedMessages.added })
    .from(pastedMessages)
    .where(ofBatch)
    .orderBy(asc(pastedMessages.messageId))
    .limit(ph('limit'))
    .prepare();
  const findOldest = orm
    .select({ batchId: pastedMessages.batchId })
    .from(pastedMessages)
    .where(sql`batch_id > 0`)
    .orderBy(asc(pastedMessages.batchId))
    .limit(1)
    .prepare();
  const remove = orm
    .delete(pastedMessages)
    .where(
      sql`batch_id = ${ph('batchId')} and message_id in (select message_id from pasted_messages
      where batch_id = ${ph('batchId')} order by message_id limit ${ph('limit')})`,
    )
    .prepare();

  return {
    /** Keeps a message; the same again changes nothing. `added`: everything in it was. */
    save: (batchId: number, messageId: number, added: boolean) =>
      void insert.run({ batchId, messageId, added: added ? 1 : 0 }),
    /** In the order in which they came. */
    list: (batchId: number, limit: number) =>
      list.all({ batchId, limit }).map((row) => ({ messageId: row.messageId, added: row.added === 1 })),
    /** The batch of which messages are known longest. */
    findOldest: (): number | undefined => findOldest.get()?.batchId,
    /** Forgets messages of a batch; how many there were, at most `limit`. */
    remove: (batchId: number, limit: number): number => remove.run({ batchId, limit }).changes,
  };
}
