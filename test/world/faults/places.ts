// The service is started on what is not its database as it was: other settings than it was used with, a backup or an
// older copy put in place by hand; or the file is moved away while it runs. It refuses, and begins nothing; nobody
// comes to harm once all is as it was.
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Seeded } from '../../harness/seeded.ts';
import { makeTheSame } from '../machine/disk.ts';
import { GOOD_MANNERS } from '../machine/platform.ts';
import { closeBooks, look } from '../run/rest.ts';
import { HOST_ID } from '../machine/service.ts';
import type { World } from '../run/world.ts';
import { actSome } from './acting.ts';
import type { Fault } from './index.ts';
import { befall } from './lasting.ts';

const ORDERING = new Set(['operator', 'several', 'client']);
const ACTING = 6;
const UNDER_WAY_MS = 8_000;
const NOTICED_MS = 5_000;
/** What was numbered so long ago is known beside the file. */
const KEPT_WITHIN_MS = 2_000;

export const exchangedPlatform: Fault = {
  name: 'exchanged platform',
  weight: 2,
  of: 'end',
  isAlone: true,
  async happen(world, random) {
    const { platform, service, time } = world;
    const { manners } = platform;
    platform.manners = { ...GOOD_MANNERS, hidesSuccess: 0.6, hidesFailure: 0.2 };
    const acting = actSome(world, random, { count: ACTING, by: ({ kind }) => ORDERING.has(kind) });
    await time.sleep(UNDER_WAY_MS);
    await end(world, random);
    service.isPlatformExchanged = true;
    await refuses(world, 'a database of another platform');
    service.isPlatformExchanged = false;
    platform.manners = manners;
    await service.start();
    await acting;
  },
};

export const misplacedFile: Fault = {
  name: 'misplaced file',
  weight: 2,
  of: 'end',
  isAlone: true,
  async happen(world, random) {
    const { disk, service, time } = world;
    const aside = join(disk.backups, 'aside');
    const older = join(disk.backups, 'older');
    await end(world, random);
    copyDatabase(disk.databasePath(), older);
    const before = sumNumbers(disk.databasePath());
    await service.start();
    const acting = actSome(world, random, { count: ACTING });
    await time.sleep(UNDER_WAY_MS);
    const isOlder = sumNumbers(disk.databasePath()) > before;
    await time.sleep(KEPT_WITHIN_MS);
    await end(world, random);
    copyDatabase(disk.databasePath(), aside);
    const made = readdirSync(disk.backups).filter((name) => /^(by-hand|redemption)-.*\.db$/.test(name));
    if (made.length > 0) {
      copyFileSync(join(disk.backups, random.pick(made)), disk.databasePath());
      await refuses(world, 'a backup that was put in place by hand');
    }
    copyDatabase(join(older, 'redemption.db'), dirname(disk.databasePath()));
    if (isOlder) await refuses(world, 'an older database');
    copyDatabase(join(aside, 'redemption.db'), dirname(disk.databasePath()));
    await refuses(world, 'a copy of the database');
    makeTheSame(disk.databasePath());
    await service.start();
    for (const folder of [aside, older]) rmSync(folder, { recursive: true });
    await acting;
  },
};

export const movedAway: Fault = {
  name: 'moved away',
  weight: 2,
  of: 'disk',
  isAlone: true,
  async happen(world, random) {
    const { disk, service, time, diary, said } = world;
    if (!service.isServing()) return;
    const before = said.count(HOST_ID, /moved away/);
    const path = disk.databasePath();
    // Whoever looks into the books goes on reading the file that is open.
    look(path, () => undefined);
    const acting = actSome(world, random, { count: ACTING });
    renameSync(path, `${path}.moved`);
    await befall(world, 'database-moved', () => time.sleep(NOTICED_MS));
    const ready = await service.ask('/readyz');
    const isSame = path === disk.databasePath();
    if (isSame && ready !== 'lost' && ready.status === 200)
      diary.amissBeside.push('the database was moved away, and the service says that it is ready');
    const isTold = said.count(HOST_ID, /moved away/) > before;
    if (isSame && service.isServing() && !isTold && !diary.isAway({ id: HOST_ID }))
      diary.amissBeside.push('the database was moved away, and the host was not told in five seconds');
    if (isSame) renameSync(`${path}.moved`, path);
    await acting;
  },
};

/** By a signal that may be heard; nothing is left beside the database then. */
async function end({ service }: World, random: Seeded): Promise<void> {
  if (random.chance(0.5)) service.kill();
  while (service.app()) await service.stop();
  closeBooks();
}

/** Starts it once. Nobody else acts until all is as it was: what throws does so at once. */
async function refuses({ service, diary }: World, what: string): Promise<void> {
  diary.note(`started on ${what}`);
  try {
    await service.start();
    diary.amissBeside.push(`${what} was not refused`);
    service.kill();
  } catch (error) {
    // A sentence for the host; all else is a fault of ours.
    if (!(error instanceof Error && error.name === 'StoreRefusal')) throw error;
  }
}

const sumNumbers = (path: string): number =>
  look(path, (file) => Number(file.prepare('select total(seq) from sqlite_sequence').pluck().get()));

/**
 * With its log; what lay there is gone. What stands beside it stays where it was, as it does where somebody copies the
 * file alone.
 */
function copyDatabase(from: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) {
    const target = join(folder, `redemption.db${suffix}`);
    rmSync(target, { force: true });
    if (suffix !== '-shm' && existsSync(from + suffix)) copyFileSync(from + suffix, target);
  }
}
