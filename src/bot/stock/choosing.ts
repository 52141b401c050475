// Questions that several conversations about codes ask.
import type { BotDeps, InnerContext } from '../context.ts';
import { buttonId, MOST_CHOICES, type Talk } from '../talk/talk.ts';

/** The game with a code database: asked for only where there are several. undefined: there is none, and it was said. */
export async function chooseGame(
  { core }: Pick<BotDeps, 'core'>,
  talk: Talk,
  ctx: InnerContext,
): Promise<string | undefined> {
  const { managed } = core.games;
  if (managed.length === 0) await talk.tell(ctx.say('codes-no-game'));
  if (managed.length < 2) return managed[0]?.id;
  const choices = managed.slice(0, MOST_CHOICES).map(({ id }) => [{ label: id, value: buttonId(id) }]);
  await talk.tell(ctx.say('codes-which-game'), choices);
  for (;;) {
    const answer = await talk.hear();
    const said = answer.kind === 'message' ? answer.message.text?.trim() : undefined;
    const game =
      answer.kind === 'choice'
        ? managed.find(({ id }) => buttonId(id) === answer.value)
        : managed.find(({ id }) => id === said);
    if (game) return game.id;
    await talk.tell(ctx.say('codes-which-game-again'), choices);
  }
}
