// /extract_codes: lists the last extractions, asks what is missing, confirms, and sends the codes as a text file. A
// confirmation has a button for each amount, and whichever are pressed, it is one extraction; its file can be sent
// again at any time.
import { InlineKeyboard } from 'grammy';

import type { ExtractionBegun, Game } from '../../core/index.ts';
import { labelActor } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import { button, checked, confirmed, type Feature, wholeNumber } from '../feature.ts';
import { formatMoment, zoneOf } from '../moments.ts';
import { enqueueAnswer, runAction } from '../outbox/actions.ts';
import { ask, leaveQuestion } from '../prompts/ask.ts';
import { buttonId, cancel, type Choice, inRows, showChoices } from '../prompts/choices.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { EXTRACT, type ExtractOffer } from './button-orders.ts';
import { createGameQuestion } from './choose-game.ts';
import { labelStockKey, readOrder } from './code-order.ts';
import { EXTRACTED, type ExtractedResult } from './result-views.ts';

/** Offered where no amount was said, together with all that there are. */
const PROPOSED = [1, 10, 50];
const IN_A_ROW = 2;

export function createExtractCodesFeature(deps: BotDeps): Feature {
  const { core } = deps;
  const needs = 'extractCodes';
  const game = createGameQuestion(deps, 'extract:game', {
    needs,
    then: (ctx, gameId, given: GivenToExtract) => goOn(deps, ctx, { ...given, gameId }),
  });

  const run = async (ctx: BotContext, text: string): Promise<unknown> => {
    const { managed } = core.games;
    if (text === '' && managed.length > 0) await replyExtractions(deps, ctx);
    const { amount: denomination, rest } = readOrder(text, managed);
    const amount = /^\d{1,9}$/.test(rest) && Number(rest) > 0 ? Number(rest) : undefined;
    return game.ask(ctx, { denomination, amount });
  };
  return {
    commands: { extract_codes: { needs, run } },
    buttons: {
      [EXTRACT]: confirmed(needs, async (ctx) => {
        await leaveQuestion(ctx);
        await extract(deps, ctx);
      }),
      'extract:again': button(needs, [wholeNumber()], async (ctx, extractionId) => {
        const found = await core.extractionHistory.findExtraction(actorOf(ctx), extractionId);
        if (!found) return answerTap(ctx, ctx.label('button-old'), true);
        const of: ExtractedResult = { extractionId, asked: found.codes.length };
        return enqueueAnswer(ctx, { view: EXTRACTED, of });
      }),
      [STOCK_KEY]: button(needs, [wholeNumber(), checked(findGame(deps)), wholeNumber(9)], pressKey(deps)),
      ...game.buttons,
    },
    questions: {
      [EXTRACT]: { needs, hear: (ctx, of, text) => hear(deps, ctx, JSON.parse(of) as Wish, text) },
      ...game.questions,
    },
  };
}

/** What the button of a denomination begins with. */
const STOCK_KEY = 'extract:key';
const MOST_STOCK_KEYS = 60;
const ALL = /^(?:all|everything|все|всё)$/i;

/** What is known, as it was written. */
interface GivenToExtract {
  denomination?: number | undefined;
  amount?: number | undefined;
}

interface Wish extends GivenToExtract {
  gameId: string;
}

const findGame = (deps: BotDeps) => (tag: string) =>
  deps.core.games.managed.find(({ id }) => buttonId(id) === tag);

const pressKey =
  (deps: BotDeps) =>
  (ctx: BotContext, denomination: number, { id }: Game, amount: number): Promise<unknown> =>
    goOn(deps, ctx, { gameId: id, denomination, amount: amount === 0 ? undefined : amount });

