// Whatever a program asked to be told of is owed to each of its addresses, from the moment that it comes about.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

/** Of addresses that stood, and were on, when it came about. */
const NOT_OWED = `
  select m.id, m.type, w.id as webhookId from webhook_messages m join webhooks w on w.account_id = m.account_id
  where m.at > ? and m.at <= ? and w.created_at < m.at and w.removed_at is null and w.disabled_at is null
    and ',' || w.events || ',' like '%,' || m.type || ',%'
    and not exists (select 1 from webhook_deliveries d where d.message_id = m.id and d.webhook_id = w.id)`;
const MINUTE_MS = 60_000;

export function everyAddressIsOwedWhatItAskedFor({ disk, diary, receivers, time }: World): string[] {
  const since = diary.judgedUntil - MINUTE_MS;
  // What came about while an address was off is not told there.
  const isOnSince = (id: number) =>
    ([...receivers.extra.values()].find((each) => each.id === id)?.hopedSince ?? 0) < since;
  const rows = look(disk.databasePath(), (file) =>
    file.prepare(NOT_OWED).all(diary.judgedUntil, time.clock.now()),
  ) as { id: number; type: string; webhookId: number }[];
  return rows
    .filter(({ webhookId }) => isOnSince(webhookId))
    .map(({ id, type, webhookId }) => `address ${webhookId} asked for ${type}, and is not told ${id} of it`);
}
