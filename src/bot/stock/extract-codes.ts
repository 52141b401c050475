// /extract_codes: lists the last extractions, asks what is missing, confirms, and sends the codes as a text file. A
// confirmation has a button for each amount, and whichever are pressed, it is one extraction; its file can be sent
// again at any time.
import { InlineKeyboard } from 'grammy';

import type { ExtractionBegun } from '../../core/index.ts';
import { readOrder, labelStockKey } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Choice } from '../conversation.ts';
import {
  createExtractCodesConversation,
  EXTRACT_CODES,
  type AskToConfirm,
  type GivenToExtract,
  type WishToExtract,
} from './extract-codes-conversation.ts';
import { runAction, enqueueAnswer } from '../outbox/actions.ts';
import type { BackgroundTasks } from '../inbox/background-tasks.ts';
import type { Progress } from '../telegram/progress.ts';
import { cancel, inRows, showChoices } from '../prompts/choices.ts';
import { replyExtractions } from './extractions.ts';
import { EXTRACT, type ExtractOffer } from './button-orders.ts';
import { refuseInPlace } from './errors.ts';
import { EXTRACTED, type ExtractedResult } from './result-views.ts';
import { enter } from '../prompts/start-conversation.ts';
import { button, confirmed, wholeNumber, type Feature } from '../feature.ts';
import { buttonId } from '../prompts/prompts.ts';
import { answerTap, reply } from '../replies.ts';

/** Offered where no amount was said, together with all that there are. */
const PROPOSED = [1, 10, 50];
const IN_A_ROW = 2;

interface ExtractDeps extends BotDeps {
  backgroundTasks: BackgroundTasks;
  progress: Progress;
}

export function createExtractCodesFeature(
  bot: BotDeps,
  { backgroundTasks, progress }: Pick<ExtractDeps, 'backgroundTasks' | 'progress'>,
): Feature {
  const deps: ExtractDeps = { ...bot, backgroundTasks, progress };
  const { core } = deps;
  const needs = 'extractCodes';
  const askToConfirm: AskToConfirm = (ctx, order) => confirm(deps, ctx, order);

  const run = async (ctx: BotContext, text: string): Promise<void> => {
    const { managed } = core.games;
    const [game] = managed;
    if (!game) return void (await reply(ctx, ctx.say('codes-no-game')));
    if (text === '') await replyExtractions(deps, ctx);
    const { amount: denomination, rest } = readOrder(text, managed);
    const amount = /^\d{1,9}$/.test(rest) ? Number(rest) : undefined;
    const given: GivenToExtract = { denomination, amount };
    if (managed.length > 1) return enter(ctx, EXTRACT_CODES, given);
    const isKnown = denomination !== undefined && game.denominations.includes(denomination);
    // Without an amount the conversation stays to hear one.
    if (!isKnown || amount === undefined || amount < 1) {
      return enter(ctx, EXTRACT_CODES, { ...given, gameId: game.id });
    }
    await askToConfirm(ctx, { gameId: game.id, denomination, amount });
  };
  return {
    commands: { extract_codes: { needs, run } },
    buttons: {
      [EXTRACT]: confirmed(needs, async (ctx) => {
        await ctx.conversation.exit(EXTRACT_CODES);
        await extract(deps, ctx);
      }),
      'extract:again': button(needs, [wholeNumber()], async (ctx, extractionId) => {
        const found = await core.extractionHistory.findExtraction(actorOf(ctx), extractionId);
        if (!found) return answerTap(ctx, ctx.label('button-old'), true);
        const of: ExtractedResult = { extractionId, asked: found.codes.length };
        return enqueueAnswer(deps, ctx, { view: EXTRACTED, of });
      }),
    },
    conversations: [createExtractCodesConversation(deps, askToConfirm)],
  };
}

/** The last confirmation: a button for what is wanted, no more than there is, or for each of a few amounts. */
async function confirm(deps: BotDeps, ctx: BotContext, wish: WishToExtract): Promise<void> {
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
function extract(deps: ExtractDeps, ctx: BotContext): Promise<unknown> {
  return runAction<ExtractOffer>(deps, ctx, EXTRACT, (action) =>
    deps.backgroundTasks.begin(ctx, () =>
      action.guard(async () => {
        const { gameId, denomination, amounts } = action.payload;
        const amount = amounts.find((each) => String(each) === action.choice);
        // No button of ours: it takes nothing.
        if (amount === undefined) return;
        deps.progress.open(action.target).show(() => ({ html: ctx.say('extract-running') }));
        const inTransaction = deps.store.inTransaction(({ extractionId, jobId }: ExtractionBegun) => {
          if (extractionId === 0) {
            const html = formatNone(deps, ctx, action.payload);
            return { confirmation: action.confirmation, messages: [action.result({ html })] };
          }
          const of: ExtractedResult = { extractionId, asked: amount };
          return {
            confirmation: action.confirmation,
            messages: [action.result({ view: EXTRACTED, of }, { jobId })],
          };
        });
        const idempotencyKey = { scope: 'chat', key: `${action.id}:${amount}` } as const;
        await deps.core.codes
          .extract(actorOf(ctx), { gameId, denomination, amount, idempotencyKey, inTransaction })
          .catch((error: unknown) => refuseInPlace(deps, ctx, action.target, error));
      }),
    ),
  );
}
