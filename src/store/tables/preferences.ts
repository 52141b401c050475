// Preferences: what people chose in /settings.
import type { preferences } from '../schema/index.ts';
import type { Sql } from '../sql.ts';

type Preferences = typeof preferences.$inferSelect;

export function createPreferencesTable(sql: Sql) {
  const find = sql.one<{ telegramId: number }, Preferences>(
    'select * from preferences where telegram_id = @telegramId',
  );
  const save = sql.run<Preferences>(`
    insert into preferences (telegram_id, language, muted_notices, menu)
    values (@telegramId, @language, @mutedNotices, @menu)
    on conflict do update
    set language = excluded.language, muted_notices = excluded.muted_notices, menu = excluded.menu`);
  return {
    find: (telegramId: number) => find({ telegramId }),
    list: sql.all<void, Preferences>('select * from preferences order by telegram_id'),
    save: (choice: Preferences) => void save(choice),
  };
}
