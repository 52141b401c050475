// `key`: the API keys of an account as the host's commands issue, list and revoke them; a key itself is shown once,
// when it is issued.
import { Command } from 'commander';

import type { ApiKeySummary } from '../core/accounts/api-keys.ts';
import { accountCommand, printLine, Refusal, requireOne, withDatabase } from './command.ts';
import { formatOptionalTime, HOST, openVerbs } from './verbs.ts';

const keyCreate = accountCommand('create')
  .description('issues one more API key, shown once')
  .option('--name <name>', 'what the key is for')
  .action(async (operand: number | undefined, { account, name }: { account?: number; name?: string }) => {
    const accountId = requireOne('account', operand, account);
    await withDatabase(async (store) => {
      const request = { accountId, name };
      const { id: keyId, key: apiKey } = await openVerbs(store).apiKeys.issue(HOST, request);
      await printLine({ keyId, apiKey });
    });
  });

const keyList = accountCommand('list')
  .description('lists the API keys of an account, one a line')
  .action(async (operand: number | undefined, { account: option }: { account?: number }) => {
    const accountId = requireOne('account', operand, option);
    await withDatabase(async (store) => {
      for (const key of openVerbs(store).apiKeys.list(HOST, accountId)) await printLine(describeKey(key));
    });
  });

/** A key as the commands print it; never the key itself. */
export function describeKey({ id, prefix, name, createdAt, lastUsedAt, revoked }: ApiKeySummary): object {
  return {
    keyId: id,
    prefix,
    name: name ?? null,
    createdAt: formatOptionalTime(createdAt),
    lastUsedAt: formatOptionalTime(lastUsedAt),
    revoked,
  };
}

const keyRevoke = new Command('revoke')
  .description('ends an API key at once')
  .argument('[KEY]', 'its number or its first 12 characters (crs_…), as `key list` tells both')
  .option('--key <id>', 'the same as an option')
  .action(async (operand: string | undefined, { key: option }: { key?: string }) => {
    const asked = requireOne('key', operand, option);
    await withDatabase(async (store) => {
      const { apiKeys } = openVerbs(store);
      const [keyId, another] = /^\d{1,15}$/.test(asked) ? [Number(asked)] : apiKeys.findByPrefix(HOST, asked);
      if (another !== undefined) throw new Refusal('Several keys begin like this. Say the number of one.');
      const answer = keyId === undefined ? undefined : await apiKeys.revoke(HOST, keyId);
      // What was typed may be a whole key.
      if (!answer || answer.status === 'unknownKey')
        throw new Refusal(`There is no key ${asked.slice(0, 12)}.`);
      const webhooks = answer.addresses.map(({ id, host }) => ({ webhookId: id, host }));
      await printLine({ keyId, revoked: true, webhooks });
    });
  });

export const keyCommands = new Command('key')
  .description('the API keys of an account')
  .addCommand(keyCreate)
  .addCommand(keyList)
  .addCommand(keyRevoke);
