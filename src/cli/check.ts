// `check`: proves that nothing was lost or counted twice.
import { Command } from 'commander';

import { checkRunning } from '../store/backup/check.ts';
import type { Conservation } from '../store/backup/conservation.ts';
import { saveLastCheck } from '../store/backup/last-check.ts';
import { isDamage } from '../store/backup/snapshot-file.ts';
import { openReader } from '../store/engine/connection.ts';
import type { Secrets } from '../store/engine/secrets.ts';
import { readPlatform } from '../store/engine/identity.ts';
import { giveWay, loadSecrets, printLine, readSettings } from './command.ts';

export const checkCommand = new Command('check')
  .description(
    'proves that no code, charge or purchase was lost or counted twice; exit 1 and the rows otherwise',
  )
  .action(async () => {
    giveWay();
    const config = readSettings();
    const { drift, rows, counts } = await checkAndTell(config.databasePath, loadSecrets(config));
    for (const row of rows) await printLine(row);
    await printLine({ drift, ...counts, platform: findPlatform(config.databasePath) });
    if (drift > 0) process.exitCode = 1;
  });

/** The service beside it tells the host what was found. */
async function checkAndTell(path: string, secrets: Secrets): Promise<Conservation> {
  try {
    const found = await checkRunning(path, secrets);
    saveLastCheck(path, { damagedRows: found.drift });
    return found;
  } catch (error) {
    if (isDamage(error)) saveLastCheck(path, { damagedRows: undefined });
    throw error;
  }
}

/** Whom it was used with; null where nobody served it yet. */
function findPlatform(path: string): string | null {
  const connection = openReader(path);
  try {
    return readPlatform(connection) ?? null;
  } finally {
    connection.close();
  }
}
