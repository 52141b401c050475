// The calendar of the machine is wrong for a while: minutes or a day ahead or behind.
import type { Fault } from './index.ts';

const MINUTE_MS = 60_000;

export const wrongCalendar: Fault = {
  name: 'wrong calendar',
  weight: 1,
  async happen({ time, diary }, random) {
    const minutes = random.pick([-26 * 60, -90, -3, 3, 90, 26 * 60]);
    diary.note(`the calendar is wrong by ${minutes} minutes`);
    diary.isCalendarWrongToday = true;
    time.setWrong(minutes * MINUTE_MS);
    await time.sleep(12_000);
    time.setWrong(0);
  },
};
