// Whoever asked to be told of a low stock, or whose first import did, or of activations that run out is told once: a
// threshold is armed again where there is enough, and told where there is not; what is used of a day is told at most
// twice, at 80 and at 100 %.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';
import { DAILY_QUARTERS, DAY_MS } from './quota.ts';

interface Row {
  accountId: number;
  denomination: number;
  threshold: number;
  told: number;
  count: number;
}

const ALERTS = `
  select a.account_id as accountId, a.denomination, a.threshold, a.notified as told, (
    select count(*) from codes c where c.account_id = a.account_id and c.game_id = a.game_id and c.denomination = a.denomination
      and c.state in ('available', 'unverified')) - coalesce((select p.count from stock_promises p
      where p.account_id = a.account_id and p.game_id = a.game_id and p.denomination = a.denomination), 0) as count
  from stock_alerts a where a.threshold > 0`;
/** Since then. */
const listUsed = ({ notices }: World['diary'], since: number) =>
  [...notices.values()].filter(({ kind, at }) => kind === 'quotaUsed' && at > since);

export function lowStockIsToldAndArmedAgain({ disk }: World): string[] {
  return look(disk.databasePath(), (file) => {
    return (file.prepare(ALERTS).all() as Row[]).flatMap(
      ({ accountId, denomination, threshold, told, count }) => {
        const due = count === 0 ? 2 : count < threshold ? 1 : 0;
        if (told === due) return [];
        return [
          `account ${accountId} has ${count} of ${denomination}, wants to know below ${threshold}, and was told ${told}, not ${due}`,
        ];
      },
    );
  });
}

export function whatIsUsedOfADayIsToldOnce({ diary, time }: World): string[] {
  const since = time.clock.now() - DAY_MS;
  return [...Map.groupBy(listUsed(diary, since), ({ accountId }) => accountId)]
    .filter(([, told]) => told.length > 2)
    .map(([accountId, told]) => `account ${accountId} is told ${told.length} times what is used`);
}

const MOST_QUARTERS = DAILY_QUARTERS * 0.8;
/**
 * By the books as they are, and with what was given back since. Of look-ups of codes a busy day is made
 * (faults/busy.ts), and nobody told.
 */
const USED = `
  select c.account_id as accountId, c.id, c.at,
    (select sum(o.daily) from usages o
      where o.account_id = c.account_id and o.returned_at is null and o.at > c.at - ${DAY_MS} and o.id <= c.id) as used,
    (select sum(o.daily) from usages o
      where o.account_id = c.account_id and o.at > c.at - ${DAY_MS} and o.id <= c.id) as usedAtMost
  from usages c
  where c.at > ? and c.daily > 0 and c.kind <> 'redemptionTime'`;
/** By another scale than the calendar's. */
const APART_MS = 60_000;

export function whoeverUsedMostOfADayIsTold({ disk, diary }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const rows = file
      .prepare(`select * from (${USED}) where used >= ${MOST_QUARTERS} and usedAtMost < ${DAILY_QUARTERS}`)
      .all(diary.judgedUntil) as {
      accountId: number;
      id: number;
      at: number;
      used: number;
    }[];
    const silent = rows.find(
      ({ accountId, at }) =>
        !listUsed(diary, at - DAY_MS - APART_MS).some(
          (told) => told.accountId === accountId && told.percent === 80 && told.at <= at + APART_MS,
        ),
    );
    return silent
      ? [
          `account ${silent.accountId} had used ${silent.used} quarters with usage ${silent.id}, and nobody was told`,
        ]
      : [];
  });
}
