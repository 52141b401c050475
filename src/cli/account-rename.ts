// `account rename`: what people call an account from now on.
import {
  accountCommand,
  printLine,
  readSettings,
  requireDatabase,
  requireOne,
  withStore,
} from './command.ts';
import { HOST, openVerbs, requireAccount } from './verbs.ts';

export const accountRename = accountCommand('rename')
  .description('gives an account another name')
  .requiredOption('--name <name>', 'what people call it from now on')
  .action(
    async (operand: number | undefined, { account: option, name }: { account?: number; name: string }) => {
      const asked = requireOne('account', operand, option);
      const config = readSettings();
      requireDatabase(config);
      await withStore(config, async (store) => {
        const { accounts } = openVerbs(store);
        const { id: accountId } = requireAccount(accounts, asked);
        await printLine({ accountId, name: await accounts.rename(HOST, accountId, name) });
      });
    },
  );
