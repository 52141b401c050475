// `backup`: a verified copy of the running database.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { backup as makeBackup } from '../store/backup/backup.ts';
import { giveWay, loadSecrets, printLine, readSettings, warn } from './command.ts';

export const backup = new Command('backup')
  .description(
    'copies the running database to FILE, proven sound; rows that do not open are kept and named. Keep the encryption key apart: without it FILE is worthless',
  )
  .argument('<FILE>', 'where the copy goes')
  .action(async (file: string) => {
    giveWay();
    const config = readSettings();
    const known = { secrets: loadSecrets(config), now: systemClock.now() };
    const { unreadable, drift, rows } = await makeBackup(config.databasePath, file, known);
    for (const row of rows) await printLine(row);
    await printLine({ backup: file, ...(unreadable > 0 && { unreadable }), ...(drift > 0 && { drift }) });
    warnOfFlaws({ name: `The database, and so ${file},`, unreadable, drift });
  });

/** Of a file that is kept although not all of it is as it must be. */
export function warnOfFlaws({
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
