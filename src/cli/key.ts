// `key list`: the API keys of an account, by their first characters.
import type { ApiKeySummary } from '../core/accounts/api-keys.ts';
import {
  accountCommand,
  printLine,
  readSettings,
  requireDatabase,
  requireOne,
  withStore,
} from './command.ts';
import { formatMoment, HOST, openVerbs } from './verbs.ts';

export const keyList = accountCommand('list')
  .description('lists the API keys of an account, one a line')
  .action(async (operand: number | undefined, { account: option }: { account?: number }) => {
    const accountId = requireOne('account', operand, option);
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
