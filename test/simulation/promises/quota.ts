// In any 24 hours at most 300 activations of the day are charged, however they were asked for.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

const DAILY_QUARTERS = 1_200;
const DAY_MS = 24 * 60 * 60_000;
const TOO_MANY = `
  select c.account_id as accountId, c.id, (
    select sum(o.daily) from charges o
    where o.account_id = c.account_id and o.returned_at is null and o.at > c.at - ${DAY_MS} and o.at <= c.at
  ) as used
  from charges c
  where c.at > ? and c.daily > 0 and c.returned_at is null`;

export function noDayHasMoreThanItsActivations({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(`select * from (${TOO_MANY}) where used > ${DAILY_QUARTERS} limit 1`).all(diary.judgedUntil),
  ) as { accountId: number; id: number; used: number }[];
  return rows.map(
    ({ accountId, id, used }) =>
      `account ${accountId} has used ${used} quarters in the 24 hours before charge ${id}`,
  );
}
