// Somebody blocks the bot as soon as they have pressed an order, and comes back in seconds or days: its result is owed
// to them.
import { takeOut } from '../people/admin.ts';
import { selvesOf } from '../people/index.ts';
import { orderSome } from './acting.ts';
import type { Fault } from './index.ts';

const ACTING = 3;
const MOST_GONE_MS = 12_000;
const DAY_MS = 24 * 60 * 60_000;

export const closedToTheBot: Fault = {
  name: 'closed to the bot',
  weight: 3,
  async happen(world, random) {
    const { telegram, time, diary } = world;
    const gone = new Set<number>();
    diary.onOrder = () => {
      const user = diary.taps.at(-1)?.user;
      if (!user || gone.has(user.id)) return;
      gone.add(user.id);
      diary.goAway(user);
      const closed = { id: user.id, from: time.clock.now(), openedAt: Infinity };
      diary.closed.push(closed);
      telegram.api.block(user);
      diary.note(`${user.id} orders, and blocks the bot`);
      const isForDays = random.chance(0.3);
      const backInMs = isForDays ? (1 + random.below(3)) * DAY_MS : 6_000 + random.below(MOST_GONE_MS);
      void time.outside(async () => {
        await time.sleep(backInMs);
        telegram.api.block(user, false);
        closed.openedAt = time.clock.now();
        diary.note(`${user.id} comes back`);
      });
    };
    const taking = random.pick(selvesOf(world, 'admin'));
    await Promise.all([orderSome(world, random, ACTING), taking && takeOut(taking)]);
    await time.sleep(MOST_GONE_MS);
    diary.onOrder = () => undefined;
  },
};
