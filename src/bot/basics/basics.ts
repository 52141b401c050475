// /start, /help, /cancel: who you are, what you may do, and the way out. Deep links of /start belong to other features.
import { InlineKeyboard } from 'grammy';

import type { BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { commandsFor } from '../talk/menus.ts';
import { reply } from '../replies.ts';

export function createBasics(_deps: BotDeps, features: readonly Feature[]): Feature {
  const handlers = new Handlers();

  handlers.command('help', async (ctx) => {
    const all = commandsFor(features, ctx.actor, ctx.isHost);
    const entries = ctx.isPrivate ? all : all.filter(({ inGroups }) => inGroups);
    const lines = entries.map(({ name }) => `/${name} — ${ctx.say(`command-${name.replaceAll('_', '-')}`)}`);
    if (!ctx.isPrivate && ctx.actor) lines.push(ctx.say('help-group-receipt'));
    const title = ctx.say(ctx.isPrivate ? 'help-title' : 'help-title-group');
    const rest = ctx.isPrivate ? '' : `\n\n${ctx.say('help-group-rest')}`;
    await reply(ctx, `${title}\n\n${lines.join('\n')}${rest}`, new InlineKeyboard());
  });

  return {
    commands: [
      { name: 'help', for: 'everyone', inGroups: true },
      { name: 'cancel', for: 'everyone' },
    ],
    handlers,
  };
}
