// In any 24 hours at most 300 activations of the day are charged, however they were asked for; and nobody is refused
// while there is room, or told to wait longer than until there is.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

export const DAILY_QUARTERS = 1_200;
/** The most that one action costs. */
export const ACTION_QUARTERS = 4;
export const DAY_MS = 24 * 60 * 60_000;
const TOO_MANY = `
  select c.account_id as accountId, c.id, (
    select sum(o.daily) from usages o
    where o.account_id = c.account_id and o.returned_at is null and o.at > c.at - ${DAY_MS} and o.at <= c.at
  ) as used
  from usages c
  where c.at > ? and c.daily > 0 and c.returned_at is null`;
const COUNTED =
  'select at, daily from usages where account_id = ? and returned_at is null and daily > 0 and at > ? order by at';
const JUST_RETURNED = 'select count(*) from usages where account_id = ? and returned_at > ?';
const PURCHASED = 'select coalesce((select purchased from quotas where account_id = ?), 0)';
/** An answer is on its way for a moment. */
const ON_ITS_WAY_MS = 5_000;
const ON_ITS_WAY_S = 6;

export function noDayHasMoreThanItsActivations({ disk, diary }: World): string[] {
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(`select * from (${TOO_MANY}) where used > ${DAILY_QUARTERS} limit 1`).all(diary.judgedUntil),
  ) as { accountId: number; id: number; used: number }[];
  return rows.map(
    ({ accountId, id, used }) =>
      `account ${accountId} has used ${used} quarters in the 24 hours before usage ${id}`,
  );
}

/** Holds a refusal for want of quota against the ledger, at the moment when it is heard. */
export function judgeRefusal(
  { disk, diary, time, service }: World,
  refused: { by: string; accountId: number; cost: number; retryAfterS: number },
): void {
  const { by, accountId, cost, retryAfterS } = refused;
  // A wrong calendar, and what came back in this moment, make it another moment.
  if (time.machine.now() !== time.clock.now()) return;
  const now = service.monotonicNow();
  look(disk.databasePath(), (file) => {
    if (
      (file
        .prepare(JUST_RETURNED)
        .pluck()
        .get(accountId, time.machine.now() - ON_ITS_WAY_MS) as number) > 0
    )
      return;
    const counted = file.prepare(COUNTED).all(accountId, now - DAY_MS) as { at: number; daily: number }[];
    const purchased = file.prepare(PURCHASED).pluck().get(accountId) as number;
    const used = counted.reduce((sum, { daily }) => sum + daily, 0);
    let missing = cost - purchased - (DAILY_QUARTERS - used);
    if (missing <= 0)
      return void diary.notice(
        `${by} was refused with ${DAILY_QUARTERS - used} + ${purchased} quarters left`,
      );
    const last = counted.find(({ daily }) => (missing -= daily) <= 0);
    const waitS = ((last?.at ?? now) + DAY_MS - now) / 1000;
    if (Math.abs(retryAfterS - waitS) > ON_ITS_WAY_S)
      diary.notice(`${by} was told to wait ${retryAfterS} s for ${waitS} s`);
  });
}
