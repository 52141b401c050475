// `backup`: a verified copy of the running database.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { backup } from '../store/backup/backup.ts';
import { giveWay, loadSecrets, printLine, readSettings, toFilePath, warn } from './command.ts';

export const backupCommand = new Command('backup')
  .description(
    'copies the running database to FILE, proven sound; rows that do not open are kept and named. Keep the encryption key apart: without it FILE is worthless',
  )
  .argument('<FILE>', 'where the copy goes', toFilePath)
  .option('--everyday', 'proves the pages and the key, and no row')
  .action(async (file: string, { everyday }: { everyday?: true }) => {
    giveWay();
    const config = readSettings();
    const known = { secrets: loadSecrets(config), now: systemClock.now() };
    const { proof, unreadable, drift, rows } = await backup(config.databasePath, file, {
      ...known,
      everyday,
    });
    for (const row of rows) await printLine(row);
    const damagedRows = { ...(unreadable > 0 && { unreadable }), ...(drift > 0 && { drift }) };
    await printLine({ backup: file, proof, ...damagedRows } satisfies BackupAnswer);
    warnOfDamagedRows({ name: `The database, and so ${file},`, unreadable, drift });
  });

/** The last line of what it prints. */
export interface BackupAnswer {
  backup: string;
  proof: 'whole' | 'everyday';
  unreadable?: number;
  drift?: number;
}

/** Of a file that is kept although not all of it is as it must be. */
export function warnOfDamagedRows({
  name,
  unreadable,
  drift,
}: {
  name: string;
  unreadable: number;
  drift: number;
}): void {
  if (unreadable > 0) {
    warn(
      `${name} has ${unreadable} values that do not open any more: they are named above, and are lost wherever no older backup has them. Codes among them are never redeemed.`,
    );
  }
  if (drift > 0) warn(`${name} contradicts itself in ${drift} rows; \`check\` names them.`);
}
