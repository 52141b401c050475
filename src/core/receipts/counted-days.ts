// Counts of a day of the calendar, in the time zone of the account: from the counts that are kept where it is a day of
// UTC, else redemption by redemption, a slice at a time, so that however many there are nobody else waits.
import { setImmediate as nextTurn } from 'node:timers/promises';

import { DAY_MS } from '../../clock.ts';
import type { DayCount, Store } from '../../store/index.ts';
import { CoreError } from '../errors.ts';
import { addDays, dayAt, startOfDay, type Day } from '../zones.ts';

const AT_ONCE = 500;

/** Calls `add` with counts that together are the day. */
export async function countDay(
  store: Store,
  { accountId, timeZone }: { accountId: number; timeZone: string },
  day: Day,
  add: (counts: DayCount) => void,
): Promise<void> {
  const [from, until] = [startOfDay(timeZone, day), startOfDay(timeZone, addDays(day, 1))];
  await nextTurn();
  if (from % DAY_MS === 0 && until - from === DAY_MS) {
    store.read((tables) => tables.dayCounts.list(accountId, from / DAY_MS)).forEach(add);
    return;
  }
  let cursor = { createdAt: from, id: 0 };
  for (;;) {
    const rows = store.read((tables) => tables.dayCounts.listEach(accountId, cursor, until, AT_ONCE));
    rows.forEach(add);
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    cursor = last;
    await nextTurn();
  }
}

/** The first of so many days that end with the one it is at a moment. Throws CoreError INVALID_INPUT. */
export function firstOfDays(timeZone: string, now: number, days: number, most: number): Day {
  if (!Number.isInteger(days) || days < 1 || days > most) {
    throw new CoreError('INVALID_INPUT', `The number of days must be a whole number from 1 to ${most}.`);
  }
  return addDays(dayAt(timeZone, now), 1 - days);
}
