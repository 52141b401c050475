// `account create`: an account with its first API key. Who reads at a terminal is told how its owner comes in.
import { Command } from 'commander';

import type { Config } from '../config.ts';
import type { Store } from '../store/index.ts';
import { askBotName } from './bot-name.ts';
import { answersPerson, printLine, readSettings, toWhole, withStore } from './command.ts';
import { HOST, openVerbs } from './verbs.ts';

export const accountCreate = new Command('create')
  .description('opens an account with its first API key, shown once')
  .requiredOption('--name <name>', 'what people call it')
  .option('--days <n>', 'days of subscription', toWhole)
  .option('--purchased <n>', 'activations beside the daily quota', toWhole)
  .action(async (request: { name: string; days?: number; purchased?: number }) => {
    const config = readSettings();
    await withStore(config, async (store) => {
      const created = await openVerbs(store).accounts.create(HOST, request);
      const owner = answersPerson() && { owner: await inviteOwner(store, config, created.accountId) };
      await printLine({ ...created, ...owner });
    });
  });

/** A link for its owner, good for a day; without the name of the bot, where there is one. */
async function inviteOwner(store: Store, { bot }: Config, accountId: number): Promise<string> {
  if (!bot) return 'nobody yet: a bot invites the owner, once TELEGRAM_BOT_TOKEN is set';
  const { username } = await askBotName(bot);
  const invitation = username && (await openVerbs(store).inviteOwner(accountId));
  if (!invitation) return 'nobody yet: /accounts in the bot gives a link for the owner';
  return `within 24 hours whoever opens https://t.me/${username}?start=join_${invitation.token}`;
}
