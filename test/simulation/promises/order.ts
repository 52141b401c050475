// What is taken first: of codes the oldest, of activations those of the day.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const PASSED_OVER = `
  select taken.id as taken, older.id as older
  from redemptions r
  join codes taken on taken.id = r.code_id
  join codes older on older.account_id = taken.account_id and older.game_id = taken.game_id
    and older.denomination = taken.denomination and older.id < taken.id
  where r.mode = 'database' and r.created_at > ? and taken.returns = 0
    and older.state = 'available' and older.returns = 0 and older.changed_at < r.created_at
  limit 1`;

export function theOldestCodeGoesFirst({ disk, diary }: World): string[] {
  // When something changed, a wrong calendar says wrongly.
  if (diary.isCalendarWrongToday) return [];
  const since = Math.max(diary.judgedUntil, diary.restoredAt);
  const rows = look(disk.databasePath(), (file) => file.prepare(PASSED_OVER).all(since)) as {
    taken: number;
    older: number;
  }[];
  return rows.map(({ taken, older }) => `code ${taken} was taken while ${older} waited`);
}

/** Quarters of activations. */
const DAILY = 1_200;
const DAY_MS = 24 * 60 * 60_000;
const BOUGHT_FIRST = `
  select id from charges c where purchased > 0 and at > ? and ${DAILY} - purchased >=
    (select coalesce(sum(daily), 0) from charges o where o.account_id = c.account_id and o.at between c.at - ${DAY_MS} and c.at)
  limit 1`;

export function whatWasBoughtIsUsedLast({ disk, diary }: World): string[] {
  const ids = look(disk.databasePath(), (file) =>
    file.prepare(BOUGHT_FIRST).pluck().all(Math.max(diary.judgedUntil, diary.restoredAt)),
  ) as number[];
  return ids.map((id) => `charge ${id} was paid by what was bought, while the day had activations left`);
}
