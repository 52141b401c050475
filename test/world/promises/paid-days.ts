// A subscription is the days that were paid for and not given back, no day more: what an account has beside them never
// changes.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Of accounts whose subscription is far from its end: near it, days that are over are not taken back. */
const LASTING = `
  select a.id, a.subscription_expires_at - ${DAY_MS} * (
    select coalesce(sum(p.subscription_days), 0) from purchases p where p.account_id = a.id and p.refunded_at is null) as base
  from accounts a where a.subscription_expires_at > ?`;
const FAR_MS = 400 * DAY_MS;

const bases = new WeakMap<World['diary'], Map<number, number>>();

export function aSubscriptionIsWhatWasPaidFor({ disk, diary, time }: World): string[] {
  const known = bases.get(diary) ?? new Map<number, number>();
  bases.set(diary, known);
  const rows = look(
    disk.databasePath(),
    (file) => file.prepare(LASTING).all(time.clock.now() + FAR_MS) as { id: number; base: number }[],
  );
  return rows.flatMap(({ id, base }) => {
    const before = known.get(id) ?? base;
    known.set(id, base);
    return base === before
      ? []
      : [`account ${id} has ${(base - before) / DAY_MS} days that nobody paid for, or lacks them`];
  });
}
