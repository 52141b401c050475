// `account list`: every account, one a line.
import { Command } from 'commander';

import type { AccountSummary } from '../core/accounts/accounts.ts';
import { printLine, readSettings, requireDatabase, withStore } from './command.ts';
import { formatMoment, HOST, openVerbs } from './verbs.ts';

export const accountList = new Command('list')
  .description('lists the accounts, one a line')
  .action(async () => {
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
      const { accounts } = openVerbs(store);
      for (let after = 0; ;) {
        const page = accounts.list(HOST, { after });
        for (const account of page) await printLine(describeAccount(account));
        const last = page.at(-1);
        if (!last) return;
        after = last.id;
      }
    });
  });

/** An account as the commands print it. */
export function describeAccount(account: AccountSummary): object {
  const { id, name, createdAt, subscriptionExpiresAt, purchased, memberCount, owner } = account;
  return {
    accountId: id,
    name,
    createdAt: formatMoment(createdAt),
    subscriptionExpiresAt: formatMoment(subscriptionExpiresAt),
    purchased,
    members: memberCount,
    owner: owner ? { telegramId: owner.telegramId, name: owner.name } : null,
  };
}
