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

export function createConfirmationsTable(orm: Orm, secrets: Secrets) {
  const queries = prepareConfirmations(orm);
  const identity = (id: string) => `confirmation:${id}`;
  return {
    save({ payload, ...confirmation }: Confirmation) {
      queries.save.run({ ...confirmation, payloadSecret: secrets.seal(identity(confirmation.id), payload) });
    },
    /** One that does not open any more is none. */
    find(id: string): (Confirmation & { takenBy: number | null }) | undefined {
      const row = queries.find.get({ id });
      if (!row) return undefined;
      const { payloadSecret, ...confirmation } = row;
      const payload = secrets.openIfSound(identity(id), payloadSecret);
      return payload === undefined ? undefined : { ...confirmation, payload };
    },
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
      })
      .onConflictDoNothing()
      .prepare(),
    find: orm
      .select()
      .from(confirmations)
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
