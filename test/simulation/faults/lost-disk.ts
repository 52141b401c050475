// The disk of the machine that was lost turns up, and testifies over the database that went on without it.
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { openCoreClock } from '../../../src/core/monotonic-scale.ts';
import { hearTestimony } from '../../../src/core/redemption/testimony.ts';
import { readLostTime } from '../../../src/store/backup/epochs.ts';
import { removeDatabase } from '../../../src/store/backup/snapshot-file.ts';
import { openPast } from '../../../src/store/backup/testimony.ts';
import { openConnection } from '../../../src/store/engine/connection.ts';
import { StoreRefusal } from '../../../src/store/engine/refusal.ts';
import { createCodeSeals, createSecrets } from '../../../src/store/engine/secrets.ts';
import { createTables } from '../../../src/store/tables/index.ts';
import type { Seeded } from '../../torture/seeded.ts';
import { issueMissingKeys } from '../forgetting.ts';
import { hearDisk } from '../promises/testimonies.ts';
import { closeBooks } from '../rest.ts';
import { KEY } from '../service.ts';
import type { World } from '../world.ts';

const secrets = createSecrets(KEY);
const lostDiskOf = ({ disk }: World) => join(disk.backups, 'lost-disk');

/** As it lies there when nobody serves it any more. */
export function keepLostDisk(world: World): void {
  const [path, kept] = [world.disk.databasePath(), lostDiskOf(world)];
  removeDatabase(kept);
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, kept + suffix);
}

/** While the service is stopped. As often as somebody likes: the second time it closes nothing. */
export function testify(world: World): void {
  const { diary, disk, time } = world;
  closeBooks();
  const first = hearOrNothing(world);
  if (!first) return;
  diary.note(`the lost disk testifies: ${JSON.stringify(first)}`);
  const again = Object.entries(hear(world)).filter(([, count]) => count > 0);
  if (again.length > 0) diary.amiss.push(`a testimony that is repeated closes ${JSON.stringify(again)}`);
  diary.testimonies.push(hearDisk(lostDiskOf(world), disk.databasePath(), time.clock.now()));
}

/** undefined where it was lost before it held anything that the copy lacks. */
function hearOrNothing(world: World) {
  try {
    return hear(world);
  } catch (error) {
    if (error instanceof StoreRefusal && error.message.includes('of the own past')) return undefined;
    throw error;
  }
}

function hear({ disk, time }: World) {
  const path = disk.databasePath();
  const connection = openConnection(path);
  const past = openPast(join(disk.backups, 'lost-disk'), {
    databasePath: path,
    secrets,
    now: time.machine.now(),
  });
  try {
    const tables = createTables(connection, secrets);
    const clock = openCoreClock({ read: (work) => work(tables) }, time.machine);
    const moment = { now: clock.now(), monotonicNow: clock.monotonicNow() };
    const court = { lost: readLostTime(connection), seals: createCodeSeals(secrets), tables, moment };
    const host = { kind: 'host', by: 'cli' } as const;
    return past.over(connection, (other) => hearTestimony({ ...court, host, past: other }, past.asOf));
  } finally {
    past.close();
    connection.close();
  }
}

/** Whoever serves is stopped for it. */
export async function testifyLate(world: World, random: Seeded): Promise<void> {
  const { service, diary, time } = world;
  diary.struck.push({ what: 'a testimony', at: time.clock.now() });
  if (random.chance(0.3)) service.kill();
  while (service.app()) await service.stop();
  testify(world);
  await service.start();
  await issueMissingKeys(world);
}