/** The last confirmation, or the question for the denomination where several are there. */
async function goOn(deps: BotDeps, ctx: BotContext, wish: Wish): Promise<unknown> {
  const { gameId, denomination: given, amount } = wish;
  const isOfGame = given !== undefined && deps.core.games.find(gameId)?.denominations.includes(given);
  if (isOfGame && amount !== undefined) return confirm(deps, ctx, { ...wish, denomination: given });
  const stock = listStock(deps, ctx, gameId);
  const [only, another] = stock;
  if (!only) return reply(ctx, ctx.say('extract-empty', { game: gameId }));
  const isKnown = stock.some(([each]) => each === given);
  const denomination = isKnown ? given : given === undefined && !another ? only[0] : undefined;
  if (denomination !== undefined) return confirm(deps, ctx, { ...wish, denomination });
  const key = given === undefined ? 'extract-which' : 'extract-which-instead';
  return askWhich(
    deps,
    ctx,
    { ...wish, denomination: undefined },
    ctx.say(key, { amount: String(given ?? '') }),
  );
}

const listStock = (
  { core }: BotDeps,
  ctx: BotContext,
  gameId: string,
): [denomination: number, available: number][] =>
  [...core.codes.countAvailable(actorOf(ctx), gameId)].filter(([, available]) => available > 0);

async function askWhich(deps: BotDeps, ctx: BotContext, wish: Wish, html: string): Promise<void> {
  const { gameId, amount = 0 } = wish;
  const game = deps.core.games.find(gameId);
  if (!game) return;
  const choices = listStock(deps, ctx, gameId)
    .slice(0, MOST_STOCK_KEYS)
    .map(([each, available]) => {
      const facts = { stockKey: labelStockKey(ctx, game, each), available: String(available) };
      const label = ctx.label('button-stock-key-available', facts);
      return [InlineKeyboard.text(label, `${STOCK_KEY}:${each}:${buttonId(gameId)}:${amount}`)];
    });
  await reply(ctx, html, new InlineKeyboard(choices));
  await ask(ctx, EXTRACT, JSON.stringify(wish));
}

/**
 * The denomination, or what is wanted instead of the amounts that are offered. What is neither is answered as if nothing
 * had been asked.
 */
async function hear(deps: BotDeps, ctx: BotContext, wish: Wish, text: string): Promise<boolean | string> {
  const { gameId, denomination } = wish;
  const game = deps.core.games.find(gameId);
  if (!game) return false;
  const stock = listStock(deps, ctx, gameId);
  const said = text.trim();
  const { amount, rest } = readOrder(said, [game]);
  const other = stock.find(([each]) => each === amount)?.[0];
  if (denomination === undefined) {
    if (other === undefined) await askWhich(deps, ctx, wish, ctx.say('extract-which'));
    else await confirm(deps, ctx, { ...wish, denomination: other });
    return true;
  }
  const available = stock.find(([each]) => each === denomination)?.[1] ?? 0;
  const count = ALL.test(said) ? available : /^\d{1,9}$/.test(said) ? Number(said) : undefined;
  if (count === 0 && !ALL.test(said))
    return ctx.say('extract-how-many-again', { stockKey: labelStockKey(ctx, game, denomination), available });
  if (count !== undefined) await confirm(deps, ctx, { gameId, denomination, amount: count });
  else if (rest === '' && other !== undefined) await confirm(deps, ctx, { gameId, denomination: other });
  else return false;
  return true;
}

/** The last confirmation: a button for what is wanted, no more than there is, or for each of a few amounts. */
async function confirm(deps: BotDeps, ctx: BotContext, wish: Wish & { denomination: number }): Promise<void> {
  const { gameId, denomination, amount: asked } = wish;
  const game = deps.core.games.find(gameId);
  if (!game) return;
  const available = deps.core.codes.countAvailable(actorOf(ctx), gameId).get(denomination) ?? 0;
  const stockKey = labelStockKey(ctx, game, denomination);
  if (deps.core.badCodes.isPaused(actorOf(ctx), wish)) {
    const goOn = new InlineKeyboard().text(
      ctx.label('button-go-on'),
      `bad:go:${denomination}:${buttonId(gameId)}`,
    );
    return void (await reply(ctx, ctx.say('extract-paused', { game: gameId, stockKey }), goOn));
  }
  if (available === 0) return void (await reply(ctx, ctx.say('extract-none', { game: gameId, stockKey })));
  const most = Math.min(available, deps.core.extractionHistory.mostAtOnce);
  const amounts =
    asked === undefined ? [...PROPOSED.filter((each) => each < most), most] : [Math.min(asked, most)];
  const payload: ExtractOffer = { gameId, denomination, amounts };
  const choices = amounts.map((amount): Choice => {
    const isAll = asked === undefined && amount === available && amount > 1;
    const label = ctx.label(isAll ? 'button-take-all' : 'extract-button', { count: String(amount) });
    return { label, value: String(amount), style: 'danger' };
  });
  const html = formatAsked(ctx, { game: gameId, stockKey, available }, asked, amounts);
  const rows = inRows([...choices, cancel(ctx)], IN_A_ROW);
  await showChoices(deps, ctx, { action: EXTRACT, payload }, { html, rows });
  if (asked === undefined) await ask(ctx, EXTRACT, JSON.stringify({ gameId, denomination } satisfies Wish));
  else await leaveQuestion(ctx);
}

