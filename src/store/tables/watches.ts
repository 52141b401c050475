// Which messages of the bot show which redemptions, until those are settled.
import { asc, eq, sql, type Orm } from '../engine/drizzle.ts';
import { redemptions, watches } from '../schema/index.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export interface Watch {
  redemptionId: number;
  chatId: number;
  /** null: the redemption is shown in a message of its own; 0 in the row. */
  messageId: number | null;
  telegramId: number;
  language: string | null;
  /** The confirmation that was the order. */
  deed: string | null;
}

export function createWatchesTable(orm: Orm) {
  const queries = prepareWatches(orm);
  return {
    /** Watches a redemption; the first message that shows it stays. */
    keep(watch: Watch) {
      queries.keep.run({ ...watch, messageId: watch.messageId ?? 0 });
    },
    /** Whom the bot shows a redemption; undefined where it does not, or no longer. */
    findReader: (redemptionId: number): number | undefined =>
      queries.findReader.get({ redemptionId })?.telegramId,
    /** Open watches whose redemption is no longer as their message shows it, with what it is now. */
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

function prepareWatches(orm: Orm) {
  return {
    keep: orm
      .insert(watches)
      .values({
        redemptionId: ph('redemptionId'),
        chatId: ph('chatId'),
        messageId: ph('messageId'),
        telegramId: ph('telegramId'),
        language: ph('language'),
        deed: ph('deed'),
        shown: sql`'pending'`,
      })
      .onConflictDoNothing()
      .prepare(),
    // The oldest alone are looked at: what is done leaves from there, and nothing is gone through that stays.
    forget: orm
      .delete(watches)
      .where(
        sql`redemption_id in (select id from (
            select w.redemption_id as id, r.created_at as at from watches w join redemptions r on r.id = w.redemption_id
            where w.done = 1 order by w.redemption_id limit ${ph('limit')}) where at <= ${ph('until')}+0)`,
      )
      .prepare(),
    findReader: orm
      .select({ telegramId: watches.telegramId })
      .from(watches)
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
    listChanged: orm
      .select({
        redemptionId: watches.redemptionId,
        chatId: watches.chatId,
        messageId: watches.messageId,
        telegramId: watches.telegramId,
        language: watches.language,
        deed: watches.deed,
        state: redemptions.state,
        shown: watches.shown,
      })
      .from(watches)
      .innerJoin(redemptions, eq(redemptions.id, watches.redemptionId))
      .where(sql`${watches.done} = 0 and ${redemptions.state} <> ${watches.shown}`)
      .orderBy(asc(watches.redemptionId))
      .limit(ph('limit'))
      .prepare(),
    show: orm
      .update(watches)
      .set({ shown: bound('shown'), done: bound('done') })
      .where(sql`redemption_id = ${ph('redemptionId')}+0 and done = 0`)
      .prepare(),
  };
}
