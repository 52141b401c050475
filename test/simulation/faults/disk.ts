// The disk is full for a while.
import type { Fault } from './index.ts';

const ACTING = 6;

export const fullDisk: Fault = {
  name: 'full disk',
  weight: 2,
  async happen(world, random) {
    const { disk, time, diary } = world;
    diary.isDiskFullToday = true;
    diary.struck.push({ what: 'the disk is full', at: time.clock.now() });
    diary.note('the disk is full');
    disk.setFull(true);
    const acting = Array.from({ length: ACTING }, () => random.pick(world.people)?.act(world));
    await time.sleep(12_000);
    disk.setFull(false);
    diary.note('the disk has room again');
    diary.struck.push({ what: 'the disk has room again', at: time.clock.now() });
    await Promise.all(acting);
  },
};
