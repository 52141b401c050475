// `key create`: one more API key of an account.
import {
  accountCommand,
  printLine,
  readSettings,
  requireDatabase,
  requireOne,
  withStore,
} from './command.ts';
import { HOST, openVerbs } from './verbs.ts';

export const keyCreate = accountCommand('create')
  .description('issues one more API key, shown once')
  .option('--name <name>', 'what the key is for')
  .action(async (operand: number | undefined, { account, name }: { account?: number; name?: string }) => {
    const accountId = requireOne('account', operand, account);
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
      const request = { accountId, ...(name !== undefined && { name }) };
      const { id: keyId, key: apiKey } = await openVerbs(store).apiKeys.issue(HOST, request);
      await printLine({ keyId, apiKey });
    });
  });
