// Games as people name them.
import type { BotContext } from '../context.ts';

/** Whether a game was typed, by its name or its id. */
export function isGame(ctx: Pick<BotContext, 'label'>, id: string, typed = ''): boolean {
  const said = typed.trim().toLowerCase();
  return said === id.toLowerCase() || said === ctx.label('game-name', { game: id }).toLowerCase();
}
