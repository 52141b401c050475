// Codes that the platform refused, from /stock: how many of each denomination, as a file, tried again, and a
// denomination let go on that was paused for them.
import { InlineKeyboard } from 'grammy';

import type { BadCode, BadStockKey } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { anything, button, type Button, type Feature, wholeNumber } from '../feature.ts';
import type { Reader } from '../member-view.ts';
import { confirming, enqueueAnswer } from '../outbox/actions.ts';
import type { Sending } from '../outgoing.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { buttonId } from '../prompts/choices.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import type { TryAgainOrder } from './button-orders.ts';
import { toFile } from './code-file.ts';
import { holdsCodes, labelStockKey } from './code-order.ts';

/** The view of a file of them: of a denomination, or of a batch. */
export const BAD_FILE = 'bad-file';
export type BadFile = { gameId: string; denomination: number } | { batchId: number };

export const BAD_LIST = 'bad:list';
/** So many denominations are listed; those of the other games come when these have been dealt with. */
const MOST_STOCK_KEYS = 20;

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>;

export type NamedStockKey = Pick<BadStockKey, 'gameId' | 'denomination'>;

/** `<denomination>:<game>`, while there is something of it. */
const stockKeyButton = (deps: Deps, run: (ctx: BotContext, stockKey: BadStockKey) => unknown): Button =>
  button('handleBadCodes', [wholeNumber(16), anything], (ctx, denomination, game) => {
    const stockKey = findStockKey(deps, ctx, denomination, game);
    return stockKey ? run(ctx, stockKey) : answerTap(ctx, ctx.label('bad-none-tap'), true);
  });

export function badCodeButtons(deps: Deps): Record<string, Button> {
  const ofStockKey = (run: (ctx: BotContext, stockKey: BadStockKey) => unknown) => stockKeyButton(deps, run);
  return {
    [BAD_LIST]: button('handleBadCodes', [], (ctx) => showList(deps, ctx)),
    'bad:file': ofStockKey((ctx, { gameId, denomination }) =>
      enqueueAnswer(ctx, { view: BAD_FILE, of: { gameId, denomination } satisfies BadFile }),
    ),
    'bad:go': ofStockKey(async (ctx, stockKey) => {
      const isGoing = await deps.core.badCodes.goOn(actorOf(ctx), stockKey);
      const key = isGoing ? 'bad-goes-on' : 'bad-goes-on-already';
      return reply(ctx, ctx.say(key, { stockKey: nameStockKey(deps, ctx, stockKey) }));
    }),
    'bad:again': ofStockKey((ctx, stockKey) => askToTry(deps, ctx, stockKey)),
    ...trying(deps).button,
  };
}

async function showList(deps: Deps, ctx: BotContext): Promise<void> {
  const stockKeys = deps.core.badCodes.list(actorOf(ctx)).slice(0, MOST_STOCK_KEYS);
  const keyboard = new InlineKeyboard();
  for (const stockKey of stockKeys) {
    const name = nameStockKey(deps, ctx, stockKey);
    const button = (key: string, verb: string) =>
      keyboard.text(
        ctx.label(key, { stockKey: name }),
        `bad:${verb}:${stockKey.denomination}:${buttonId(stockKey.gameId)}`,
      );
    if (stockKey.isPaused) button('button-go-on-stock-key', 'go').row();
    if (stockKey.inQuestion > 0) button('button-bad-release', 'release').row();
    if (stockKey.used + stockKey.invalid > 0) button('button-bad-file', 'file');
    if (stockKey.used + stockKey.invalid > 0) button('button-bad-again', 'again').row();
  }
  const lines = stockKeys.map((stockKey) => {
    const { used, invalid, inQuestion } = stockKey;
    const facts = { stockKey: nameStockKey(deps, ctx, stockKey), used, invalid };
    const question = inQuestion > 0 ? `\n${ctx.say('bad-in-question', { count: inQuestion })}` : '';
    const line = ctx.say('bad-line', facts) + question;
    return stockKey.isPaused ? `${line} · ${ctx.say('stock-paused')}` : line;
  });
  const html = lines.length === 0 ? ctx.say('bad-none') : [ctx.say('bad-title'), ...lines].join('\n');
  await editHtml(ctx, html, keyboard);
}

const askToTry = (deps: Deps, ctx: BotContext, { gameId, denomination, used, invalid }: BadStockKey) =>
  trying(deps).ask(ctx, { gameId, denomination, count: used + invalid });

const trying = (deps: Deps) =>
  confirming<TryAgainOrder>(deps, 'try-again', {
    needs: 'handleBadCodes',
    asks: (ctx, { count, ...of }) => ({
      html: ctx.say('bad-again-ask', { stockKey: nameStockKey(deps, ctx, of), count }),
      label: ctx.label('button-try-bad', { count }),
    }),
    async does(ctx, { payload, confirmation: taken, result }) {
      const count = await deps.core.badCodes.tryAgain(actorOf(ctx), payload);
      const html = ctx.say('bad-tried', { stockKey: nameStockKey(deps, ctx, payload), count });
      await ctx.turn.write({ confirmation: taken, messages: [result({ html })] });
    },
  });

/** The file of what was refused, each with what the platform said and when; undefined where there is none any more. */
export async function sendBad(
  { core }: Pick<BotDeps, 'core'>,
  reader: Reader,
  of: BadFile,
): Promise<Sending | undefined> {
  const isOfBatch = 'batchId' in of;
  const codes = isOfBatch
    ? await core.badCodes.readOfBatch(reader.actor, of.batchId)
    : await core.badCodes.read(reader.actor, of);
  if (!codes || codes.length === 0) return undefined;
  const what = isOfBatch ? `batch-${of.batchId}` : String(of.denomination);
  return toFile(reader, {
    name: `refused-${what}.csv`,
    text: ['denomination,code,answer,time', ...codes.map(formatCode)].join('\n'),
    caption: reader.say('bad-caption', { count: codes.length }),
    again: isOfBatch ? `batch:bad:${of.batchId}` : `bad:file:${of.denomination}:${buttonId(of.gameId)}`,
  });
}

const formatCode = ({ denomination, code, answer, at }: BadCode) =>
  [denomination, code, answer, new Date(at).toISOString()].join(',');

function findStockKey(
  { core }: Deps,
  ctx: BotContext,
  denomination: number,
  game: string,
): BadStockKey | undefined {
  const isIt = (each: BadStockKey) => each.denomination === denomination && buttonId(each.gameId) === game;
  return core.badCodes.list(actorOf(ctx)).find(isIt);
}

function nameStockKey(
  { core }: Pick<Deps, 'core'>,
  ctx: Pick<BotContext, 'label'>,
  { gameId, denomination }: NamedStockKey,
): string {
  const game = core.games.find(gameId);
  const name = game ? labelStockKey(ctx, game, denomination) : String(denomination);
  return core.games.managed.length > 1 ? `${name} · ${ctx.label('game-name', { game: gameId })}` : name;
}

// What a restore has put in question, from the refused codes: what buyers have is sent as messages and stays away, and a
// button puts the others back.

/** The view of a file of them. */
export const IN_QUESTION_FILE = 'in-question-file';

const [ASK, PUT_BACK, WHICH] = ['bad:release', 'bad:back', 'bad:which'];
const BUYERS = 'buyers';

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
