// The calendar of the machine is wrong for a while: minutes or a day ahead or behind. The platform hides nothing meanwhile: whether a code
// was redeemed before its order began is told by the two calendars, which may differ by five minutes.
import { GOOD_MANNERS } from '../platform.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

const MINUTE_MS = 60_000;

export const wrongCalendar: Fault = {
  name: 'wrong calendar',
  weight: 1,
  async happen(world, random) {
    const { time, diary, platform } = world;
    const minutes = random.pick([-26 * 60, -90, -3, 3, 90, 26 * 60]);
    diary.note(`the calendar is wrong by ${minutes} minutes`);
    diary.isCalendarWrongToday = true;
    time.setWrong(minutes * MINUTE_MS);
    const { manners } = platform;
    platform.manners = GOOD_MANNERS;
    // Programs ask again what they asked before.
    const acting = actSome(world, random, {
      count: ACTING,
      by: ({ kind }) => ['client', 'stocker'].includes(kind),
    });
    await time.sleep(12_000);
    time.setWrong(0);
    platform.manners = manners;
    await acting;
  },
};

/** The calendar goes wrong while orders are in doubt that the platform is about to carry out. */
export const wrongCalendarInDoubt: Fault = {
  name: 'wrong calendar in doubt',
  weight: 1,
  async happen(world, random) {
    const { time, diary, platform } = world;
    diary.isCalendarWrongToday = true;
    platform.manners = { ...GOOD_MANNERS, redeemsLate: 0.8 };
    const acting = actSome(world, random, {
      count: ACTING,
      by: ({ kind }) => ['client', 'operator'].includes(kind),
    });
    await time.sleep(GIVEN_UP_MS);
    platform.manners = GOOD_MANNERS;
    const minutes = random.pick([-90, 3, 90]) ?? 3;
    diary.note(`the calendar is wrong by ${minutes} minutes`);
    time.setWrong(minutes * MINUTE_MS);
    await time.sleep(14_000);
    time.setWrong(0);
    await acting;
  },
};

const ACTING = 4;
/** After the platform's time is over, and before it has settled. */
const GIVEN_UP_MS = 47_000;
