// `console`: links into the console, where there is no bot to ask for one, and for hosts.
import { Command } from 'commander';

import { readSettings, printLine, Refusal, toWhole } from './command.ts';
import { HOST, withVerbs } from './verbs.ts';

const consoleLink = new Command('link')
  .description('makes a link that lets one browser in within five minutes, as a member or as one of HOST_IDS')
  .requiredOption('--telegram <id>', 'the Telegram number of whoever is to enter', toWhole)
  .action(async ({ telegram }: { telegram: number }) => {
    const { console: settings } = readSettings();
    if (!settings) throw new Refusal('There is no console: set CONSOLE_URL, and start the service again.');
    await withVerbs(async ({ members, consoleAccess }) => {
      if (!settings.hostIds.includes(telegram) && !members.findActor(telegram))
        throw new Refusal(`Nobody of the number ${telegram} is in an account, or among HOST_IDS.`);
      await printLine({ link: `${settings.url}/enter/${await consoleAccess.link(HOST, telegram)}` });
    });
  });

export const consoleCommands = new Command('console')
  .description('the console in the browser')
  .addCommand(consoleLink);
