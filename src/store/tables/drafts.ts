// Last confirmations: what the bot will do when a button is pressed, taken once. The payload is sealed.
import { eq, sql, type Orm } from '../engine/drizzle.ts';
import { drafts } from '../schema/index.ts';
import type { Secrets } from '../engine/secrets.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export interface Draft {
  id: string;
  chatId: number;
  userId: number;
  action: string;
  /** JSON */
  payload: string;
  expiresAt: number;
}

export function createDraftsTable(orm: Orm, secrets: Secrets) {
  const queries = prepareDrafts(orm);
  const identity = (id: string) => `draft:${id}`;
  return {
    keep({ payload, ...draft }: Draft) {
      queries.keep.run({ ...draft, payloadSecret: secrets.seal(identity(draft.id), payload) });
    },
    /** One that does not open any more is none. */
    find(id: string): (Draft & { takenBy: number | null }) | undefined {
      const row = queries.find.get({ id });
      if (!row) return undefined;
      const { payloadSecret, ...draft } = row;
      const payload = secrets.openIfSound(identity(id), payloadSecret);
      return payload === undefined ? undefined : { ...draft, payload };
    },
    /** Takes a draft for one update, once; the same update may take it again. */
    take: (id: string, updateId: number, now: number) =>
      queries.take.run({ id, updateId, now }).changes === 1,
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

function prepareDrafts(orm: Orm) {
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
