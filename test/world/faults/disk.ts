// The disk is full for a while, and somebody checks the database meanwhile.
import { hasFoundDamage, saveLastCheck } from '../../../src/store/backup/last-check.ts';
import { actSome } from './acting.ts';
import { call } from '../people/client.ts';
import { selvesOf } from '../people/index.ts';
import type { World } from '../run/world.ts';
import { addMany } from './bulk.ts';
import type { Fault } from './index.ts';
import { befall } from './lasting.ts';

const ACTING = 6;
const FULL_MS = 12_000;

export const fullDisk: Fault = {
  name: 'full disk',
  weight: 2,
  of: 'disk',
  async happen(world, random) {
    const { disk, time, diary } = world;
    diary.note('the disk is full');
    disk.setFull(true);
    const acting = actSome(world, random, { count: ACTING });
    const stocker = random.pick(selvesOf(world, 'stocker'));
    const full = time.sleep(FULL_MS);
    const adding = stocker && random.chance(0.8) ? addMany(world, random, stocker, () => full) : undefined;
    await befall(world, 'database-unwritable', async () => {
      await time.sleep(FULL_MS / 2);
      await askWhetherItIsReady(world);
      checkIt(world);
      await full;
    });
    disk.setFull(false);
    diary.note('the disk has room again');
    await Promise.all([acting, adding]);
  },
};

const NEW_ADDRESS = { url: 'https://93.184.216.34/while-the-disk-is-full', events: ['stock.low'] };

/** A write is refused, and whoever watches the service is told that it is not ready. */
async function askWhetherItIsReady(world: World): Promise<void> {
  const { shops, service, diary, random, disk } = world;
  const shop = random.pick(shops);
  if (!shop || !service.isServing()) return;
  const program = { name: `a program of shop ${shop.number}`, shop };
  const fitted = disk.countFitted();
  const written = await call(world, program, '/webhooks', { body: NEW_ADDRESS });
  const ready = await service.ask('/readyz');
  // Where another write found room meanwhile, it is ready.
  if (disk.countFitted() !== fitted) return;
  if (written?.status === 500 && ready !== 'lost' && ready.status === 200)
    diary.amissBeside.push('nothing can be written, and the service says that it is ready');
}

/** It finds a sound database, whatever becomes of what it writes. */
function checkIt({ disk, diary }: World): void {
  saveLastCheck(disk.databasePath(), { damagedRows: 0 });
  if (hasFoundDamage(disk.databasePath()) === true)
    diary.amissBeside.push('a check beside a full disk has found damage that is none');
}
