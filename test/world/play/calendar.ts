// A calendar that stands still at noon unless a line moves it, so that every date is one.
import { systemClock, type Clock } from '../../../src/clock.ts';

const NOON = Date.UTC(2026, 0, 13, 12);
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];

export function createCalendar() {
  let ahead = 0;
  const clock: Clock = { now: () => NOON + ahead, elapsed: () => systemClock.elapsed() + ahead };
  return {
    clock,
    /** `* days 2`, `* minutes 20`: so much later. */
    doings: {
      days: (_: unknown, count: string) => void (ahead += Number(count) * DAY_MS),
      minutes: (_: unknown, count: string) => void (ahead += Number(count) * MINUTE_MS),
    },
  };
}
