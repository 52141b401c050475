// Last confirmations: what the bot will do when a button is pressed, taken once. The payload is sealed.
import type { confirmations } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';
import type { Sql } from '../sql.ts';

type Row = typeof confirmations.$inferSelect;

/** `payload`: JSON. */
export type Confirmation = Pick<Row, 'id' | 'chatId' | 'userId' | 'action' | 'expiresAt'> & {
  payload: string;
};

type Asked = Pick<Row, 'chatId' | 'userId'> & { madeOf: string; updateId: number; now: number };

export function createConfirmationsTable(sql: Sql, secrets: Secrets) {
  const { save, find, withdraw, place, take, prune } = statementsOf(sql);
  const identity = (id: string) => `confirmation:${id}`;
  const open = ({ payloadSecret, ...confirmation }: Row) => {
    const payload = secrets.openIfSound(identity(confirmation.id), payloadSecret);
    return payload === undefined ? undefined : { ...confirmation, payload };
  };
  return {
    /** `madeOf`: of a question, which may be withdrawn, the messages that it was made of. */
    save({ payload, ...confirmation }: Confirmation, madeOf: string | null = null) {
      save({ ...confirmation, madeOf, payloadSecret: secrets.seal(identity(confirmation.id), payload) });
    },
    /** One that does not open any more is none. */
    find(id: string) {
      const row = find({ id });
      return row && open(row);
    },
    /**
     * What is asked in a chat and nobody has answered, all or what was made of `,7,`, is withdrawn by this update (below
     * zero); again it is the same.
     */
    withdraw: (asked: Asked) => withdraw(asked).flatMap((row) => open(row) ?? []),
    /** Which message asks it. */
    place: (id: string, messageId: number) => void place({ id, messageId }),
    /** Takes a confirmation for one update, once; the same update may take it again. */
    take: (id: string, updateId: number, now: number) => take({ id, updateId, now }) === 1,
    prune: (until: number, limit: number) => prune({ until, limit }),
  };
}

const statementsOf = (sql: Sql) => ({
  save: sql.run<Omit<Row, 'takenBy' | 'messageId'>>(`
    insert into confirmations (id, chat_id, user_id, action, payload_secret, expires_at, made_of)
    values (@id, @chatId, @userId, @action, @payloadSecret, @expiresAt, @madeOf)
    on conflict do nothing`),
  find: sql.one<{ id: string }, Row>('select * from confirmations where id = @id'),
  // Where one was pressed, something else stands now.
  // Where its message asks something else by now, or was pressed, nobody can see it.
  withdraw: sql.all<Asked, Row>(`
    update confirmations set taken_by = @updateId
    where chat_id = @chatId and made_of is not null and user_id = @userId and expires_at > @now
      and (taken_by is null or taken_by = @updateId) and instr(made_of, @madeOf) > 0
      and not exists (
        select 1 from confirmations as now
        where now.chat_id = @chatId and now.message_id = confirmations.message_id
          and now.made_of is not null and now.rowid > confirmations.rowid
          and (now.taken_by > 0 or instr(now.made_of, @madeOf) = 0))
    returning *`),
  place: sql.run<{ id: string; messageId: number }>(
    'update confirmations set message_id = @messageId where id = @id',
  ),
  take: sql.run<{ id: string; updateId: number; now: number }>(`
    update confirmations set taken_by = @updateId
    where id = @id and (taken_by = @updateId or (taken_by is null and expires_at > @now))`),
  prune: sql.run<{ until: number; limit: number }>(`
    delete from confirmations where id in (
      select id from confirmations where expires_at <= @until limit @limit)`),
});
