// Scenes of a copy of the database: under its name, of a machine that has died, and moved on purpose.
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';

import { runCliHere } from '../../../harness/run-here.ts';
import { addCode, copyPlace, isRefused, orders, type Place, type Scenes } from './place.ts';

export const COPY_SCENES: Scenes = {
  async 'a copy under its name'(place) {
    await place.serving((service) => addCode(place, service));
    copyFileSync(place.path, `${place.path}.copy`);
    renameSync(place.path, `${place.path}.own`);
    renameSync(`${place.path}.copy`, place.path);
    await isRefused(place, /is a copy of the database.*adopt/, 'a copy');
    renameSync(`${place.path}.own`, place.path);
    await place.serving(() => Promise.resolve());
  },
  async 'the files of a machine that has died'(place) {
    const other = await place.serving(async (service) => {
      await addCode(place, service);
      await service.kill();
      return copyPlace(place);
    });
    await isRefused(other, /was made of one that was not stopped/, 'a copy of one that was killed');
    await isNotAdopted(other, /does not say that it was stopped/);
    for (const suffix of ['', '-wal'])
      if (existsSync(other.path + suffix)) renameSync(other.path + suffix, `${other.path}.copy${suffix}`);
    await orders(other, 'restore', `${other.path}.copy`);
    if ((await countHeld(other)) !== 1) other.found.push('what was copied with its log is not all there');
    await other.serving(() => Promise.resolve());
    rmSync(other.folder, { recursive: true, force: true });
  },
  async 'a planned move'(place) {
    await place.serving((service) => addCode(place, service));
    const other = copyPlace(place);
    await isRefused(
      other,
      /is a copy of the database.*It was stopped at .*adopt/,
      'a copy that is not adopted',
    );
    await orders(other, 'adopt');
    await other.serving((service) => addCode(other, service));
    if ((await countHeld(other)) !== 0) other.found.push('a planned move questions codes');
    await isNotAdopted(other, /is the file that was served/);
    rmSync(other.folder, { recursive: true, force: true });
  },
};

/** Unverified or in question, as the file counts them; `check` must find nothing amiss. */
async function countHeld(place: Place): Promise<number> {
  await orders(place, 'check');
  const file = new Database(place.path, { readonly: true });
  try {
    return file
      .prepare("select count(*) from codes where state in ('unverified', 'in_question')")
      .pluck()
      .get() as number;
  } finally {
    file.close();
  }
}

async function isNotAdopted({ folder, found }: Place, sentence: RegExp): Promise<void> {
  const { exitCode, stderr } = await runCliHere(folder, 'adopt');
  if (exitCode === 0 || !sentence.test(stderr)) found.push(`adopt ended with ${exitCode}: ${stderr}`);
}
