// What stands before the platform answers in its place where a receipt is asked for: for an hour, or for longer than
// orders wait for their logins. What was redeemed meanwhile gets its receipt whole in the end, and it is told.
import { GOOD_MANNERS } from '../machine/platform.ts';
import type { World } from '../run/world.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';

const ORDERING = new Set(['operator', 'client', 'several']);
const ACTING = 5;
const HIDDEN_MS = 60_000;
const LOOK_MS = 3_000;
const BETWEEN_MS = 2.5 * 60 * 60_000;

export const hiddenReceipts: Fault = {
  name: 'hidden receipts',
  weight: 1,
  of: 'night',
  isAlone: true,
  async happen(world, random) {
    const { platform, time, diary, service } = world;
    if (!service.isServing()) return;
    // By its wire alone it is reached through anything.
    if (service.starts() % 2 === 1) await startAgain(world);
    const { manners } = platform;
    platform.manners = { ...GOOD_MANNERS, hidesSuccess: 0.9 };
    const acting = actSome(world, random, { count: ACTING, by: ({ kind }) => ORDERING.has(kind) });
    await time.sleep(HIDDEN_MS);
    platform.manners = { ...GOOD_MANNERS, hidesReceipts: 1 };
    const isLong = random.chance(0.5);
    diary.note(`receipts are hidden for ${isLong ? 'a day and more' : 'a while'}`);
    for (let looks = isLong ? 12 : 3; looks > 0; looks -= 1) {
      await time.sleep(LOOK_MS);
      time.skip(isLong ? BETWEEN_MS : LOOK_MS);
    }
    platform.manners = manners;
    await acting;
  },
};

async function startAgain({ service, time }: World): Promise<void> {
  await service.stop();
  await time.sleep(1_000);
  await service.start();
}
