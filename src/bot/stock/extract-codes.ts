// /extract_codes: asks what is missing, confirms, and sends the codes as a text file. The draft's id makes a repeated order
// the same extraction; its file can be sent again for a day.
import { Composer, InlineKeyboard, InputFile } from 'grammy';

import { requires } from '../actor.ts';
import { readOrder, wordLot } from './code-order.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import {
  createExtractCodesConversation,
  EXTRACT_CODES,
  type AskToConfirm,
  type ExtractOrder,
  type GivenToExtract,
} from './extract-codes-talk.ts';
import { keepDraft, takeDraft } from '../talk/drafts.ts';
import { enter } from '../talk/entering.ts';
import type { Feature } from '../feature.ts';
import { confirmKeyboard } from '../talk/confirm-keyboard.ts';
import { answerTap, editHtml, reply } from '../replies.ts';

const EXTRACT = 'extract';

export function createExtractCodes(deps: BotDeps): Feature {
  const { core } = deps;
  const handlers = new Composer<BotContext>();
  const mayExtract = requires('extractCodes');
  const askToConfirm: AskToConfirm = (ctx, order) => confirm(deps, ctx, order);

  handlers.command('extract_codes', mayExtract, async (ctx) => {
    const { managed } = core.games;
    const [game] = managed;
    if (!game) return void (await reply(ctx, ctx.say('codes-no-game')));
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
    const found = await core.handedOut.findExtraction(actorOf(ctx), extractionId);
    if (!found) return answerTap(ctx, ctx.label('extract-again-late'), true);
    await answerTap(ctx);
    await sendFile(deps, ctx, { extractionId, ...found });
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
  const lot = wordLot(ctx, game, denomination);
  if (available === 0) return void (await reply(ctx, ctx.say('extract-none', { game: gameId, lot })));
  const amount = Math.min(order.amount, available, deps.core.handedOut.mostAtOnce);
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const payload: ExtractOrder = { gameId, denomination, amount };
  const data = await keepDraft(deps, person, { action: EXTRACT, payload });
  const key = amount === order.amount ? 'extract-confirm' : 'extract-confirm-fewer';
  const html = ctx.say(key, { game: gameId, lot, amount, available, asked: order.amount });
  await reply(ctx, html, confirmKeyboard(ctx, data));
}

async function extract(deps: BotDeps, ctx: BotContext): Promise<void> {
  const taken = await takeDraft<ExtractOrder>(deps, ctx, EXTRACT);
  if (taken.status === 'refused') return answerTap(ctx, ctx.label(taken.key), true);
  await answerTap(ctx);
  await editHtml(ctx, ctx.say('extract-running'));
  const { gameId, denomination, amount } = taken.payload;
  const { extractionId, codes } = await deps.core.codes.extract(actorOf(ctx), {
    ...taken.payload,
    idempotencyKey: { scope: 'chat', key: taken.id },
  });
  const game = deps.core.games.find(gameId);
  const lot = game ? wordLot(ctx, game, denomination) : '';
  if (codes.length === 0) return editHtml(ctx, ctx.say('extract-none', { game: gameId, lot }));
  await sendFile(deps, ctx, { extractionId, gameId, denomination, codes });
  const key = codes.length < amount ? 'extract-done-fewer' : 'extract-done';
  await editHtml(ctx, ctx.say(key, { game: gameId, lot, count: codes.length, asked: amount }));
}

async function sendFile(
  { core }: BotDeps,
  ctx: BotContext,
  extraction: { extractionId: number; gameId: string; denomination: number; codes: readonly string[] },
): Promise<void> {
  const { extractionId, gameId, denomination, codes } = extraction;
  const game = core.games.find(gameId);
  const batch = String(extractionId);
  const lot = game ? wordLot(ctx, game, denomination) : String(denomination);
  const caption = ctx.say('extract-caption', { batch, count: codes.length, game: gameId, lot });
  const file = new InputFile(Buffer.from(`${codes.join('\n')}\n`), `codes-${batch}-${denomination}.txt`);
  const keyboard = new InlineKeyboard().text(ctx.label('button-send-again'), `extract:again:${extractionId}`);
  await ctx.replyWithDocument(file, { caption, parse_mode: 'HTML', reply_markup: keyboard });
}