function formatAsked(
  ctx: BotContext,
  facts: { game: string; stockKey: string; available: number },
  asked: number | undefined,
  amounts: readonly number[],
): string {
  const [amount = 0] = amounts;
  if (asked === undefined) return ctx.say('extract-how-many', facts);
  const isAll = amount === facts.available ? 'yes' : 'no';
  return ctx.say(amount === asked ? 'extract-confirm' : 'extract-confirm-fewer', {
    ...facts,
    amount,
    asked,
    isAll,
  });
}

function formatNone({ core }: BotDeps, ctx: BotContext, { gameId, denomination }: ExtractOffer): string {
  const game = core.games.find(gameId);
  const stockKey = game ? labelStockKey(ctx, game, denomination) : String(denomination);
  return ctx.say('extract-none', { game: gameId, stockKey });
}

/** The order. The file comes when the last code was taken, in the stead of the question. */
function extract(deps: BotDeps, ctx: BotContext): Promise<unknown> {
  return runAction<ExtractOffer>(
    deps,
    ctx,
    EXTRACT,
    async ({ id, payload, choice, confirmation, result }) => {
      const { gameId, denomination, amounts } = payload;
      const amount = amounts.find((each) => String(each) === choice);
      // No button of ours: it takes nothing.
      if (amount === undefined) return;
      const inTransaction = ctx.turn.ends(({ extractionId, jobId }: ExtractionBegun) => {
        const of: ExtractedResult = { extractionId, asked: amount, jobId };
        const content =
          extractionId === 0 ? { html: formatNone(deps, ctx, payload) } : { view: EXTRACTED, of };
        return { confirmation, messages: [result(content, { jobId })] };
      });
      const idempotencyKey = { scope: 'chat', key: `${id}:${amount}` } as const;
      const request = { gameId, denomination, amount, idempotencyKey, inTransaction };
      try {
        await deps.core.codes.beginExtraction(actorOf(ctx), request);
      } catch (error) {
        const key = isInterrupted(error) ? undefined : keyOf(error);
        if (key === undefined) throw error;
        await editHtml(ctx, ctx.say(key));
      }
    },
  );
}

// The last extractions, as /extract_codes begins: each can be had again as a file, whoever ordered it, in the chat or
// over HTTP.

const LISTED = 10;

/** Says nothing where there are none. */
async function replyExtractions({ core }: Pick<BotDeps, 'core'>, ctx: BotContext): Promise<void> {
  const recent = core.extractionHistory.listRecent(actorOf(ctx), LISTED);
  if (recent.length === 0) return;
  const timeZone = zoneOf({ core }, ctx.actor);
  const keyboard = new InlineKeyboard();
  const blocks = recent.map(({ id, createdAt, gameId, denomination, count, actorLabel }) => {
    const batch = String(id);
    keyboard.text(ctx.label('extractions-again', { batch }), `extract:again:${id}`).row();
    const game = core.games.find(gameId);
    const stockKey = game ? labelStockKey(ctx, game, denomination) : String(denomination);
    const when = formatMoment(ctx.language, createdAt, timeZone);
    return ctx.say('extractions-one', {
      batch,
      game: gameId,
      when,
      who: labelActor(ctx.label, actorLabel),
      count,
      stockKey,
    });
  });
  await reply(ctx, [ctx.say('extractions-title'), ...blocks].join('\n\n'), keyboard);
}
