// Last confirmations: what the bot will do when a button is pressed, taken once. The payload is sealed.
import { bound, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { confirmations } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

export interface Confirmation {
  id: string;
  chatId: number;
  userId: number;
  action: string;
  /** JSON */
  payload: string;
  expiresAt: number;
}

interface KeptConfirmation extends Confirmation {
  takenBy: number | null;
  madeOf: string | null;
}

export function createConfirmationsTable(orm: Orm, secrets: Secrets) {
  const queries = prepareConfirmations(orm);
  const identity = (id: string) => `confirmation:${id}`;
  const open = ({ payloadSecret, ...confirmation }: typeof confirmations.$inferSelect) => {
    const payload = secrets.openIfSound(identity(confirmation.id), payloadSecret);
    return payload === undefined ? undefined : { ...confirmation, payload };
  };
  return {
    /** `madeOf`: of a question, which may be withdrawn, the messages that it was made of. */
    save({ payload, ...confirmation }: Confirmation, madeOf: string | null = null) {
      const payloadSecret = secrets.seal(identity(confirmation.id), payload);
      queries.save.run({ ...confirmation, payloadSecret, madeOf });
    },
    /** One that does not open any more is none. */
    find(id: string): KeptConfirmation | undefined {
      const row = queries.find.get({ id });
      return row && open(row);
    },
    /**
     * What is asked in a chat and nobody has answered, all or what was made of `,7,`, is withdrawn by this update (below
     * zero); again it is the same.
     */
    withdraw: (asked: { chatId: number; userId: number; madeOf: string; updateId: number; now: number }) =>
      queries.withdraw.all(asked).flatMap((row) => open(row) ?? []),
    /** Which message asks it. */
    place: (id: string, messageId: number) => void queries.place.run({ id, messageId }),
    /** Takes a confirmation for one update, once; the same update may take it again. */
    take: (id: string, updateId: number, now: number) =>
      queries.take.run({ id, updateId, now }).changes === 1,
    prune: (until: number, limit: number) => queries.prune.run({ until, limit }).changes,
  };
}

function prepareConfirmations(orm: Orm) {
  return {
    save: orm
      .insert(confirmations)
      .values({
        id: ph('id'),
        chatId: ph('chatId'),
        userId: ph('userId'),
        action: ph('action'),
        payloadSecret: ph('payloadSecret'),
        expiresAt: ph('expiresAt'),
        madeOf: ph('madeOf'),
      })
      .onConflictDoNothing()
      .prepare(),
    find: orm
      .select()
      .from(confirmations)
      .where(eq(confirmations.id, ph('id')))
      .prepare(),
    // Where one was pressed, something else stands now.
    // Where its message asks something else by now, or was pressed, nobody can see it.
    withdraw: orm
      .update(confirmations)
      .set({ takenBy: bound('updateId') })
      .where(
        sql`chat_id = ${ph('chatId')} and made_of is not null and user_id = ${ph('userId')} and expires_at > ${ph('now')}
            and (taken_by is null or taken_by = ${ph('updateId')}) and instr(made_of, ${ph('madeOf')}) > 0
            and not exists (select 1 from confirmations as now where now.chat_id = ${ph('chatId')}
              and now.message_id = confirmations.message_id and now.made_of is not null
              and now.rowid > confirmations.rowid and (now.taken_by > 0 or instr(now.made_of, ${ph('madeOf')}) = 0))`,
      )
      .returning()
      .prepare(),
    place: orm
      .update(confirmations)
      .set({ messageId: bound('messageId') })
      .where(eq(confirmations.id, ph('id')))
      .prepare(),
    take: orm
      .update(confirmations)
      .set({ takenBy: bound('updateId') })
      .where(
        sql`id = ${ph('id')} and (taken_by = ${ph('updateId')} or (taken_by is null and expires_at > ${ph('now')}))`,
      )
      .prepare(),
    prune: orm
      .delete(confirmations)
      .where(
        sql`id in (select id from confirmations where expires_at <= ${ph('until')} limit ${ph('limit')})`,
      )
      .prepare(),
  };
}
