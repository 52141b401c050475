// Which game is meant, of those with a code database: asked for only where there are several.
import type { Allowed } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { button, checked, word, type Feature } from '../feature.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { buttonId, CHOICE_MS, isGame, MOST_CHOICES, showChoices, takeChoice } from '../prompts/choices.ts';
import { reply } from '../replies.ts';

interface GameQuestion<P> extends Pick<Feature, 'buttons' | 'questions'> {
  /** `kept`: what is gone on with when the game is known. */
  ask(ctx: BotContext, kept: P): Promise<unknown>;
}

interface GoesOn<P> {
  needs: Allowed;
  then(ctx: BotContext, gameId: string, kept: P): unknown;
  /** What a message that names no game adds to what is kept. */
  note?(ctx: BotContext, kept: P): P;
}

/** `name`: of the question, and what the data of its buttons begins with. */
export function createGameQuestion<P extends object>(
  deps: Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>,
  name: string,
  { needs, then, note }: GoesOn<P>,
): GameQuestion<P> {
  const { managed } = deps.core.games;
  const askWhich = async (ctx: BotContext, key: string, payload: P): Promise<void> => {
    const rows = managed
      .slice(0, MOST_CHOICES)
      .map(({ id }) => [{ label: ctx.label('game-name', { game: id }), value: buttonId(id) }]);
    const kept = { action: name, payload, withinMs: CHOICE_MS };
    await ask(ctx, name, await showChoices(deps, ctx, kept, { html: ctx.say(key), rows }));
  };
  const findGame = (tag: string) => managed.find(({ id }) => buttonId(id) === tag);
  return {
    async ask(ctx, kept) {
      const [only, another] = managed;
      if (!only) return reply(ctx, ctx.say('codes-no-game'));
      return another ? askWhich(ctx, 'codes-which-game', kept) : then(ctx, only.id, kept);
    },
    buttons: {
      [name]: button(needs, [word, checked(findGame)], async (ctx, id, game) => {
        const kept = takeChoice<P>(deps, ctx, name, id);
        if (!kept) return;
        await leaveQuestion(ctx);
        await then(ctx, game.id, kept);
      }),
    },
    questions: {
      [name]: {
        needs,
        takesFiles: note !== undefined,
        async hear(ctx, id, text) {
          const kept = takeChoice<P>(deps, ctx, name, id);
          if (!kept) return false;
          const game = managed.find((each) => isGame(ctx, each.id, text));
          if (game) await then(ctx, game.id, kept);
          else await askWhich(ctx, 'codes-which-game-again', note ? note(ctx, kept) : kept);
          return true;
        },
      },
    },
  };
}
