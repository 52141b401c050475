// /start: who you are and what you do most; deep links are in start-links.ts.
import { InlineKeyboard } from 'grammy';

import type { Api } from 'grammy';
import type { User } from 'grammy/types';
import type { MemberActor, OpenOwnAnswer, Role } from '../../core/index.ts';
import { commandData } from '../prompts/command-buttons.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { commandsFor, setOwnMenu } from '../prompts/menus.ts';
import { prepareNewAccount } from '../outbox/new-accounts.ts';
import { toPerson } from '../actor.ts';
import { reply } from '../replies.ts';
import { name, writeActivations } from '../texts.ts';
import { wayOutKey } from '../errors.ts';
import { hintFor } from './basics.ts';
import { createStartLinks } from './start-links.ts';

/** What each role does most, in the order of the buttons. */
const MOST_DONE: Record<Role, readonly string[]> = {
  owner: ['redeem', 'add_codes', 'stock', 'history', 'stats', 'members'],
  admin: ['redeem', 'add_codes', 'stock', 'history', 'stats', 'members'],
  operator: ['redeem', 'add_codes', 'stock', 'quota'],
  support: ['find', 'history', 'stock', 'quota'],
};
const HOST_DOES = ['accounts', 'health'] as const;

/** `api` sets the menu of the chat. */
export function createStartFeature(deps: BotDeps, api: Api, features: readonly Feature[]): Feature {
  const links = createStartLinks(deps, (ctx) => home(deps, features, ctx));

  const run = async (ctx: BotContext, text: string): Promise<void> => {
    if (!ctx.isPrivate) {
      const keyboard = new InlineKeyboard().url(
        ctx.label('start-open-private'),
        `https://t.me/${ctx.me.username}`,
      );
      await reply(ctx, ctx.say('start-group'), keyboard);
      return;
    }
    const followed = await links.follow(ctx, text);
    if (!followed) await home(deps, features, ctx);
    const { actor, isHost, language } = ctx;
    setOwnMenu(api, deps, features, { telegramId: ctx.from?.id ?? 0, actor, isHost, language });
  };
  return { commands: { start: { needs: 'everyone', inGroups: true, run } } };
}

/** Who is talking and what they do most. A stranger gets an account of their own where the host lets everybody in. */
async function home(deps: BotDeps, features: readonly Feature[], ctx: BotContext): Promise<void> {
  if (!ctx.actor && deps.settings.openSignup && ctx.from) {
    const { status, actor } = await openOwn(deps, ctx.from);
    ctx.actor = actor;
    if (status === 'opened') await reply(ctx, ctx.say('start-opened'));
  }
  const { actor } = ctx;
  if (!actor) {
    const html = ctx.isHost
      ? withSandbox(deps, ctx, ctx.say('start-host'))
      : ctx.say('start-stranger', { id: String(ctx.from?.id ?? '') });
    await reply(ctx, html, keyboardFor(features, ctx));
    return;
  }
  await reply(ctx, withSandbox(deps, ctx, describe(deps, ctx, actor)), keyboardFor(features, ctx));
}

/** The hosts are told of it in the same transaction. */
function openOwn(deps: BotDeps, from: User): Promise<OpenOwnAnswer> {
  const person = toPerson(from);
  const formatOpened = prepareNewAccount(deps, from);
  const inTransaction = deps.store.inTransaction(({ actor: { accountId } }: OpenOwnAnswer) => ({
    messages: formatOpened({ accountId, name: person.name }),
  }));
  return deps.core.accounts.openOwn(person, inTransaction);
}

/** The host is told what customers are not redeemed by, and how that is changed. */
function withSandbox({ core }: BotDeps, ctx: BotContext, html: string): string {
  return ctx.isHost && core.health.isSandbox ? `${html}\n\n${ctx.say('start-sandbox')}` : html;
}

/** Four lines, and one more where the subscription has ended. Nothing is sold to the host. */
function describe({ core }: BotDeps, ctx: BotContext, actor: MemberActor): string {
  const account = core.accounts.find(actor.accountId);
  const { daily, purchased } = core.quota(actor);
  const isActive = core.accounts.isSubscriptionActive(actor.accountId);
  const lines = [
    ctx.say('start-who', { account: name(account?.name ?? ''), role: actor.role }),
    ctx.say(hintFor({ core }, ctx)),
    ctx.say(isActive ? 'start-quota' : 'start-quota-off', {
      left: writeActivations(ctx.language, daily.remaining),
      limit: String(daily.limit),
      purchased: writeActivations(ctx.language, purchased),
    }),
    ctx.say('start-stock', { stock: describeStock({ core }, ctx, actor) }),
  ];
  if (!isActive && !ctx.isHost) {
    const key = account?.subscriptionExpiresAt === undefined ? 'subscription-first' : 'subscription-needed';
    lines.push('', ctx.say(wayOutKey(ctx, key)));
  }
  return lines.join('\n');
}

function describeStock({ core }: Pick<BotDeps, 'core'>, ctx: BotContext, actor: MemberActor): string {
  const stockKeys = core.games.managed.flatMap((game) =>
    [...core.codes.countAvailable(actor, game.id)]
      .filter(([, count]) => count > 0)
      .map(([denomination, count]) => `${denomination} ${game.currency} × ${count}`),
  );
  return stockKeys.length === 0 ? ctx.label('start-stock-empty') : stockKeys.join(' · ');
}

function keyboardFor(features: readonly Feature[], ctx: BotContext): InlineKeyboard {
  const known = new Set(commandsFor(features, ctx.actor, ctx.isHost).map((entry) => entry.name));
  const wanted = [...(ctx.isHost ? HOST_DOES : []), ...(ctx.actor ? MOST_DONE[ctx.actor.role] : [])];
  const keyboard = new InlineKeyboard();
  wanted
    .filter((command) => known.has(command))
    .forEach((command, index) => {
      if (index > 0 && index % 2 === 0) keyboard.row();
      keyboard.text(ctx.label(`start-button-${command.replaceAll('_', '-')}`), commandData(command));
    });
  return keyboard;
}
