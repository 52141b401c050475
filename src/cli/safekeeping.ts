// The commands that keep the data safe: backup, restore, check.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { loadKey } from '../store/engine/keys.ts';
import { backup } from '../store/safekeeping/backup.ts';
import { checkRunning } from '../store/safekeeping/checking.ts';
import { restore } from '../store/safekeeping/restore.ts';
import { loadSecrets, printLine, Refusal, warn, type Values } from './command.ts';

export async function makeBackup(values: Values, config: Config): Promise<number> {
  const file = values.FILE ?? '';
  const known = { secrets: loadSecrets(config), now: systemClock.now() };
  const { unreadable, drift, rows } = await backup(config.databasePath, file, known);
  for (const row of rows) await printLine(row);
  await printLine({ backup: file, ...(unreadable > 0 && { unreadable }), ...(drift > 0 && { drift }) });
  warnOf({ name: `The database, and so ${file},`, unreadable, drift });
  return 0;
}

export async function restoreBackup(values: Values, config: Config): Promise<number> {
  const file = values.FILE ?? '';
  const keyFile = join(dirname(config.databasePath), 'encryption.key');
  if (!config.encryptionKey && !existsSync(keyFile)) {
    throw new Refusal(
      `A backup opens with its key only: set ENCRYPTION_KEY, or put the key file at ${keyFile}.`,
    );
  }
  const key = loadKey(config.databasePath, config.encryptionKey);
  const now = systemClock.now();
  const restored = restore({ file, databasePath: config.databasePath, key, now });
  const { keptAs = null, unverified, since, because, asOf, unreadable, drift, rows } = restored;
  for (const row of rows) await printLine(row);
  await printLine({
    restored: file,
    keptAs,
    unverified,
    since,
    asOf: new Date(asOf).toISOString(),
    ...(unreadable > 0 && { unreadable }),
    ...(drift > 0 && { drift }),
  });
  if (because !== undefined) warn(`Nothing was carried from the replaced database: ${because}.`);
  if (since !== 'carried') {
    warn(
      `Nothing is known of the time from ${new Date(asOf).toISOString()} to ${new Date(now).toISOString()}: codes that were handed out in it can be handed out again, and its payments and receipts are not there.`,
    );
  }
  warnOf({ name: 'The restored database', unreadable, drift });
  return 0;
}

/** Of a file that is kept although not all of it is as it must be. */
function warnOf({ name, unreadable, drift }: { name: string; unreadable: number; drift: number }): void {
  if (unreadable > 0) {
    warn(
      `${name} has ${unreadable} values that do not open any more: they are named above, and are lost wherever no older backup has them. Codes among them are never redeemed.`,
    );
  }
  if (drift > 0) warn(`${name} contradicts itself in ${drift} rows; \`check\` names them.`);
}

export async function check(_values: Values, config: Config): Promise<number> {
  const { drift, rows, counts } = await checkRunning(config.databasePath, loadSecrets(config));
  for (const row of rows) await printLine(row);
  await printLine({ drift, ...counts });
  return drift === 0 ? 0 : 1;
}
