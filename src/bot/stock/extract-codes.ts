// /extract_codes: lists the last extractions, asks what is missing, confirms, and sends the codes as a text file. The confirmation's id makes a repeated order
// the same extraction; its file can be sent again at any time.
import { InlineKeyboard } from 'grammy';

import type { ExtractionBegun } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { readOrder, labelStockKey } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import {
  createExtractCodesConversation,
  EXTRACT_CODES,
  type AskToConfirm,
  type ExtractOrder,
  type GivenToExtract,
} from './extract-codes-conversation.ts';
import { runAction, sayLater } from '../outbox/actions.ts';
import type { BackgroundTasks } from '../inbox/background-task.ts';
import type { Progress } from '../telegram/progress.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { tellExtractions } from './extractions.ts';
import { EXTRACT } from './button-orders.ts';
import { refuseInPlace } from './errors.ts';
import { EXTRACTED, type ExtractedResult } from './result-views.ts';
import { enter } from '../prompts/start-conversation.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { buttonId } from '../prompts/prompts.ts';
import { answerTap, reply } from '../replies.ts';

interface ExtractDeps extends BotDeps {
  later: BackgroundTasks;
  progress: Progress;
}

export function createExtractCodes(
  bot: BotDeps,
  { later, progress }: Pick<ExtractDeps, 'later' | 'progress'>,
): Feature {
  const deps: ExtractDeps = { ...bot, later, progress };
  const { core } = deps;
  const handlers = new Handlers();
  const mayExtract = requires('extractCodes');
  const askToConfirm: AskToConfirm = (ctx, order) => confirm(deps, ctx, order);

  handlers.command('extract_codes', mayExtract, async (ctx) => {
    const { managed } = core.games;
    const [game] = managed;
    if (!game) return void (await reply(ctx, ctx.say('codes-no-game')));
    if (ctx.match.trim() === '') await tellExtractions(deps, ctx);
    const { amount: denomination, rest } = readOrder(ctx.match, managed);
    const amount = /^\d{1,9}$/.test(rest) ? Number(rest) : undefined;
    const given: GivenToExtract = { denomination, amount };
    if (managed.length > 1) return enter(ctx, EXTRACT_CODES, given);
    const isKnown = denomination !== undefined && game.denominations.includes(denomination);
    if (!isKnown || amount === undefined || amount < 1) {
      return enter(ctx, EXTRACT_CODES, { ...given, gameId: game.id });
    }
    await askToConfirm(ctx, { gameId: game.id, denomination, amount });
  });
  handlers.callbackQuery(new RegExp(`^${EXTRACT}:(?!again:)`), mayExtract, (ctx) => extract(deps, ctx));
  handlers.callbackQuery(/^extract:again:(\d{1,15})$/, mayExtract, async (ctx) => {
    const extractionId = Number(ctx.match[1]);
    const found = await core.extractionHistory.findExtraction(actorOf(ctx), extractionId);
    if (!found) return answerTap(ctx, ctx.label('button-old'), true);
    answerTap(ctx);
    const of: ExtractedResult = { extractionId, asked: found.codes.length };
    await sayLater(deps, ctx, { view: EXTRACTED, of });
  });

  return {
    commands: [{ name: 'extract_codes', for: 'extractCodes' }],
    handlers,
    conversations: [createExtractCodesConversation(deps, askToConfirm)],
  };
}

/** The last confirmation: names what there is, and takes no more than that. */
async function confirm(deps: BotDeps, ctx: BotContext, order: ExtractOrder): Promise<void> {
  const { gameId, denomination } = order;
  const game = deps.core.games.find(gameId);
  if (!game || !ctx.chat || !ctx.from) return;
  const available = deps.core.codes.countAvailable(actorOf(ctx), gameId).get(denomination) ?? 0;
  const stockKey = labelStockKey(ctx, game, denomination);
  if (deps.core.badCodes.isPaused(actorOf(ctx), order)) {
    const goOn = new InlineKeyboard().text(
      ctx.label('button-go-on'),
      `bad:go:${denomination}:${buttonId(gameId)}`,
    );
    return void (await reply(ctx, ctx.say('extract-paused', { game: gameId, stockKey }), goOn));
  }
  if (available === 0) return void (await reply(ctx, ctx.say('extract-none', { game: gameId, stockKey })));
  const amount = Math.min(order.amount, available, deps.core.extractionHistory.mostAtOnce);
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const payload: ExtractOrder = { gameId, denomination, amount };
  const data = await createConfirmation(deps, person, { action: EXTRACT, payload });
  const key = amount === order.amount ? 'extract-confirm' : 'extract-confirm-fewer';
  const html = ctx.say(key, {
    game: gameId,
    stockKey,
    amount,
    available,
    asked: order.amount,
    isAll: amount === available ? 'yes' : 'no',
  });
  const label = ctx.label('extract-button', { count: String(amount) });
  await reply(ctx, html, confirmKeyboard(ctx, data, { label, style: 'danger' }));
}

function wordNone({ core }: BotDeps, ctx: BotContext, { gameId, denomination }: ExtractOrder): string {
  const game = core.games.find(gameId);
  const stockKey = game ? labelStockKey(ctx, game, denomination) : String(denomination);
  return ctx.say('extract-none', { game: gameId, stockKey });
}

/** The order. The file comes when the last code was taken, in the stead of the question. */
function extract(deps: ExtractDeps, ctx: BotContext): Promise<unknown> {
  return runAction<ExtractOrder>(deps, ctx, EXTRACT, (deed) =>
    deps.later.begin(ctx, () =>
      deed.guard(async () => {
        // What was kept with it is told, and its job goes on by itself.
        if (deed.isDone) return;
        deps.progress.open(deed.target).show(() => ({ html: ctx.say('extract-running') }));
        const asked = deed.payload.amount;
        const inTransaction = deps.keeping.inTransaction(({ extractionId, jobId }: ExtractionBegun) => {
          if (extractionId === 0) {
            const html = wordNone(deps, ctx, deed.payload);
            return { confirmation: deed.confirmation, messages: [deed.result({ html })] };
          }
          const of: ExtractedResult = { extractionId, asked };
          return {
            confirmation: deed.confirmation,
            messages: [deed.result({ view: EXTRACTED, of }, { jobId })],
          };
        });
        const idempotencyKey = { scope: 'chat', key: deed.id } as const;
        await deps.core.codes
          .extract(actorOf(ctx), { ...deed.payload, idempotencyKey, inTransaction })
          .catch((error: unknown) => refuseInPlace(deps, ctx, deed.target, error));
      }),
    ),
  );
}
