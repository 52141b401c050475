// Questions that several conversations about codes ask. What a button carries says which question it answers: those of
// an earlier one stay on the screen, and are pressed twice.
import type { Message } from 'grammy/types';

import type { BotDeps, InnerContext } from '../context.ts';
import { isGame } from '../prompts/games.ts';
import type { Prompts } from '../conversation.ts';
import { buttonId, MOST_CHOICES } from '../prompts/prompts.ts';

/**
 * The game with a code database: asked for only where there are several. undefined: there is none, and it was said.
 * `note` sees every message that names none: it may be the next piece of a paste.
 */
export async function chooseGame(
  { core }: Pick<BotDeps, 'core'>,
  prompts: Prompts,
  ctx: InnerContext,
  note?: (message: Message) => void,
): Promise<string | undefined> {
  const { managed } = core.games;
  if (managed.length === 0) await prompts.reply(ctx.say('codes-no-game'));
  if (managed.length < 2) return managed[0]?.id;
  const choices = managed
    .slice(0, MOST_CHOICES)
    .map(({ id }) => [{ label: ctx.label('game-name', { game: id }), value: `game-${buttonId(id)}` }]);
  await prompts.reply(ctx.say('codes-which-game'), choices);
  for (;;) {
    const answer = await prompts.hear();
    const game = managed.find(({ id }) =>
      answer.kind === 'choice'
        ? answer.value === `game-${buttonId(id)}`
        : isGame(ctx, id, answer.message.text),
    );
    if (game) return game.id;
    if (answer.kind === 'message') note?.(answer.message);
    await prompts.reply(ctx.say('codes-which-game-again'), choices);
  }
}
