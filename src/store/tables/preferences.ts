// Preferences: what people chose in /settings.
import { asc, eq, ph, sql, type Orm } from '../engine/drizzle.ts';
import { preferences } from '../schema/index.ts';

export function createPreferencesTable(orm: Orm) {
  const find = orm
    .select()
    .from(preferences)
    .where(eq(preferences.telegramId, ph('telegramId')))
    .prepare();
  const list = orm.select().from(preferences).orderBy(asc(preferences.telegramId)).prepare();
  const save = orm
    .insert(preferences)
    .values({
      telegramId: ph('telegramId'),
      language: ph('language'),
      mutedNotices: ph('mutedNotices'),
      menu: ph('menu'),
    })
    .onConflictDoUpdate({
      target: preferences.telegramId,
      set: {
        language: sql`excluded.language`,
        mutedNotices: sql`excluded.muted_notices`,
        menu: sql`excluded.menu`,
      },
    })
    .prepare();
  return {
    find: (telegramId: number) => find.get({ telegramId }),
    list: () => list.all(),
    save(choice: { telegramId: number; language: string | null; mutedNotices: string; menu: string }) {
      save.run(choice);
    },
  };
}
