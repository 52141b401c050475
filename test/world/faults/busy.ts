// A busy day: a shop has used its activations up but for a few, by work that nobody of these people did. Written as the
// usages that it would have left, spread over the hours before, so that they come free one after the other.
import Database from 'better-sqlite3';

import type { Seeded } from '../../harness/seeded.ts';
import { refundByTelegram } from '../people/host.ts';
import { selvesOf, type Person } from '../people/index.ts';
import { BUY, payAtOnce } from '../people/payer.ts';
import { DAILY_QUARTERS, DAY_MS, ACTION_QUARTERS } from '../promises/quota.ts';
import type { World } from '../run/world.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

/** In quarters of an activation: nothing, a look-up, not quite one, a few; somewhat more than a fifth of the day. */
const LEFT = [0, 1, 3, 4, 6, 13, DAILY_QUARTERS * 0.2 + 2] as const;
/** Of look-ups and orders, one or many at once: what comes free first may not be enough. */
const SIZES = [1, 4, 8, 8] as const;
const ACTING = 3;
const ORDERING = new Set(['operator', 'client', 'several', 'checker']);
const HEARD_MS = 2_000;
const MINUTE_MS = 60_000;
const WITHIN_MS = 23 * 60 * 60_000;
const LAST = 'select coalesce(max(at), 0) from usages where account_id = ?';
const BOUGHT = 'select coalesce((select purchased from quotas where account_id = ?), 0)';
const USED =
  'select coalesce(sum(daily), 0) from usages where account_id = ? and returned_at is null and at > ?';

export const busyDay: Fault = {
  name: 'busy day',
  weight: 5,
  async happen(world, random) {
    const shops = [...new Set([...world.members.values()].map(({ accountId }) => accountId))];
    const accountId = random.chance(0.7) ? random.pick(world.shops)?.accountId : random.pick(shops);
    if (accountId === undefined || !world.service.app()) return;
    if (random.chance(0.3)) await buyAndSpend(world, accountId, random);
    else useUp(world, accountId, random);
    // Whoever works there goes on, and meets the end of it.
    const by = ({ kind, self }: Person) => ORDERING.has(kind) && self?.shop.accountId === accountId;
    // What did not reach the platform costs nothing, whatever it was paid with.
    const { platform } = world;
    const { manners } = platform;
    if (random.chance(0.4)) platform.manners = { ...manners, isAway: 0.5 };
    await actSome(world, random, { count: ACTING, by });
    platform.manners = manners;
  },
};

/** Somebody pays, most of it is spent, and the money goes back: what is spent is not taken back. */
async function buyAndSpend(world: World, accountId: number, random: Seeded): Promise<void> {
  const payer = selvesOf(world, 'payer').find(({ shop }) => shop.accountId === accountId);
  const charged = world.diary.paid.length;
  if (payer) await payAtOnce(world, payer, BUY);
  await world.time.sleep(HEARD_MS);
  useUp(world, accountId, random, 'spent');
  const [paid] = world.diary.paid.slice(charged);
  if (paid) refundByTelegram(world, (each) => each === paid);
}

/** `bought`: what becomes of activations that were bought; some of them are spent as a rule. */
function useUp(
  { disk, service, diary }: World,
  accountId: number,
  random: Seeded,
  bought: 'perhaps' | 'spent' = 'perhaps',
): void {
  const now = service.monotonicNow();
  const file = new Database(disk.databasePath());
  try {
    // The first of them was a moment ago: what has left the window since was in it then.
    const used = file
      .prepare(USED)
      .pluck()
      .get(accountId, now - DAY_MS - MINUTE_MS) as number;
    // After what was charged last: what was judged by then stays as it was.
    const last = file.prepare(LAST).pluck().get(accountId) as number;
    // Beside other usages, also those that were in the window hours ago, it was a busy minute.
    const spread = Math.min(last < now - 2 * DAY_MS ? WITHIN_MS : MINUTE_MS, now - last - 1);
    if (spread < 1) return;
    const left = random.chance(0.3) ? 0 : (random.pick(LEFT) ?? 0);
    const count = DAILY_QUARTERS - used - left;
    diary.note(`account ${accountId} has a busy day: ${used} quarters used, ${left} left`);
    const usage = file.prepare(
      "insert into usages (account_id, at, daily, purchased, kind) values (?, ?, ?, ?, 'redemptionTime')",
    );
    const add = file.prepare(
      'insert into quotas (account_id, used, window_start) values (@accountId, @daily, 0) on conflict do update set used = used + @daily where window_start < @at',
    );
    file.transaction(() => {
      for (let quarters = count; quarters > 0;) {
        const at = now - random.below(spread);
        const daily = Math.min(random.pick(SIZES) ?? 8, quarters);
        quarters -= daily;
        usage.run(accountId, at, daily, 0);
        add.run({ accountId, at, daily });
      }
      if (bought === 'perhaps' && (left > 4 || random.chance(0.4))) return;
      // And of what was bought as much, in the same moment.
      const before = file.prepare(BOUGHT).pluck().get(accountId) as number;
      // A look-up costs one of them, an order four.
      const kept = random.chance(0.75) ? random.below(4) : random.below(40);
      const spent = before - Math.min(before, kept);
      // What the day holds is never paid by what was bought; as little as one action costs would be one.
      if (spent <= Math.max(left, ACTION_QUARTERS)) return;
      usage.run(accountId, now, 0, spent);
      file.prepare('update quotas set purchased = purchased - ? where account_id = ?').run(spent, accountId);
      diary.note(`account ${accountId} has used up ${spent} quarters that it had bought`);
    })();
  } finally {
    file.close();
  }
}
