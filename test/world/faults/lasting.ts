// Troubles that whoever hosts the service is told of when they have lasted: the disk is nearly full, the platform does
// not answer. What is neither low nor enough changes nothing.
import type { HostAlert } from '../../../src/core/index.ts';
import { GOOD_MANNERS } from '../machine/platform.ts';
import { learnNotices } from '../audit/notices.ts';
import { newestOf } from '../run/rest.ts';
import { ENOUGH_BYTES } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import type { Fault } from './index.ts';

/** Each is read so often, and told once it has lasted so long. */
const READ_MS = 35_000;
const TOLD_MS = 5 * 60_000;
const [LOW_BYTES, MORE_BYTES] = [9e9, 10.5e9];

/**
 * Notes what befalls the service meanwhile, as what hosts are told of: for certain (`isSure`), where nothing disturbs
 * it.
 */
export async function befall(world: World, name: HostAlert['name'], work: () => Promise<void>) {
  const { diary, service } = world;
  const [after, starts] = [newestOf(world, 'tasks'), service.starts()];
  const isServing = service.isServing();
  const trouble = { name, after, isSure: false };
  diary.troubles.push(trouble);
  await work();
  // Days may pass next, after which it is forgotten.
  if (service.isServing()) learnNotices(world);
  const isSame = service.isServing() && service.starts() === starts;
  trouble.isSure = isServing && isSame;
  return trouble;
}

export const lowDisk: Fault = {
  name: 'low disk',
  weight: 1,
  of: 'night',
  isAlone: true,
  async happen(world) {
    await befall(world, 'disk-low', async () => {
      world.service.freeBytes = LOW_BYTES;
      await last(world);
      world.service.freeBytes = MORE_BYTES;
      await last(world);
    });
    world.service.freeBytes = ENOUGH_BYTES;
    await last(world);
  },
};

export const platformGone: Fault = {
  name: 'platform gone',
  weight: 1,
  of: 'night',
  isAlone: true,
  async happen(world) {
    const { platform } = world;
    const { manners } = platform;
    await befall(world, 'platform-unreachable', async () => {
      platform.manners = { ...GOOD_MANNERS, isAway: 1 };
      await last(world);
    });
    platform.manners = manners;
    await last(world);
  },
};

async function last({ time }: World): Promise<void> {
  await time.sleep(READ_MS);
  time.skip(TOLD_MS);
  await time.sleep(READ_MS);
}
