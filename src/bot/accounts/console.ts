// /console: a link into the console, for whoever asks, and the end of a session that was told of. Without a console
// there is no such command.
import { InlineKeyboard } from 'grammy';

import { actingOf, type BotContext, type BotDeps } from '../context.ts';
import { button, wholeNumber, type Feature } from '../feature.ts';
import { editHtml, reply } from '../replies.ts';

export function createConsoleFeature(deps: BotDeps): Feature {
  const { core, settings } = deps;
  const url = settings.consoleUrl;
  if (url === undefined) return {};
  const run = async (ctx: BotContext): Promise<void> => {
    const actor = actingOf(ctx);
    const link = `${url}/enter/${await core.consoleAccess.link(actor, ctx.from?.id ?? 0)}`;
    // Telegram takes no button to this machine.
    if (!url.startsWith('https:')) return void (await reply(ctx, ctx.say('console-link-here', { link })));
    await reply(
      ctx,
      ctx.say('console-link'),
      new InlineKeyboard().url(ctx.label('console-button-open'), link),
    );
  };
  return {
    commands: { console: { needs: 'insiders', run } },
    buttons: { 'console:end': button('insiders', [wholeNumber()], (ctx, id) => end(deps, ctx, id)) },
  };
}

async function end({ core }: BotDeps, ctx: BotContext, sessionId: number): Promise<void> {
  const isEnded = await core.consoleAccess.end(actingOf(ctx), sessionId);
  await editHtml(ctx, ctx.say(isEnded ? 'console-ended' : 'console-ended-before'));
}
