// Scenes of files that the user of the service may not use: each is refused by every door with its name and what to
// type, nothing is made or replaced meanwhile, and once that is typed it is served as it was.
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { ANYBODY, runAsAnybody } from '../../process.ts';
import { addCode, orders, type Place, type Scenes } from './place.ts';

const FILES = [
  'redemption.db',
  'redemption.db-wal',
  'redemption.db.lock',
  'redemption.db.commits',
  'encryption.key',
];

export const RIGHTS_SCENES: Scenes = {
  async 'files that may not be used'(place) {
    await prepare(place);
    for (const name of FILES) {
      const file = join(place.folder, name);
      const mode = name === 'redemption.db' ? 0o400 : 0;
      await isRefusedEverywhere(place, file, mode, name === 'redemption.db' ? [[], ['doctor']] : []);
    }
    await place.serving(() => Promise.resolve());
  },
  async 'files of root'(place) {
    if (!ANYBODY) return;
    await prepare(place);
    for (const name of FILES) chownSync(join(place.folder, name), 0, 0);
    await isRefusedEverywhere(place, place.path, 0o600, [['check'], []]);
  },
  async 'a folder that may not be written, or entered'(place) {
    await prepare(place);
    for (const mode of [0o500, 0o600]) await isRefusedEverywhere(place, place.folder, mode, [[], ['doctor']]);
  },
};

/** With a backup that lacks what was sold since, and a log beside the database. */
async function prepare(place: Place): Promise<void> {
  await orders(place, 'backup', backupOf(place));
  await place.serving(async (service) => {
    await addCode(place, service);
    await service.kill();
  });
  if (!ANYBODY) return;
  // The folder of the tests is theirs alone.
  chmodSync(dirname(place.folder), statSync(dirname(place.folder)).mode | 0o011);
  for (const file of [place.folder, ...readdirSync(place.folder).map((name) => join(place.folder, name))])
    chownSync(file, ANYBODY.uid, ANYBODY.gid);
}

const backupOf = ({ folder }: Place): string => join(folder, 'old-backup.db');

async function isRefusedEverywhere(
  place: Place,
  path: string,
  mode: number,
  also: readonly (readonly string[])[],
): Promise<void> {
  const { mode: before } = statSync(path);
  chmodSync(path, mode);
  const lay = list(place);
  for (const typed of [['restore', backupOf(place)], ...also]) {
    const { exitCode, lines, stderr } = await runAsAnybody(place.folder, ...typed);
    const said = stderr + JSON.stringify(lines);
    const what = `${typed.join(' ') || 'the start'} with ${basename(path)} of mode ${mode.toString(8)}`;
    if (exitCode === 0) place.found.push(`${what} ends with 0`);
    if (!said.includes('may not use what the database needs') || !said.includes(`${path} (EACCES`))
      place.found.push(`${what}: ${said}`);
  }
  const lies = list(place);
  if (lies !== lay) place.found.push(`${basename(path)} was refused, and ${lay} became ${lies}`);
  chmodSync(path, before);
}

/** As root sees it: what lies there, with its rights. */
const list = ({ folder }: Place): string =>
  readdirSync(folder)
    .map((name) => `${name} ${statSync(join(folder, name)).mode.toString(8)}`)
    .join(', ');
