// /start, /help, /cancel: who you are, what you may do, and the way out. Deep links of /start belong to other features.
import { Composer, InlineKeyboard } from 'grammy';

import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { commandsFor } from '../talk/menus.ts';
import { reply } from '../replies.ts';

export function createBasics(_deps: BotDeps, features: readonly Feature[]): Feature {
  const handlers = new Composer<BotContext>();

  handlers.command('help', async (ctx) => {
    const entries = commandsFor(features, ctx.actor, ctx.isHost);
    const lines = entries.map(({ name }) => `/${name} — ${ctx.say(`command-${name.replaceAll('_', '-')}`)}`);
    await reply(ctx, `${ctx.say('help-title')}\n\n${lines.join('\n')}`, new InlineKeyboard());
  });

  return {
    commands: [
      { name: 'help', for: 'everyone', inGroups: true },
      { name: 'cancel', for: 'everyone' },
    ],
    handlers,
  };
}
