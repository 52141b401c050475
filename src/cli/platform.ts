// `platform adopt`: from now on the database is served with the platform that the settings name.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { record } from '../core/audit-log.ts';
import { namePlatform } from '../platforms.ts';
import { readNumber } from '../store/engine/connection.ts';
import { markPlatform, readPlatform } from '../store/engine/identity.ts';
import { createTables } from '../store/tables/index.ts';
import { loadSecrets, printLine, readSettings, Refusal } from './command.ts';
import { withDatabaseAlone } from './database-alone.ts';
import { HOST } from './verbs.ts';

const OPEN = "select count(*) from redemptions where state in ('pending', 'in_doubt')";

const platformAdopt = new Command('adopt')
  .description(
    'lets the database be served with the platform of the settings, while the service is stopped. What is in doubt is settled by whom it was sent to alone: nothing may be, unless that is the same service',
  )
  .option('--name <name>', 'the same service at a new address: the one of UPSTREAM_URL is called upstream')
  .action(async ({ name }: { name?: string }) => {
    const config = readSettings();
    const secrets = loadSecrets(config);
    const platform = namePlatform(config.platform);
    await withDatabaseAlone(config, secrets, async (connection) => {
      const before = readPlatform(connection) ?? null;
      const open = readNumber(connection, OPEN);
      if (name !== undefined) assertSameService(name, before, platform);
      else if (open > 0 && before !== null && before !== platform) throw new Refusal(wordOpen(open, before));
      connection.transaction(() => {
        if (before === platform) return;
        markPlatform(connection, platform);
        const adopted = { accountId: null, before: { platform: before ?? '' }, after: { platform } };
        record(createTables(connection, secrets), HOST, 'platformAdopted', adopted, systemClock.now());
      })();
      await printLine({ platform, before, inDoubt: open });
    });
  });

/** There is one upstream yet, and a sandbox is never the same as anything. */
function assertSameService(name: string, before: string | null, platform: string): void {
  if (name !== 'upstream')
    throw new Refusal(`There is no platform ${name}: the service at UPSTREAM_URL is called upstream.`);
  const [was, is] = [before ?? platform, platform].map((each) => each.startsWith('upstream '));
  if (!was || !is) throw new Refusal(`${before ?? platform} and ${platform} are not the same service.`);
}

const wordOpen = (open: number, before: string) =>
  `${open} redemptions are in doubt, and only ${before} can tell what became of them. Start with its settings until \`/readyz\` and /health show none; or say --name upstream, if the settings name the same service at a new address.`;

export const platformCommands = new Command('platform')
  .description('whom the database is served with')
  .addCommand(platformAdopt);
