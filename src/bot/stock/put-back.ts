// What a restore has put in question, from the refused codes: what buyers have is sent as messages and stays away, and a
// button puts the others back.
import { InlineKeyboard } from 'grammy';

import type { BadStockKey } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { enqueueAnswer } from '../outbox/actions.ts';
import type { Sending } from '../outgoing.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { buttonId } from '../prompts/choices.ts';
import type { Reader } from '../member-view.ts';
import { answerTap, reply } from '../replies.ts';
import { findStockKey, nameStockKey, stockKeyButton, type NamedStockKey } from './bad-codes.ts';
import { toFile } from './code-file.ts';
import { holdsCodes } from './code-order.ts';

/** The view of a file of them. */
export const IN_QUESTION_FILE = 'in-question-file';

const [ASK, PUT_BACK, WHICH] = ['bad:release', 'bad:back', 'bad:which'];
const BUYERS = 'buyers';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>;

export function createPutBack(deps: Deps): Pick<Feature, 'buttons' | 'questions'> {
  const needs = 'handleBadCodes';
  const { badCodes } = deps.core;
  const whileThereAre = (run: (ctx: BotContext, stockKey: BadStockKey) => unknown) =>
    stockKeyButton(deps, async (ctx, stockKey) => {
      if (stockKey.inQuestion > 0) await run(ctx, stockKey);
      else answerTap(ctx, ctx.label('bad-none-tap'), true);
    });
  return {
    buttons: {
      [ASK]: whileThereAre((ctx, stockKey) =>
        askWhich(deps, ctx, stockKey, 'bad-buyers-ask', stockKey.inQuestion),
      ),
      [WHICH]: whileThereAre((ctx, { gameId, denomination }) =>
        enqueueAnswer(ctx, { view: IN_QUESTION_FILE, of: { gameId, denomination } }),
      ),
      [PUT_BACK]: whileThereAre(async (ctx, stockKey) => {
        await leaveQuestion(ctx);
        const count = await badCodes.putBack(actorOf(ctx), stockKey);
        await reply(ctx, ctx.say('bad-released', { stockKey: nameStockKey(deps, ctx, stockKey), count }));
      }),
    },
    questions: {
      [BUYERS]: {
        needs,
        // What holds no code is answered as if nothing had been asked.
        async hear(ctx, of, text) {
          const [denomination, game = ''] = of.split(':');
          const stockKey = findStockKey(deps, ctx, Number(denomination), game);
          if (!stockKey?.inQuestion || !holdsCodes(text, deps.core.games.managed)) return false;
          const kept = await badCodes.keepWithBuyers(actorOf(ctx), stockKey, text);
          await askWhich(deps, ctx, stockKey, 'bad-buyers-kept', stockKey.inQuestion - kept, kept);
          return true;
        },
      },
    },
  };
}

/** `count`: so many are in question now. */
async function askWhich(
  deps: Deps,
  ctx: BotContext,
  stockKey: NamedStockKey,
  key: string,
  count: number,
  kept = 0,
): Promise<void> {
  const { denomination, gameId } = stockKey;
  const named = `${denomination}:${buttonId(gameId)}`;
  const keyboard = new InlineKeyboard();
  if (count > 0)
    keyboard
      .text(ctx.label('button-put-back', { count }), `${PUT_BACK}:${named}`)
      .row()
      .text(ctx.label('button-bad-which'), `${WHICH}:${named}`);
  await reply(ctx, ctx.say(key, { stockKey: nameStockKey(deps, ctx, stockKey), count, kept }), keyboard);
  if (count > 0) await ask(ctx, BUYERS, named);
}

/** Undefined where there is none any more. */
export async function sendInQuestion(
  { core }: Pick<BotDeps, 'core'>,
  reader: Reader,
  { gameId, denomination }: NamedStockKey,
): Promise<Sending | undefined> {
  const codes = await core.badCodes.readInQuestion(reader.actor, { gameId, denomination });
  if (codes.length === 0) return undefined;
  return toFile(reader, {
    name: `perhaps-handed-out-${denomination}.txt`,
    text: codes.join('\n'),
    caption: reader.say('bad-which-caption', { count: codes.length }),
    again: `${WHICH}:${denomination}:${buttonId(gameId)}`,
  });
}
