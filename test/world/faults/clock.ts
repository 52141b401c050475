// The calendar of the machine is wrong for a while: minutes or a day ahead or behind. So may the
// platform's be, in either direction.
import type { Person } from '../people/index.ts';
import { keepOnTrial, untilOf } from '../people/trial.ts';
import { noSubscriptionIsCalledOver } from '../promises/notices.ts';
import { GOOD_MANNERS } from '../machine/platform.ts';
import type { World } from '../run/world.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

const MINUTE_MS = 60_000;
const A_DAY = 24 * 60;
const A_MINUTE_AND_MORE_MS = 65_000;

export const wrongCalendar: Fault = {
  name: 'wrong calendar',
  weight: 1,
  of: 'calendar',
  isAlone: true,
  async happen(world, random) {
    const { time, diary, platform } = world;
    const minutes = random.pick([-26 * 60, -90, -3, 3, 90, 26 * 60]);
    diary.note(`the calendar is wrong by ${minutes} minutes`);
    const shop = world.people.find(({ kind }) => kind === 'trial')?.self?.shop;
    // Whose subscription was over until now may be told so late.
    const wasOver = shop !== undefined && untilOf(world, shop) <= time.clock.now();
    if (shop && world.service.isServing()) await keepOnTrial(world, shop);
    time.setWrong(minutes * MINUTE_MS);
    const { manners } = platform;
    platform.manners = GOOD_MANNERS;
    // Programs ask again what they asked before.
    const acting = actSome(world, random, {
      count: ACTING,
      by: ({ kind }) => ['client', 'stocker'].includes(kind),
    });
    if (minutes > 0 && !wasOver) await askOnTrial(world);
    if (minutes > A_DAY) {
      // What is told of subscriptions is looked at once a minute.
      await time.sleep(A_MINUTE_AND_MORE_MS);
      diary.amissBeside.push(...noSubscriptionIsCalledOver(world));
    }
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
  of: 'calendar',
  isAlone: true,
  async happen(world, random) {
    const { time, diary, platform } = world;
    platform.manners = { ...GOOD_MANNERS, redeemsLate: 0.8 };
    const acting = actSome(world, random, ORDERING);
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

/** So many minutes the platform's calendar is behind ours, or ahead of it. */
const PLATFORM_MINUTES = [0.5, 4, 6, 90, 23 * 60, -6, -90, -23 * 60] as const;

/**
 * The platform's calendar is not ours: it says of orders that are in doubt that their codes were redeemed before, or
 * will be. And now and then it is set right before it says so.
 */
export const platformElsewhen: Fault = {
  name: 'platform elsewhen',
  weight: 2,
  of: 'calendar',
  isAlone: true,
  async happen(world, random) {
    const { time, diary, platform } = world;
    const { manners } = platform;
    platform.behindMs = (random.pick(PLATFORM_MINUTES) ?? 6) * MINUTE_MS;
    platform.manners = { ...GOOD_MANNERS, hidesSuccess: 0.5, redeemsLate: 0.3 };
    diary.note(`the calendar of the platform is behind by ${platform.behindMs / 1000} s`);
    const acting = actSome(world, random, ORDERING);
    await time.sleep(GIVEN_UP_MS);
    platform.manners = manners;
    if (random.chance(0.8)) await time.sleep(GIVEN_UP_MS);
    platform.behindMs = 0;
    await acting;
  },
};

const ACTING = 4;
const ORDERING = { count: ACTING, by: ({ kind }: Person) => ['client', 'operator'].includes(kind) };
/** After the platform's time is over, and before it has settled. */
const GIVEN_UP_MS = 47_000;

const NO_SUBSCRIPTION = /subscription (?:has )?ended|no active subscription|There is no subscription/i;

/** Whose subscription goes on is served, whatever day the machine takes it to be. */
async function askOnTrial(world: World): Promise<void> {
  const { people, service, diary } = world;
  const trial = people.find(({ kind }) => kind === 'trial');
  const shop = trial?.self?.shop;
  if (!trial?.phone || !shop || !service.isServing()) return;
  // That it had ended before, may be told in this moment.
  const card = await trial.phone.ask('5171000001 60', ({ text }) => !text.startsWith('📅'), 8_000);
  const goesOn = untilOf(world, shop) > world.time.clock.now();
  if (goesOn && card && NO_SUBSCRIPTION.test(card.text))
    diary.amissBeside.push(`a calendar that is ahead locks out whose subscription goes on: ${card.text}`);
}
