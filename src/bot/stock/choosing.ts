// Questions that several conversations about codes ask.
import type { BotDeps, InnerContext } from '../context.ts';
import type { Talk } from '../talk/talk.ts';

/** The game with a code database: asked for only where there are several. undefined: there is none, and it was said. */
export async function chooseGame(
  { core }: Pick<BotDeps, 'core'>,
  talk: Talk,
  ctx: InnerContext,
): Promise<string | undefined> {
  const { managed } = core.games;
  if (managed.length === 0) await talk.tell(ctx.say('codes-no-game'));
  if (managed.length < 2) return managed[0]?.id;
  const choices = managed.map(({ id }, index) => [{ label: id, value: String(index) }]);
  await talk.tell(ctx.say('codes-which-game'), choices);
  for (;;) {
    const answer = await talk.hear();
    const said = answer.kind === 'message' ? answer.message.text?.trim() : undefined;
    const game =
      answer.kind === 'choice' ? managed[Number(answer.value)] : managed.find(({ id }) => id === said);
    if (game) return game.id;
    await talk.tell(ctx.say('codes-which-game-again'), choices);
  }
}
