// /console: a link into the console, for whoever asks, and the end of a session that was told of. Without a console
// there is no such command.
import { InlineKeyboard } from 'grammy';

import { actingOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { requiresInsider } from '../actor.ts';

export function createConsoleFeature(deps: BotDeps): Feature {
  const { core, settings } = deps;
  const handlers = new Handlers();
  const url = settings.consoleUrl;
  if (url === undefined) return { commands: [], handlers };
  handlers.command('console', requiresInsider(), async (ctx) => {
    const actor = actingOf(ctx);
    const link = `${url}/enter/${await core.consoleAccess.link(actor, ctx.from?.id ?? 0)}`;
    // Telegram takes no button to this machine.
    if (!url.startsWith('https:')) return void (await reply(ctx, ctx.say('console-link-here', { link })));
    await reply(
      ctx,
      ctx.say('console-link'),
      new InlineKeyboard().url(ctx.label('console-button-open'), link),
    );
  });
  handlers.callbackQuery(/^console:end:(\d{1,15})$/, requiresInsider(), (ctx) =>
    end(deps, ctx, Number(ctx.match[1])),
  );
  return { commands: [{ name: 'console', for: 'membersAndHosts' }], handlers };
}

async function end({ core }: BotDeps, ctx: BotContext, sessionId: number): Promise<void> {
  const isEnded = await core.consoleAccess.end(actingOf(ctx), sessionId);
  answerTap(ctx);
  await editHtml(ctx, ctx.say(isEnded ? 'console-ended' : 'console-ended-before'));
}
