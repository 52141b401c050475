// `key create`: one more API key of an account.
import { Command } from 'commander';

import { printLine, readSettings, requireDatabase, toWhole, withStore } from './command.ts';
import { HOST, openVerbs } from './verbs.ts';

export const keyCreate = new Command('create')
  .description('issues one more API key, shown once')
  .requiredOption('--account <id>', 'number of the account', toWhole)
  .option('--name <name>', 'what the key is for')
  .action(async ({ account: accountId, name }: { account: number; name?: string }) => {
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
      const request = { accountId, ...(name !== undefined && { name }) };
      const { id: keyId, key: apiKey } = await openVerbs(store).apiKeys.issue(HOST, request);
      await printLine({ keyId, apiKey });
    });
  });
