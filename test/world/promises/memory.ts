// After a quiet evening nothing has piled up: no timers, and no rows of what is over.
import { look } from '../run/rest.ts';
import type { World } from '../run/world.ts';

const TIMERS = 400;
const DAY_MS = 24 * 60 * 60_000;
/** What is over is kept for two days (bot/outbox/cleanup.ts). */
const KEPT_MS = 4 * DAY_MS;
const OLD = {
  inbox: "select count(*) from inbox where state <> 'set_aside' and received_at < ?",
  // What a chat that is closed is owed stays for four weeks.
  tasks: 'select count(*) from tasks where coalesce(done_at, dead_at) is not null and queued_at < ?',
  confirmations: 'select count(*) from confirmations where expires_at < ?',
  conversations: 'select count(*) from conversations where touched_at < ?',
};

export function memoryIsBackToRest({ disk, time }: World): string[] {
  const timers = time.countTimers();
  const old = look(disk.databasePath(), (file) =>
    Object.entries(OLD).flatMap(([table, sql]) => {
      const count = file
        .prepare(sql)
        .pluck()
        .get(time.clock.now() - KEPT_MS) as number;
      return count > 0 ? [`${count} old rows in ${table}`] : [];
    }),
  );
  return timers > TIMERS ? [...old, `${timers} timers run at rest`] : old;
}
