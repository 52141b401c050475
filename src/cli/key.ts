// `key`: the API keys of an account as the host's commands issue, list and revoke them; a key itself is shown once,
// when it is issued.
import { Command } from 'commander';

import { DAY_MS } from '../clock.ts';
import type { ApiKeySummary } from '../core/accounts/api-keys.ts';
import type { KeyLimits, KeyLimitsChange } from '../core/accounts/key-limits.ts';
import type { Store } from '../store/index.ts';
import { accountCommand, printLine, Refusal, requireOne, withDatabase } from './command.ts';
import { formatOptionalTime, HOST, openVerbs } from './verbs.ts';

interface LimitOptions {
  dayLimit?: string;
  address?: string[];
  expires?: string;
}

const collect = (value: string, before: string[] = []): string[] => [...before, value];

const withLimits = (command: Command): Command =>
  command
    .option('--day-limit <n>', 'activations in any 24 hours (12.25); none: as many as the account has')
    .option('--address <cidr>', 'taken from there alone; several: said again; none: from everywhere', collect)
    .option('--expires <day>', 'the last day in UTC, 2026-12-31; never: without an end');

/** What was said of the limits. Throws Refusal. */
function readLimitOptions({ dayLimit, address, expires }: LimitOptions): KeyLimitsChange {
  const change: { -readonly [Limit in keyof KeyLimitsChange]: KeyLimitsChange[Limit] } = {};
  if (dayLimit !== undefined) change.dayLimit = dayLimit === 'none' ? null : Number(dayLimit);
  if (address !== undefined) change.addresses = address.includes('none') ? null : address;
  if (expires === 'never') change.expiresAt = null;
  else if (expires !== undefined) {
    const day = /^\d{4}-\d\d-\d\d$/.test(expires) ? Date.parse(`${expires}T00:00:00Z`) : NaN;
    if (Number.isNaN(day)) throw new Refusal('--expires is a day, 2026-12-31, or never.');
    change.expiresAt = day + DAY_MS;
  }
  return change;
}

const keyCreate = withLimits(accountCommand('create'))
  .description('issues one more API key, shown once')
  .option('--name <name>', 'what the key is for')
  .action(
    async (
      operand: number | undefined,
      { account, name, ...said }: { account?: number; name?: string } & LimitOptions,
    ) => {
      const accountId = requireOne('account', operand, account);
      const limits = readLimitOptions(said);
      await withDatabase(async (store) => {
        const request = { accountId, name, limits };
        const { id: keyId, key: apiKey } = await openVerbs(store).apiKeys.issue(HOST, request);
        await printLine({ keyId, apiKey });
      });
    },
  );

const keySet = withLimits(new Command('set'))
  .description('sets limits of an API key; those that are not named stay')
  .argument('[KEY]', 'its number or its first 12 characters (crs_…), as `key list` tells both')
  .option('--key <id>', 'the same as an option')
  .action(async (operand: string | undefined, { key: option, ...said }: { key?: string } & LimitOptions) => {
    const asked = requireOne('key', operand, option);
    const change = readLimitOptions(said);
    await withDatabase(async (store) => {
      const keyId = findKey(store, asked);
      const { apiKeys } = openVerbs(store);
      await printLine({ keyId, ...describeLimits(await apiKeys.limit(HOST, keyId, change)) });
    });
  });

/** The number of a key by that or its beginning. Throws Refusal. */
function findKey(store: Store, asked: string): number {
  const { apiKeys } = openVerbs(store);
  const [keyId, another] = /^\d{1,15}$/.test(asked) ? [Number(asked)] : apiKeys.findByPrefix(HOST, asked);
  if (another !== undefined) throw new Refusal('Several keys begin like this. Say the number of one.');
  // What was typed may be a whole key.
  if (keyId === undefined) throw new Refusal(`There is no key ${asked.slice(0, 12)}.`);
  return keyId;
}

const describeLimits = ({ dayLimit, addresses, expiresAt }: KeyLimits): object => ({
  dayLimit: dayLimit ?? null,
  addresses: addresses ?? null,
  expiresAt: formatOptionalTime(expiresAt),
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
export function describeKey(key: ApiKeySummary): object {
  const { id, prefix, name, createdAt, lastUsedAt, revoked, limits } = key;
  return {
    keyId: id,
    prefix,
    name: name ?? null,
    createdAt: formatOptionalTime(createdAt),
    lastUsedAt: formatOptionalTime(lastUsedAt),
    revoked,
    ...describeLimits(limits),
  };
}

const keyRevoke = new Command('revoke')
  .description('ends an API key at once')
  .argument('[KEY]', 'its number or its first 12 characters (crs_…), as `key list` tells both')
  .option('--key <id>', 'the same as an option')
  .action(async (operand: string | undefined, { key: option }: { key?: string }) => {
    const asked = requireOne('key', operand, option);
    await withDatabase(async (store) => {
      const keyId = findKey(store, asked);
      const answer = await openVerbs(store).apiKeys.revoke(HOST, keyId);
      if (answer.status === 'unknownKey') throw new Refusal(`There is no key ${asked.slice(0, 12)}.`);
      const webhooks = answer.addresses.map(({ id, host }) => ({ webhookId: id, host }));
      await printLine({ keyId, revoked: true, webhooks });
    });
  });

export const keyCommands = new Command('key')
  .description('the API keys of an account')
  .addCommand(keyCreate)
  .addCommand(keySet)
  .addCommand(keyList)
  .addCommand(keyRevoke);
