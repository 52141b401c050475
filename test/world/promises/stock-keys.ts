// What is redeemed from a stock is of the account, game and denomination that were ordered, and no order is taken after
// a subscription.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const OF_ANOTHER_STOCK_KEY = `
  select r.id from redemptions r join codes c on c.id = r.code_id
  where r.mode = 'database' and r.id > ?
    and (r.account_id <> c.account_id or r.game_id <> c.game_id or r.denomination <> c.denomination)`;

export function ofAStockIsTakenWhatWasOrdered({ disk, diary }: World): string[] {
  const ids = look(
    disk.databasePath(),
    (file) => file.prepare(OF_ANOTHER_STOCK_KEY).pluck().all(diary.judgedRedemption) as number[],
  );
  return ids.map((id) => `redemption ${id} took a code of another account, game or denomination`);
}

const WITHOUT_SUBSCRIPTION = `
  select r.id from redemptions r join accounts a on a.id = r.account_id
  where r.id > ? and r.created_at > coalesce(a.subscription_expires_at, 0)`;

/** A refund takes days back from its own moment on, never from before. */
export function nothingIsRedeemedWithoutASubscription({ disk, diary }: World): string[] {
  const ids = look(
    disk.databasePath(),
    (file) => file.prepare(WITHOUT_SUBSCRIPTION).pluck().all(diary.judgedRedemption) as number[],
  );
  return ids.map((id) => `redemption ${id} began in an account whose subscription was over`);
}

/** By another scale than the calendar's. */
const APART_MS = 60_000;
const LOOKED_UP_WITHOUT = `
  select c.id from usages c join accounts a on a.id = c.account_id
  where c.kind = 'character' and c.at > ? and c.at > coalesce(a.subscription_expires_at, 0) + ${APART_MS}`;

export function noPlayerIsLookedUpWithoutASubscription({ disk, diary }: World): string[] {
  const ids = look(
    disk.databasePath(),
    (file) => file.prepare(LOOKED_UP_WITHOUT).pluck().all(diary.judgedUntil) as number[],
  );
  return ids.map((id) => `usage ${id} is of a look-up in an account whose subscription was over`);
}
