// Which messages of the bot show which redemptions, until those are settled.
import { asc, sql, type Orm } from '../engine/drizzle.ts';
import { watches } from '../schema/index.ts';

const ph = sql.placeholder;
const bound = (name: string) => sql`${ph(name)}`;

export function createWatchesTable(orm: Orm) {
  const queries = prepareWatches(orm);
  return {
    /** Watches a redemption; the first message that shows it stays. */
    keep(watch: { redemptionId: number; chatId: number; messageId: number; telegramId: number }) {
      queries.keep.run(watch);
    },
    listOpen: (limit: number) => queries.listOpen.all({ limit }),
    show: (redemptionId: number, shown: string, done: boolean) =>
      queries.show.run({ redemptionId, shown, done: done ? 1 : 0 }).changes === 1,
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
        shown: sql`'pending'`,
      })
      .onConflictDoNothing()
      .prepare(),
    listOpen: orm
      .select()
      .from(watches)
      .where(sql`done = 0`)
      .orderBy(asc(watches.redemptionId))
      .limit(ph('limit'))
      .prepare(),
    show: orm
      .update(watches)
      .set({ shown: bound('shown'), done: bound('done') })
      .where(sql`redemption_id = ${ph('redemptionId')}+0`)
      .prepare(),
  };
}
