// A backup is made by hand, beside those that the service makes by itself; and one of some days ago is put in place of the database.
// Codes handed out and spent since then stay so where the replaced database can be read; where it cannot, nothing is given twice but
// what nobody could know. Right after it people go on as before.
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { Seeded } from '../../torture/seeded.ts';
import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { backup } from '../../../src/store/safekeeping/backup.ts';
import { restore } from '../../../src/store/safekeeping/restore.ts';
import { chooseKeys, forgetWhatIsLost } from '../forgetting.ts';
import { KEY } from '../service.ts';
import type { World } from '../world.ts';
import type { Fault } from './index.ts';

const sealing = createSecrets(KEY);
const KEPT = 4;
const ACTING = 8;
const CARRIED_ON = new Set(['stocker', 'admin', 'client', 'payer', 'operator', 'several']);

export const backingUp: Fault = {
  name: 'backup',
  weight: 2,
  async happen({ disk, time, diary }) {
    const file = join(disk.backups, `by-hand-${time.clock.now()}.db`);
    const now = time.machine.now();
    await time
      .native(() => backup(disk.databasePath(), file, { secrets: sealing, now }))
      .catch((error: Error) => diary.note(`no backup: ${error.message}`));
    diary.note(`backup ${file.slice(-16)}`);
    const old = readdirSync(disk.backups)
      .filter((name) => name.startsWith('by-hand-'))
      .sort()
      .slice(0, -KEPT);
    for (const name of old) rmSync(join(disk.backups, name), { force: true });
  },
};

export const restoring: Fault = {
  name: 'restore',
  weight: 3,
  happen: (world, random) => restoreOne(world, random, 'readable'),
};

export const disaster: Fault = {
  name: 'restore over a damaged disk',
  weight: 1,
  happen: (world, random) => restoreOne(world, random, 'unreadable'),
};

async function restoreOne(
  world: World,
  random: Seeded,
  predecessor: 'readable' | 'unreadable',
): Promise<void> {
  const { disk, service, time, diary, secrets } = world;
  const files = readdirSync(disk.backups)
    .filter((name) => /^(by-hand|redemption)-.*\.db$/.test(name))
    .sort();
  const name = random.chance(0.5) ? files.at(-1) : random.pick(files);
  if (name === undefined) return backingUp.happen(world, random);
  diary.struck.push({ what: 'a restore', at: time.clock.now() });
  if (random.chance(0.5)) service.kill();
  else await service.stop();
  if (predecessor === 'unreadable') {
    secrets.remember();
    damage(disk.databasePath());
  }
  const { since, unverified } = restore({
    file: join(disk.backups, name),
    databasePath: disk.databasePath(),
    key: KEY,
    now: time.machine.now(),
  });
  diary.note(`restored ${name}: since ${since}, ${unverified} unverified`);
  if (predecessor === 'unreadable') forgetWhatIsLost(world);
  else if (since !== 'carried') diary.amiss.push(`a restore over a sound database carried ${since}`);
  chooseKeys(world);
  diary.restoredAt = time.clock.now();
  await service.start();
  const people = world.people.filter(({ kind }) => CARRIED_ON.has(kind));
  const acting = Array.from({ length: ACTING }, () => random.pick(people)?.act(world));
  await Promise.all(acting);
}

/** Its first page is gone: no program can read it any more. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4_096), 0, 4_096, 0);
  closeSync(file);
  rmSync(`${path}-wal`, { force: true });
}
