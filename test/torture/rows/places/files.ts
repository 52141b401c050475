// Scenes of a database file that is gone, older than it was, a backup, or of another platform.
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { addCode, becomes, isRefused, isTold, orders, type Scenes } from './place.ts';

export const FILE_SCENES: Scenes = {
  async deleted(place) {
    await place.serving(async (service) => {
      for (const suffix of ['', '-wal', '-shm', '.lock', '.commits'])
        rmSync(place.path + suffix, { force: true });
      await isTold(place, service, 'deleted');
      await isRefused(place, /Another process is using|There was a database here/, 'a second service');
    });
    await isRefused(place, /There was a database here/, 'a key without its database');
    await orders(place, 'new');
    await place.serving(() => Promise.resolve());
  },
  async 'moved away, and back'(place) {
    await place.serving(async (service) => {
      renameSync(place.path, `${place.path}.away`);
      await isTold(place, service, 'moved away');
      renameSync(`${place.path}.away`, place.path);
      if (!(await becomes(service, 'open')))
        place.found.push('the file is back, and the service does not go on');
      if ((await addCode(place, service)) >= 300)
        place.found.push('nothing can be added once the file is back');
    });
  },
  async 'an older file'(place) {
    copyFileSync(place.path, `${place.path}.older`);
    await place.serving(async (service) => {
      await addCode(place, service);
      await service.kill();
    });
    for (const suffix of ['-wal', '-shm']) rmSync(place.path + suffix, { force: true });
    copyFileSync(`${place.path}.older`, place.path);
    await isRefused(place, /is older than it was/, 'an older file');
  },
  async 'a backup in place'(place) {
    const file = join(place.folder, 'backup.db');
    await orders(place, 'backup', file);
    await place.serving(async (service) => {
      await addCode(place, service);
      await service.kill();
    });
    copyFileSync(file, place.path);
    await isRefused(place, /is a backup that was put there by hand/, 'a backup beside the log of another');
    renameSync(place.path, `${place.path}.backup`);
    await orders(place, 'restore', `${place.path}.backup`);
    await place.serving(() => Promise.resolve());
  },
  async 'backups without their database'(place) {
    const backups = join(place.folder, 'backups');
    mkdirSync(backups);
    await orders(place, 'backup', join(backups, 'redemption-2026-01-01T00-00-00Z.db'));
    for (const beside of ['redemption.db', 'redemption.db.commits', 'encryption.key'])
      rmSync(join(place.folder, beside));
    const settings = { BACKUP_FOLDER: backups, ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
    await isRefused(place, /There was a database here/, 'backups without their database', settings);
  },
  async 'another platform'(place) {
    await place.serving((service) => addCode(place, service));
    const other = { PLATFORM: 'upstream', UPSTREAM_URL: 'http://127.0.0.1:9', UPSTREAM_TOKEN: 't' };
    await isRefused(place, /was used with the platform sandbox/, 'another platform', other);
    await place.serving(() => Promise.resolve());
  },
  async 'a copy without its count'(place) {
    await place.serving((service) => addCode(place, service));
    rmSync(`${place.path}.commits`);
    await place.serving((service) => {
      if (!service.log().includes('the count of commits beside the database was missing'))
        place.found.push('a missing count is not told');
      return Promise.resolve();
    });
  },
};
