// `account grant`: days of subscription, activations, or both; days may be taken back.
import {
  accountCommand,
  printLine,
  readSettings,
  Refusal,
  requireDatabase,
  requireOne,
  toChange,
  toWhole,
  withStore,
} from './command.ts';
import { formatMoment, HOST, openVerbs, requireAccount } from './verbs.ts';

export const accountGrant = accountCommand('grant')
  .description('adds days to the subscription of an account, activations to its balance, or both')
  .option('--days <n>', 'days of subscription, added to what is left; -3 takes three back', toChange)
  .option('--purchased <n>', 'activations beside the daily quota', toWhole)
  .action(
    async (
      operand: number | undefined,
      { account: option, ...given }: { account?: number; days?: number; purchased?: number },
    ) => {
      const accountId = requireOne('account', operand, option);
      if (!given.days && !given.purchased) throw new Refusal('Give --days, --purchased, or both.');
      const config = readSettings();
      requireDatabase(config);
      await withStore(config, async (store) => {
        const { accounts } = openVerbs(store);
        const { subscriptionExpiresAt } = await accounts.grant(HOST, { accountId, ...given });
        await printLine({
          accountId,
          subscriptionExpiresAt: formatMoment(subscriptionExpiresAt),
          purchased: requireAccount(accounts, accountId).purchased,
        });
      });
    },
  );
