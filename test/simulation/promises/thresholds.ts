// Whoever asked to be told of a low stock or of activations that run out is told once: a threshold is armed again where there is enough,
// and told where there is not; what is used of a day is told at most twice, at 80 and at 100 %.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

interface Row {
  accountId: number;
  denomination: number;
  threshold: number;
  told: number;
  count: number;
}

const ALERTS = `
  select a.account_id as accountId, a.denomination, a.threshold, a.told, (
    select count(*) from codes c where c.account_id = a.account_id and c.game_id = a.game_id and c.denomination = a.denomination
      and c.state in ('available', 'unverified')) as count
  from stock_alerts a where a.threshold > 0`;
const DAY_MS = 24 * 60 * 60_000;
const TOLD_OFTEN = `
  select account_id as accountId, count(*) as count from notices where kind = 'quotaUsed' and at > ? group by 1 having count(*) > 2`;

export function lowStockIsToldAndArmedAgain({ disk }: World): string[] {
  return look(disk.databasePath(), (file) => {
    return (file.prepare(ALERTS).all() as Row[]).flatMap(
      ({ accountId, denomination, threshold, told, count }) => {
        if ((told === 1) === count < threshold) return [];
        return [
          `account ${accountId} has ${count} of ${denomination}, wants to know below ${threshold}, and was ${told === 1 ? '' : 'not '}told`,
        ];
      },
    );
  });
}

export function whatIsUsedOfADayIsToldOnce({ disk, diary, time }: World): string[] {
  if (diary.isCalendarWrongToday) return [];
  const since = Math.max(time.clock.now() - DAY_MS, diary.restoredAt);
  const rows = look(
    disk.databasePath(),
    (file) => file.prepare(TOLD_OFTEN).all(since) as { accountId: number; count: number }[],
  );
  return rows.map(({ accountId, count }) => `account ${accountId} is told ${count} times what is used`);
}
