// `key`: the API keys of an account as the host's commands issue, list and revoke them; a key itself is shown once,
// when it is issued.
import { Command } from 'commander';

import { DAY_MS } from '../clock.ts';
import type { ApiKeySummary } from '../core/accounts/api-keys.ts';
import type { KeyLimits, KeyLimitsChange } from '../core/accounts/key-limits.ts';
import { accountCommand, printLine, Refusal } from './command.ts';
import { formatOptionalTime, HOST, withVerbs, type openVerbs } from './verbs.ts';

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

/** A command about one key. */
const keyCommand = (name: string): Command =>
  new Command(name).argument(
    '<KEY>',
    'its number or its first 12 characters (crs_…), as `key list` tells both',
  );

const keyCreate = withLimits(accountCommand('create'))
  .description('issues one more API key, shown once')
  .option('--name <name>', 'what the key is for')
  .action(async (accountId: number, { name, ...said }: { name?: string } & LimitOptions) => {
    const limits = readLimitOptions(said);
    await withVerbs(async ({ apiKeys }) => {
      const { id: keyId, key: apiKey } = await apiKeys.issue(HOST, { accountId, name, limits });
      await printLine({ keyId, apiKey });
    });
  });

const keySet = withLimits(keyCommand('set'))
  .description('sets limits of an API key; those that are not named stay')
  .action(async (asked: string, said: LimitOptions) => {
    const change = readLimitOptions(said);
    await withVerbs(async ({ apiKeys }) => {
      const keyId = findKey(apiKeys, asked);
      await printLine({ keyId, ...describeLimits(await apiKeys.limit(HOST, keyId, change)) });
    });
  });

/** The number of a key by that or its beginning. Throws Refusal. */
function findKey(apiKeys: ReturnType<typeof openVerbs>['apiKeys'], asked: string): number {
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
  .action(async (accountId: number) => {
    await withVerbs(async ({ apiKeys }) => {
      for (const key of apiKeys.list(HOST, accountId)) await printLine(describeKey(key));
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

const keyRevoke = keyCommand('revoke')
  .description('ends an API key at once')
  .action(async (asked: string) => {
    await withVerbs(async ({ apiKeys }) => {
      const keyId = findKey(apiKeys, asked);
      const answer = await apiKeys.revoke(HOST, keyId);
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
