// /help and the first lines of /start: what works without a command, and the commands in groups. Deep links of /start
// belong to other features.
import { grantOf } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Command, Feature } from '../feature.ts';
import { commandsFor } from '../prompts/menus.ts';
import { reply } from '../replies.ts';

/** The commands of /help, by the heading they stand under. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  service: ['accounts', 'payments', 'grant', 'refund', 'health'],
  day: ['start', 'redeem', 'find', 'receipt', 'history', 'orders', 'cancel'],
  stock: ['stock', 'add_codes', 'batches', 'extract_codes', 'links'],
  money: ['quota', 'buy_activations', 'subscribe', 'stats', 'export', 'paysupport', 'terms'],
  settings: ['members', 'invite', 'api_key', 'log', 'console', 'settings', 'help'],
};

/** Commands that left: each has a sentence on where it is now. */
const LEFT = ['webhooks', 'upstreams'] as const;

export function createBasicsFeature(deps: BotDeps, features: readonly Feature[]): Feature {
  const help = async (ctx: BotContext): Promise<void> => {
    const all = commandsFor(features, ctx.actor, ctx.isHost);
    if (ctx.isPrivate) {
      const known = new Set(all.map(({ name }) => name));
      const groups = Object.entries(GROUPS).flatMap(([group, names]) => {
        const lines = names.filter((name) => known.has(name)).map((name) => describe(ctx, name));
        return lines.length === 0 ? [] : [[ctx.say(`help-group-${group}`), ...lines].join('\n')];
      });
      const hint = ctx.actor || ctx.isHost ? [ctx.say(hintFor(deps, ctx))] : [];
      return void (await reply(ctx, [...hint, ...groups].join('\n\n')));
    }
    const lines = all.filter(({ inGroups }) => inGroups).map(({ name }) => describe(ctx, name));
    if (ctx.actor) lines.push(ctx.say('help-in-group-receipt'));
    await reply(
      ctx,
      `${ctx.say('help-in-group')}\n\n${lines.join('\n')}\n\n${ctx.say('help-in-group-rest')}`,
    );
  };

  return {
    commands: {
      help: { needs: 'everyone', inGroups: true, run: help },
      // Left before it comes here, with whatever is under way.
      cancel: { needs: 'everyone', run: () => undefined },
      ...Object.fromEntries(LEFT.map((left) => [left, sayLeft(left)])),
    },
  };
}

const sayLeft = (left: string): Command => ({
  needs: 'everyone',
  menu: 'nobody',
  run: (ctx) => reply(ctx, ctx.say(`left-${left}`)),
});

const describe = (ctx: BotContext, name: string): string =>
  `/${name} — ${ctx.say(`command-${name.replaceAll('_', '-')}`)}`;

/** The key of what a person does here without a command. */
export function hintFor({ core }: Pick<BotDeps, 'core'>, { actor, isHost }: BotContext): string {
  if (isHost && (!actor || !core.accounts.isSubscriptionActive(actor.accountId))) return 'hint-accounts';
  return actor && grantOf(actor, 'redeem') !== 'no' ? 'hint-order' : 'hint-find';
}
