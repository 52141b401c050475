// `account show`: one account, with its quota and its keys.
import { systemClock } from '../clock.ts';
import { readQuota } from '../core/quota/charges.ts';
import { openCoreClock } from '../core/steady.ts';
import { describeAccount } from './account-list.ts';
import {
  accountCommand,
  printLine,
  readSettings,
  requireDatabase,
  requireOne,
  withStore,
} from './command.ts';
import { describeKey } from './key-list.ts';
import { HOST, openVerbs, requireAccount } from './verbs.ts';

export const accountShow = accountCommand('show')
  .description('shows one account: subscription, quota, members, keys')
  .action(async (operand: number | undefined, { account: option }: { account?: number }) => {
    const accountId = requireOne('account', operand, option);
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
      const { accounts, apiKeys } = openVerbs(store);
      const account = requireAccount(accounts, accountId);
      const { daily } = store.read((tables) =>
        readQuota(tables, accountId, openCoreClock(store, systemClock).steadyNow()),
      );
      const keys = apiKeys.list(HOST, accountId).map(describeKey);
      await printLine({ ...describeAccount(account), daily, keys });
    });
  });
