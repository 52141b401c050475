// Scenes of a database that is gone, or whose files the user of the service may not use. One that is older than it was, a
// backup, a copy or of another platform is refused before anything begins: the world and the tests of the store have it.
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { ANYBODY, runAsAnybody } from '../process.ts';
import {
  addCode,
  isRefused,
  isServed,
  isTold,
  orders,
  says,
  serveOnce,
  serving,
  type Place,
  type Scenes,
} from './place.ts';

const FILE_SCENES: Scenes = {
  async deleted(place) {
    await serving(place, async (service) => {
      for (const suffix of ['', '-wal', '-shm', '.lock', '.state'])
        rmSync(place.path + suffix, { force: true });
      await isTold(place, service, 'deleted');
      await isRefused(place, /Another process is using|There was a database here/, 'a second service');
    });
    await isRefused(place, /There was a database here/, 'a key without its database');
    await orders(place, 'new');
    await isServed(place);
  },
  async 'moved away, and back'(place) {
    await serving(place, async (service) => {
      renameSync(place.path, `${place.path}.away`);
      await isTold(place, service, 'moved away');
      renameSync(`${place.path}.away`, place.path);
      if (!(await says(service, 'open')))
        place.found.push('the file is back, and the service does not go on');
      if ((await addCode(place, service)) >= 300)
        place.found.push('nothing can be added once the file is back');
    });
  },
  async 'backups without their database'(place) {
    const backups = join(place.folder, 'backups');
    mkdirSync(backups);
    await orders(place, 'backup', join(backups, 'redemption-2026-01-01T00-00-00Z.db'));
    for (const beside of ['redemption.db', 'encryption.key']) rmSync(join(place.folder, beside));
    const settings = { BACKUP_FOLDER: backups, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
    await isRefused(place, /There was a database here/, 'backups without their database', settings);
  },
  async 'a database without what stands beside it'(place) {
    await serveOnce(place);
    rmSync(`${place.path}.state`);
    const log = await serving(place, (service) => service.log());
    if (!log.includes('beside the database was missing'))
      place.found.push('what is missing beside it is not told');
  },
};

const DATABASE = 'redemption.db';
const FILES = [DATABASE, ...['-wal', '.lock', '.state'].map((end) => DATABASE + end), 'encryption.key'];

/**
 * Refused by every door with the name and what to type, nothing is made or replaced meanwhile, and once that is typed
 * it is served as it was.
 */
const RIGHTS_SCENES: Scenes = {
  async 'files that may not be used'(place) {
    await prepare(place);
    for (const name of FILES) {
      const [mode, also] = name === DATABASE ? [0o400, [[], ['doctor']]] : [0, []];
      await isRefusedEverywhere(place, { path: join(place.folder, name), mode, also });
    }
    await isServed(place);
  },
  async 'files of root'(place) {
    if (!ANYBODY) return;
    await prepare(place);
    for (const name of FILES) chownSync(join(place.folder, name), 0, 0);
    await isRefusedEverywhere(place, { path: place.path, mode: 0o600, also: [['check'], []] });
  },
  async 'a folder that may not be written, or entered'(place) {
    await prepare(place);
    for (const mode of [0o500, 0o600])
      await isRefusedEverywhere(place, { path: place.folder, mode, also: [[], ['doctor']] });
  },
};

/** With a backup that lacks what was sold since, and a log beside the database. */
async function prepare(place: Place): Promise<void> {
  await orders(place, 'backup', backupOf(place));
  await serveOnce(place, 'killed');
  if (!ANYBODY) return;
  // The folder of the tests is theirs alone.
  chmodSync(dirname(place.folder), statSync(dirname(place.folder)).mode | 0o011);
  for (const file of [place.folder, ...readdirSync(place.folder).map((name) => join(place.folder, name))])
    chownSync(file, ANYBODY.uid, ANYBODY.gid);
}

const backupOf = ({ folder }: Place): string => join(folder, 'old-backup.db');

async function isRefusedEverywhere(
  place: Place,
  { path, mode, also }: { path: string; mode: number; also: readonly (readonly string[])[] },
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

export const SCENES: Scenes = { ...FILE_SCENES, ...RIGHTS_SCENES };
