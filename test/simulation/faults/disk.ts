// The disk is full for a while.
import type { Fault } from './index.ts';

export const fullDisk: Fault = {
  name: 'full disk',
  weight: 2,
  async happen({ disk, time, diary }) {
    diary.isDiskFullToday = true;
    diary.struck.push({ what: 'the disk is full', at: time.clock.now() });
    diary.note('the disk is full');
    disk.setFull(true);
    await time.sleep(12_000);
    disk.setFull(false);
    diary.note('the disk has room again');
    diary.struck.push({ what: 'the disk has room again', at: time.clock.now() });
  },
};
