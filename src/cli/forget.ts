// `forget`: a player who asks to be forgotten. The service may run, but for --vacuum.
import { Command } from 'commander';

import { listBackups } from '../backup-files.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { forgetPlayer } from '../core/redemption/forget-player.ts';
import { openCoreClock } from '../core/monotonic-scale.ts';
import { randomIds } from '../ids.ts';
import { vacuumAfter } from '../store/backup/vacuum.ts';
import { printLine, readSettings, Refusal, requireDatabase, warn, withDatabase } from './command.ts';
import { HOST } from './verbs.ts';

export const forgetCommand = new Command('forget')
  .description(
    'forgets a player: ID, name and credentials go from every redemption that has ended; the ledger stays. Refused while one is open',
  )
  .requiredOption('--player <id>', 'the ID as it was redeemed for')
  .option(
    '--vacuum',
    'writes the whole file anew then, so that no copy of what was erased is left inside it: the service must be stopped',
  )
  .action(async ({ player, vacuum }: { player: string; vacuum?: true }) => {
    const config = readSettings();
    requireDatabase(config);
    const forget = () =>
      withDatabase((store) => {
        const clock = openCoreClock(store, systemClock);
        return forgetPlayer({ store, clock, ids: randomIds }, HOST, player);
      });
    const answer = await (vacuum ? vacuumAfter(config.databasePath, forget) : forget());
    if (answer.status !== 'forgotten') throw new Refusal(refuse(answer, player));
    await printLine({ forgotten: answer.as, redemptions: answer.redemptions });
    warn(formatBackupsHint(config));
  });

type Refused = Exclude<Awaited<ReturnType<typeof forgetPlayer>>, { status: 'forgotten' }>;

function refuse(answer: Refused, player: string): string {
  switch (answer.status) {
    case 'malformed':
      return 'The ID of a player is 5 to 20 digits. Nothing was changed.';
    case 'unknown':
      return `No redemption is for ${player}. Nothing was changed.`;
    case 'open':
      return `Redemption ${answer.redemptionId} is for ${player} and has not ended: say it again when it has.`;
    case 'ordering':
      return `An order for ${player} is under way: say it again when it has ended.`;
  }
}

function formatBackupsHint({ backups }: Config): string {
  const known = backups ? listBackups(backups.folder) : [];
  const [oldest] = known;
  const age = oldest
    ? ` The oldest of ${known.length} in ${backups?.folder} is of ${new Date(oldest.at).toISOString()}.`
    : '';
  return `Backups that were made before still name the player, and a restore of one brings the player back: say it again after it.${age}`;
}
