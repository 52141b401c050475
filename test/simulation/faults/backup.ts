// A backup is made, and one of some days ago is put in place of the database: codes handed out and spent since then stay so.
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { createSecrets } from '../../../src/store/engine/secrets.ts';
import { backup } from '../../../src/store/safekeeping/backup.ts';
import { restore } from '../../../src/store/safekeeping/restore.ts';
import { KEY } from '../service.ts';
import type { Fault } from './index.ts';

const secrets = createSecrets(KEY);
const KEPT = 4;
let files: string[] = [];

export const backingUp: Fault = {
  name: 'backup',
  weight: 4,
  async happen({ disk, time, diary }) {
    const file = join(disk.backups, `${time.clock.now()}.db`);
    const now = time.machine.now();
    await time
      .native(() => backup(disk.databasePath(), file, { secrets, now }))
      .then(
        () => files.push(file),
        (error: Error) => diary.note(`no backup: ${error.message}`),
      );
    diary.note(`backup ${file.slice(-16)}`);
    for (const old of files.splice(0, files.length - KEPT)) rmSync(old, { force: true });
  },
};

export const restoring: Fault = {
  name: 'restore',
  weight: 2,
  async happen({ disk, service, time, diary }, random) {
    files = files.filter((file) => file.startsWith(disk.backups));
    const file = random.pick(files);
    if (file === undefined) return;
    diary.struck.push({ what: 'a restore', at: time.clock.now() });
    if (random.chance(0.5)) service.kill();
    else await service.stop();
    const { since, unverified } = restore({
      file,
      databasePath: disk.databasePath(),
      key: KEY,
      now: time.machine.now(),
    });
    diary.note(`restored ${file.slice(-16)}: since ${since}, ${unverified} unverified`);
    if (since !== 'carried') diary.amiss.push(`a restore over a sound database carried ${since}`);
    diary.restoredAt = time.clock.now();
    await service.start();
  },
};
