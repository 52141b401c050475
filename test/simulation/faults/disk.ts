// The disk is full for a while.
import { actSome } from './acting.ts';
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
    const acting = actSome(world, random, { count: ACTING });
    await time.sleep(12_000);
    disk.setFull(false);
    diary.note('the disk has room again');
    diary.struck.push({ what: 'the disk has room again', at: time.clock.now() });
    await acting;
  },
};
