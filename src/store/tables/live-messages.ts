// Which messages of the bot show which redemptions, until those are settled.
import { asc, eq, sql, type Orm } from '../engine/drizzle.ts';
import { redemptions, liveMessages } from '../schema/index.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export interface LiveMessage {
  redemptionId: number;
  chatId: number;
  /** null: the redemption is shown in a message of its own; 0 in the row. */
  messageId: number | null;
  telegramId: number;
  language: string | null;
  /** The confirmation that was the order. */
  orderKey: string | null;
}

export function createLiveMessagesTable(orm: Orm) {
  const queries = prepareLiveMessages(orm);
  return {
    /** Shows a redemption; the first message that shows it stays. */
    keep(liveMessage: LiveMessage) {
      queries.keep.run({ ...liveMessage, messageId: liveMessage.messageId ?? 0 });
    },
    /** Whom the bot shows a redemption; undefined where it does not, or no longer. */
    findReader: (redemptionId: number): number | undefined =>
      queries.findReader.get({ redemptionId })?.telegramId,
    /** Open ones whose redemption is no longer as their message shows it, with what it is now. */
    listChanged: (limit: number) =>
      queries.listChanged
        .all({ limit })
        .map((row) => ({ ...row, messageId: row.messageId === 0 ? null : row.messageId })),
    show: (redemptionId: number, shown: string, done: boolean) =>
      queries.show.run({ redemptionId, shown, done: done ? 1 : 0 }).changes === 1,
    /** Forgets those of the oldest `limit` that are done and whose redemption began until then; returns how many. */
    forget: (until: number, limit: number) => queries.forget.run({ until, limit }).changes,
  };
}

function prepareLiveMessages(orm: Orm) {
  return {
    keep: orm
      .insert(liveMessages)
      .values({
        redemptionId: ph('redemptionId'),
        chatId: ph('chatId'),
        messageId: ph('messageId'),
        telegramId: ph('telegramId'),
        language: ph('language'),
        orderKey: ph('orderKey'),
        shown: sql`'pending'`,
      })
      .onConflictDoNothing()
      .prepare(),
    // The oldest alone are looked at: what is done leaves from there, and nothing is gone through that stays.
    forget: orm
      .delete(liveMessages)
      .where(
        sql`redemption_id in (select id from (
            select w.redemption_id as id, r.created_at as at from live_messages w join redemptions r on r.id = w.redemption_id
            where w.done = 1 order by w.redemption_id limit ${ph('limit')}) where at <= ${ph('until')}+0)`,
      )
      .prepare(),
    findReader: orm
      .select({ telegramId: liveMessages.telegramId })
      .from(liveMessages)
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
    listChanged: orm
      .select({
        redemptionId: liveMessages.redemptionId,
        chatId: liveMessages.chatId,
        messageId: liveMessages.messageId,
        telegramId: liveMessages.telegramId,
        language: liveMessages.language,
        orderKey: liveMessages.orderKey,
        state: redemptions.state,
        shown: liveMessages.shown,
      })
      .from(liveMessages)
      .innerJoin(redemptions, eq(redemptions.id, liveMessages.redemptionId))
      .where(sql`${liveMessages.done} = 0 and ${redemptions.state} <> ${liveMessages.shown}`)
      .orderBy(asc(liveMessages.redemptionId))
      .limit(ph('limit'))
      .prepare(),
    show: orm
      .update(liveMessages)
      .set({ shown: bound('shown'), done: bound('done') })
      .where(sql`redemption_id = ${ph('redemptionId')}+0 and done = 0`)
      .prepare(),
  };
}
