// The calendar of the machine is wrong for a while: minutes or a day ahead or behind. The platform hides nothing meanwhile: whether a code
// was redeemed before its order began is told by the two calendars, which may differ by five minutes.
import { GOOD_MANNERS } from '../platform.ts';
import type { Fault } from './index.ts';

const MINUTE_MS = 60_000;

export const wrongCalendar: Fault = {
  name: 'wrong calendar',
  weight: 1,
  async happen({ time, diary, platform }, random) {
    const minutes = random.pick([-26 * 60, -90, -3, 3, 90, 26 * 60]);
    diary.note(`the calendar is wrong by ${minutes} minutes`);
    diary.isCalendarWrongToday = true;
    time.setWrong(minutes * MINUTE_MS);
    const { manners } = platform;
    platform.manners = GOOD_MANNERS;
    await time.sleep(12_000);
    time.setWrong(0);
    platform.manners = manners;
  },
};
