// `key list`: the API keys of an account, by their first characters.
import { Command } from 'commander';

import type { ApiKeySummary } from '../core/accounts/api-keys.ts';
import { printLine, readSettings, requireDatabase, toWhole, withStore } from './command.ts';
import { formatMoment, HOST, openVerbs } from './verbs.ts';

export const keyList = new Command('list')
  .description('lists the API keys of an account, one a line')
  .requiredOption('--account <id>', 'number of the account', toWhole)
  .action(async ({ account: accountId }: { account: number }) => {
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
      for (const key of openVerbs(store).apiKeys.list(HOST, accountId)) await printLine(describeKey(key));
    });
  });

/** A key as the commands print it; never the key itself. */
export function describeKey({ id, prefix, name, createdAt, lastUsedAt, revoked }: ApiKeySummary): object {
  return {
    keyId: id,
    prefix,
    name: name ?? null,
    createdAt: formatMoment(createdAt),
    lastUsedAt: formatMoment(lastUsedAt),
    revoked,
  };
}
