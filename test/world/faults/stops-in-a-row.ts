// Somebody deploys three times in a row, while what people said is under way: none of it is given up for that.
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

const STOPS = 4;
const ACTING = 4;
/** An answer takes longer than a stop waits. */
const SLOW_MS = 5_000;

export const stopsInARow: Fault = {
  name: 'stops in a row',
  weight: 1,
  of: 'end',
  async happen(world, random) {
    const { service, time, telegram, platform } = world;
    const { manners } = platform;
    // What is looked up takes longer than each of them runs.
    platform.manners = { ...manners, dawdles: 0.9 };
    telegram.slownessMs = SLOW_MS;
    const acting = actSome(world, random, { count: ACTING });
    for (let stop = 0; stop < STOPS; stop += 1) {
      await time.sleep(900 + random.below(900));
      await service.stop();
      await service.start();
    }
    telegram.slownessMs = 0;
    platform.manners = manners;
    await acting;
  },
};
