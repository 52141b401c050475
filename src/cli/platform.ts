// `platform adopt`: from now on the database is served with the platform that the settings name.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import { record } from '../core/audit-log.ts';
import { identifyPlatforms } from '../platforms.ts';
import { readNumber } from '../store/engine/connection.ts';
import { markPlatform, readPlatform } from '../store/engine/identity.ts';
import { readUpstreamIdentity } from '../store/engine/upstream-names.ts';
import { createTables } from '../store/tables/index.ts';
import { loadSecrets, printLine, readSettings, Refusal } from './command.ts';
import { withDatabaseAlone } from './database-alone.ts';
import { HOST } from './verbs.ts';

const OPEN = "select count(*) from redemptions where state in ('pending', 'in_doubt')";

const platformAdopt = new Command('adopt')
  .description(
    'lets the database be served with the platform of the settings, while the service is stopped. What is in doubt is settled by whom it was sent to alone: nothing may be, unless that is the same service',
  )
  .option('--name <name>', 'of an upstream that is the same service as before, though its settings changed')
  .action(async ({ name }: { name?: string }) => {
    const config = readSettings();
    const secrets = loadSecrets(config);
    const { platform, upstreams } = identifyPlatforms(config.platform);
    await withDatabaseAlone(config, secrets, async (connection) => {
      const before = readPlatform(connection) ?? null;
      const inDoubt = readNumber(connection, OPEN);
      const write = (change: () => void, words: { before: string; after: string }) =>
        connection.transaction(() => {
          change();
          if (words.before === words.after) return;
          const about = { before: { platform: words.before }, after: { platform: words.after } };
          const adopted = { accountId: null, ...about };
          record(createTables(connection, secrets), HOST, 'platformAdopted', adopted, systemClock.now());
        })();
      if (name === undefined) {
        if (inDoubt > 0 && before !== null && before !== platform)
          throw new Refusal(formatOpen(inDoubt, before));
        // Names stand for what they stood for, until a start or --name.
        write(() => markPlatform(connection, { platform, upstreams: new Map() }), {
          before: before ?? '',
          after: platform,
        });
        return printLine({ platform, before, inDoubt });
      }
      const now = upstreams.get(name);
      if (now === undefined) throw new Refusal(formatNone(name, [...upstreams.keys()]));
      if ((before === 'sandbox') !== (platform === 'sandbox'))
        throw new Refusal(`${before} and ${platform} are not the same service.`);
      const was = readUpstreamIdentity(connection, name) ?? null;
      const one = { platform, upstreams: new Map([[name, now]]) };
      write(() => markPlatform(connection, one), { before: was ?? '', after: now });
      await printLine({ upstream: name, is: now, before: was, inDoubt });
    });
  });

const formatNone = (name: string, names: readonly string[]) =>
  `There is no upstream ${name} in the settings: there are ${names.join(', ')}.`;

const formatOpen = (open: number, before: string) =>
  `${open} redemptions are in doubt, and only ${before} can tell what became of them. Start with its settings until \`/readyz\` and /health show none; or say --name main, if the settings name the same service at a new address.`;

export const platformCommands = new Command('platform')
  .description('whom the database is served with')
  .addCommand(platformAdopt);
