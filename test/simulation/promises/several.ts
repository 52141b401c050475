// Several codes of one order are redeemed one after another: nothing begins before the one before it has ended, nothing
// after the first doubt, and nothing for a player after their first failure.
import { look } from '../rest.ts';
import type { World } from '../world.ts';

interface Row {
  orderId: string;
  id: number;
  playerId: string;
  state: string;
  createdAt: number;
  settledAt: number | null;
  doubtedAt: number | null;
}

const GONE_ON_WITH = `
  select distinct i.order_id as orderId, i.redemption_id as id from bulk_order_items i join bulk_order_items o on o.order_id = i.order_id
  where o.redemption_id <= @newest and i.redemption_id > @newest`;

/** Who ordered may have gone on with the rest since the backup. */
export function whatABackupCaughtUnderWayIsNotGoneOnWith({ disk, diary }: World): string[] {
  if (diary.restoredAt <= diary.judgedUntil) return [];
  const newest = diary.restoredRedemption;
  const rows = look(
    disk.databasePath(),
    (file) => file.prepare(GONE_ON_WITH).all({ newest }) as Pick<Row, 'orderId' | 'id'>[],
  );
  return rows.map(({ orderId, id }) => `redemption ${id} of the order ${orderId} began after a restore`);
}

const BEGUN = `
  select i.order_id as orderId, r.id, r.player_id as playerId, r.state, r.created_at as createdAt, r.settled_at as settledAt,
    r.doubted_at as doubtedAt
  from bulk_orders o join bulk_order_items i on i.order_id = o.id join redemptions r on r.id = i.redemption_id
  where o.at > ? order by i.order_id, i.n`;

export function severalAreRedeemedOneAfterAnother({ disk, diary }: World): string[] {
  if (diary.isCalendarWrongToday) return [];
  const since = Math.max(diary.judgedUntil, diary.restoredAt);
  const rows = look(disk.databasePath(), (file) => file.prepare(BEGUN).all(since) as Row[]);
  return rows.flatMap((row, index) => {
    const before = rows[index - 1];
    if (before?.orderId !== row.orderId) return [];
    const what = `redemption ${row.id} of an order of several began`;
    if ((before.settledAt ?? Infinity) > row.createdAt) return [`${what} while ${before.id} was under way`];
    if (before.state !== 'redeemed' && before.playerId === row.playerId)
      return [`${what} after ${before.id} was not redeemed for the same player`];
    // What a process left behind is in doubt for a moment, which the next may never see.
    const isStruck = diary.struck.some(({ at }) => at >= before.createdAt && at <= row.createdAt);
    return before.doubtedAt === null || isStruck ? [] : [`${what} after ${before.id} had been in doubt`];
  });
}
