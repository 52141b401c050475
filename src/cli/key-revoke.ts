// `key revoke`: ends an API key at once.
import { Command } from 'commander';

import { printLine, readSettings, Refusal, requireDatabase, requireOne, withStore } from './command.ts';
import { HOST, openVerbs } from './verbs.ts';

export const keyRevoke = new Command('revoke')
  .description('ends an API key at once')
  .argument('[KEY]', 'its number or its first 12 characters (crs_…), as `key list` tells both')
  .option('--key <id>', 'the same as an option')
  .action(async (operand: string | undefined, { key: option }: { key?: string }) => {
    const asked = requireOne('key', operand, option);
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
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
