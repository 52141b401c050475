// `adopt`: goes on with a database that was stopped elsewhere and copied here.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { adopt } from '../store/backup/adopt.ts';
import { loadSecrets, printLine, readSettings, warn } from './command.ts';

export const adoptCommand = new Command('adopt')
  .description(
    'goes on with a copy of the database, for a planned move: the service was stopped where it comes from, and never serves there again',
  )
  .action(async () => {
    const config = readSettings();
    const { stoppedAt } = adopt(config.databasePath, loadSecrets(config), systemClock.now());
    const at = new Date(stoppedAt).toISOString();
    await printLine({ adopted: config.databasePath, stoppedAt: at });
    warn(
      `It was stopped at ${at}. If it has served after that where it comes from, what happened since is not in it: do not start it, and copy the other one anew once it is stopped, or restore instead.`,
    );
  });
