// There is no room for backups for days, then there is, and then there is none again: the host is told each time.
import type { World } from '../run/world.ts';
import { pass } from './boundaries.ts';
import type { Fault } from './index.ts';
import { befall } from './lasting.ts';

/** One is due by then. */
const DAYS_MS = 48 * 60 * 60_000;
/** They are looked after once a minute. */
const LOOKED_AFTER_MS = 65_000;

export const failingBackups: Fault = {
  name: 'failing backups',
  weight: 1,
  isAlone: true,
  async happen(world) {
    for (const hasRoom of [false, true, false])
      if (hasRoom) await live(world, hasRoom);
      else await befall(world, 'backup-failing', () => live(world, hasRoom));
    world.service.hasRoomForBackups = true;
  },
};

async function live(world: World, hasRoom: boolean): Promise<void> {
  const { service, diary, time } = world;
  service.hasRoomForBackups = hasRoom;
  diary.note(hasRoom ? 'there is room for backups' : 'there is no room for backups');
  pass(world, DAYS_MS);
  await time.sleep(LOOKED_AFTER_MS);
}
