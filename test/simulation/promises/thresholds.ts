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
/** After a restore a threshold is looked at again when its stock changes. */
const CHANGED = `
  select max(changed_at) from codes where account_id = ? and denomination = ?`;
const DAY_MS = 24 * 60 * 60_000;
const TOLD_OFTEN = `
  select account_id as accountId, count(*) as count from notices where kind = 'quotaUsed' and at > ? group by 1 having count(*) > 2`;

export function lowStockIsToldAndArmedAgain({ disk, diary }: World): string[] {
  return look(disk.databasePath(), (file) => {
    const changed = file.prepare(CHANGED).pluck();
    return (file.prepare(ALERTS).all() as Row[]).flatMap(
      ({ accountId, denomination, threshold, told, count }) => {
        if ((told === 1) === count < threshold) return [];
        if ((changed.get(accountId, denomination) as number) <= diary.restoredAt) return [];
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
