// The end of a subscription is told three days before it comes, and when it has come, whatever was told of it before.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const HOUR_MS = 60 * 60_000;
/** Within. */
const ENDED = `
  select id, subscription_expires_at as endsAt from accounts where subscription_expires_at > ? and subscription_expires_at <= ?`;
/** What was told of the end of a subscription since then. */
const listTold = ({ notices }: World['diary'], id: number, since: number) =>
  [...notices.values()].filter(
    ({ accountId, kind, at }) => accountId === id && kind === 'subscriptionEnds' && at >= since,
  );

export function theEndOfASubscriptionIsTold({ disk, diary, time }: World): string[] {
  // One that came while nobody served is told at the next start: it is judged by the end of the next day.
  const [from, until] = [diary.judgedUntil - HOUR_MS, time.clock.now() - HOUR_MS];
  return look(disk.databasePath(), (file) => {
    const ended = file.prepare(ENDED).all(from, until) as { id: number; endsAt: number }[];
    return ended.flatMap(({ id, endsAt }) =>
      listTold(diary, id, endsAt).some(({ daysLeft }) => daysLeft === 0)
        ? []
        : [
            `the subscription of account ${id} ended at ${new Date(endsAt).toISOString()}, and nobody was told`,
          ],
    );
  });
}

const AHEAD_MS = 72 * HOUR_MS;
export function theEndOfASubscriptionIsToldThreeDaysBefore({ disk, diary, time }: World): string[] {
  const now = time.clock.now();
  return look(disk.databasePath(), (file) => {
    const ending = file.prepare(ENDED).all(now, now + AHEAD_MS - HOUR_MS) as { id: number; endsAt: number }[];
    return ending
      .filter(({ id, endsAt }) => {
        const rows = listTold(diary, id, endsAt - AHEAD_MS - HOUR_MS);
        return !rows.some((row) => row.endsAt === endsAt);
      })
      .map(
        ({ id, endsAt }) =>
          `the subscription of account ${id} ends at ${new Date(endsAt).toISOString()}, and nobody was told`,
      );
  });
}
