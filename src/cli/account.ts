// `account`: the subscribers as the host's commands open, list, show, extend and rename them.
import { Command } from 'commander';

import { systemClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { AccountSummary } from '../core/accounts/accounts.ts';
import { REOPENED_WITHIN_DAYS, SUSPENSIONS, type Suspension } from '../core/accounts/suspensions.ts';
import { readQuota } from '../core/quota/usage.ts';
import { openCoreClock } from '../core/monotonic-scale.ts';
import type { Store } from '../store/index.ts';
import { askBotName } from './bot-name.ts';
import {
  accountCommand,
  answersPerson,
  printLine,
  readSettings,
  Refusal,
  toChange,
  toWhole,
  withStore,
} from './command.ts';
import { describeKey } from './key.ts';
import { formatOptionalTime, HOST, openVerbs, requireListedAccount, withVerbs } from './verbs.ts';

const accountCreate = new Command('create')
  .description('opens an account with its first API key, shown once')
  .requiredOption('--name <name>', 'what people call it')
  .option('--days <n>', 'days of subscription', toWhole)
  .option('--purchased <n>', 'activations beside the daily quota', toWhole)
  .action(async (request: { name: string; days?: number; purchased?: number }) => {
    const config = readSettings();
    await withStore(config, async (store) => {
      const created = await openVerbs(store).accounts.create(HOST, request);
      const owner = answersPerson() && { owner: await inviteOwner(store, config, created.accountId) };
      await printLine({ ...created, ...owner });
    });
  });

/** A link for its owner, good for a day; without the name of the bot, where there is one. */
async function inviteOwner(store: Store, { bot }: Config, accountId: number): Promise<string> {
  if (!bot) return 'nobody yet: a bot invites the owner, once TELEGRAM_BOT_TOKEN is set';
  const { username } = await askBotName(bot);
  const invitation = username && (await openVerbs(store).inviteOwner(accountId));
  if (!invitation) return 'nobody yet: /accounts in the bot gives a link for the owner';
  return `within 24 hours whoever opens https://t.me/${username}?start=join_${invitation.token}`;
}

const accountList = new Command('list').description('lists the accounts, one a line').action(async () => {
  await withVerbs(async ({ accounts }) => {
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
function describeAccount(account: AccountSummary): object {
  const { id, name, createdAt, subscriptionExpiresAt, state, purchased, memberCount, owner } = account;
  return {
    accountId: id,
    name,
    createdAt: formatOptionalTime(createdAt),
    subscriptionExpiresAt: formatOptionalTime(subscriptionExpiresAt),
    state,
    purchased,
    members: memberCount,
    owner: owner ? { telegramId: owner.telegramId, name: owner.name } : null,
  };
}

const accountShow = accountCommand('show')
  .description('shows one account: subscription, quota, members, keys')
  .action(async (accountId: number) => {
    await withVerbs(async ({ accounts, apiKeys }, store) => {
      const account = requireListedAccount(accounts, accountId);
      const { daily } = store.read((tables) =>
        readQuota(tables, accountId, openCoreClock(store, systemClock).monotonicNow()),
      );
      const keys = apiKeys.list(HOST, accountId).map(describeKey);
      await printLine({ ...describeAccount(account), daily, keys });
    });
  });

const accountGrant = accountCommand('grant')
  .description('adds days to the subscription of an account, activations to its balance, or both')
  .option('--days <n>', 'days of subscription, added to what is left; -3 takes three back', toChange)
  .option('--purchased <n>', 'activations beside the daily quota', toWhole)
  .action(async (accountId: number, given: { days?: number; purchased?: number }) => {
    if (!given.days && !given.purchased) throw new Refusal('Give --days, --purchased, or both.');
    await withVerbs(async ({ accounts }) => {
      const { subscriptionExpiresAt } = await accounts.grant(HOST, { accountId, ...given });
      await printLine({
        accountId,
        subscriptionExpiresAt: formatOptionalTime(subscriptionExpiresAt),
        purchased: requireListedAccount(accounts, accountId).purchased,
      });
    });
  });

const accountRename = accountCommand('rename')
  .description('gives an account another name')
  .requiredOption('--name <name>', 'what people call it from now on')
  .action(async (asked: number, { name }: { name: string }) => {
    await withVerbs(async ({ accounts }) => {
      const { id: accountId } = requireListedAccount(accounts, asked);
      await printLine({ accountId, name: await accounts.rename(HOST, accountId, name) });
    });
  });

const SUSPENSION_HELP: Record<Suspension, string> = {
  pause: 'stops what spends codes or hands them out; doubts go on to their end',
  resume: 'undoes pause',
  close: `ends the keys, members and subscription of an account; undone by reopen within ${REOPENED_WITHIN_DAYS} days`,
  reopen: 'undoes close',
};

const suspensionCommands = SUSPENSIONS.map((change) =>
  accountCommand(change)
    .description(SUSPENSION_HELP[change])
    .action(async (asked: number) => {
      await withVerbs(async ({ accounts }) => {
        const { id: accountId } = requireListedAccount(accounts, asked);
        const { status } = await accounts.suspend(HOST, accountId, change);
        const { state, memberCount: members } = requireListedAccount(accounts, accountId);
        await printLine({ accountId, status, state, members });
      });
    }),
);

export const accountCommands = new Command('account')
  .description('the subscribers')
  .addCommand(accountCreate)
  .addCommand(accountList)
  .addCommand(accountShow)
  .addCommand(accountGrant)
  .addCommand(accountRename);
for (const command of suspensionCommands) accountCommands.addCommand(command);
