// `account create`: an account with its first API key.
import { Command } from 'commander';

import { printLine, readSettings, toWhole, withStore } from './command.ts';
import { HOST, openVerbs } from './verbs.ts';

export const accountCreate = new Command('create')
  .description('opens an account with its first API key, shown once')
  .requiredOption('--name <name>', 'what people call it')
  .option('--days <n>', 'days of subscription', toWhole)
  .option('--purchased <n>', 'activations beside the daily quota', toWhole)
  .action(async (request: { name: string; days?: number; purchased?: number }) =>
    withStore(readSettings(), async (store) => {
      await printLine(await openVerbs(store).accounts.create(HOST, request));
    }),
  );
