// `key revoke`: ends an API key at once.
import { Command } from 'commander';

import { printLine, readSettings, Refusal, requireDatabase, toWhole, withStore } from './command.ts';
import { HOST, openVerbs } from './verbs.ts';

export const keyRevoke = new Command('revoke')
  .description('ends an API key at once')
  .requiredOption('--key <id>', 'number of the key, as `key list` tells it', toWhole)
  .action(async ({ key: keyId }: { key: number }) => {
    const config = readSettings();
    requireDatabase(config);
    await withStore(config, async (store) => {
      const answer = await openVerbs(store).apiKeys.revoke(HOST, keyId);
      if (answer.status === 'unknownKey') throw new Refusal(`There is no key ${keyId}.`);
      const webhooks = answer.addresses.map(({ id, host }) => ({ webhookId: id, host }));
      await printLine({ keyId, revoked: true, webhooks });
    });
  });
