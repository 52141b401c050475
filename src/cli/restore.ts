// `restore`: puts a backup in place of the database.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { loadKey } from '../store/engine/keys.ts';
import { restore as putInPlace } from '../store/safekeeping/restore.ts';
import { warnOfFlaws } from './backup.ts';
import { printLine, readSettings, Refusal, warn } from './command.ts';

export const restore = new Command('restore')
  .description(
    'replaces the database by a backup, while the service is stopped. The replaced one is kept beside it, and what happened since is carried from it where it can be read',
  )
  .argument('<FILE>', 'the backup')
  .action(async (file: string) => {
    const config = readSettings();
    const keyFile = join(dirname(config.databasePath), 'encryption.key');
    if (!config.encryptionKey && !existsSync(keyFile)) {
      throw new Refusal(
        `A backup opens with its key only: set ENCRYPTION_KEY, or put the key file at ${keyFile}.`,
      );
    }
    const key = loadKey(config.databasePath, config.encryptionKey);
    const now = systemClock.now();
    const restored = putInPlace({ file, databasePath: config.databasePath, key, now });
    const { keptAs = null, unverified, since, because, unreadable, drift, rows } = restored;
    const asOf = new Date(restored.asOf).toISOString();
    for (const row of rows) await printLine(row);
    await printLine({
      restored: file,
      keptAs,
      unverified,
      since,
      asOf,
      ...(unreadable > 0 && { unreadable }),
      ...(drift > 0 && { drift }),
    });
    if (because !== undefined) warn(`Nothing was carried from the replaced database: ${because}.`);
    if (since !== 'carried') {
      warn(
        `Nothing is known of the time from ${asOf} to ${new Date(now).toISOString()}: codes that were handed out in it can be handed out again, and its payments and receipts are not there.`,
      );
    }
    warnOfFlaws({ name: 'The restored database', unreadable, drift });
  });
