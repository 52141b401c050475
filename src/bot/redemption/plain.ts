// Plain messages in a private chat: a player ID is an order form, codes are for the stock, and what could be either is asked about.
// Only a message that is nothing but order forms is looked up at once, since a look-up costs. For support it is a search.
import { InlineKeyboard } from 'grammy';

import { grantOf, readPlainMessage, type OrderForm, type PlainMessage } from '../../core/index.ts';
import { requires } from '../actor.ts';
import type { BotContext, BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { answerFind } from '../receipts/find.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { beginImport } from '../stock/add-codes.ts';
import { CANCEL_DRAFT } from '../talk/confirm-keyboard.ts';
import { findDraft, keepDraft } from '../talk/drafts.ts';
import { enter, findCommand } from '../talk/entering.ts';
import { buttonId } from '../talk/talk.ts';
import { chooseGameFor, openCard } from './card.ts';
import { REDEEM, wordItems, type RedeemStart } from './order.ts';

/** What was asked about; `text` as it was written. */
interface Question {
  text: string;
  players: OrderForm[];
  code?: string | undefined;
}

const ASKED = 'asked';
const MOST_GAMES = 20;
const ASKED_MS = 24 * 60 * 60 * 1000;
const SHAPE = new RegExp(`^${ASKED}:([\\w-]{8,24}):([\\w-]{1,32})$`);

export function createPlain(deps: BotDeps): Feature {
  const handlers = new Handlers();
  handlers
    .chatType('private')
    .on(['message:text', 'message:caption'], (ctx, next) => answerPlain(deps, ctx, next));
  handlers.callbackQuery(SHAPE, (ctx) => pressAnswer(deps, ctx));
  return { commands: [], handlers };
}

async function answerPlain(deps: BotDeps, ctx: BotContext, next: () => Promise<void>): Promise<void> {
  const { actor, message } = ctx;
  const text = message?.text ?? message?.caption ?? '';
  if (findCommand(ctx) !== undefined || text.startsWith('/') || message?.document) return next();
  if (!actor) return answerStranger(deps, ctx, text, next);
  const mayRedeem = grantOf(actor, 'redeem') !== 'no';
  if (!mayRedeem && grantOf(actor, 'searchHistory') !== 'no') return answerFind(deps, ctx, text);
  const read = readPlainMessage(text, deps.core.games);
  if (read.kind === 'nothing') return next();
  if (read.kind === 'codes') return beginImport(ctx, text);
  await requires('redeem')(ctx, () => answerOrder(deps, ctx, text, read));
}

/** Whoever is in no account is told so where a member would be understood. */
async function answerStranger(
  { core }: BotDeps,
  ctx: BotContext,
  text: string,
  next: () => Promise<void>,
): Promise<void> {
  if (readPlainMessage(text, core.games).kind === 'nothing') return next();
  await reply(ctx, ctx.say('refusal-stranger'));
}

async function answerOrder(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  read: Exclude<PlainMessage, { kind: 'nothing' | 'codes' }>,
): Promise<void> {
  switch (read.kind) {
    case 'orders':
      for (const order of read.orders) await openForm(deps, ctx, order);
      return;
    case 'tooMany':
      await reply(ctx, ctx.say(`plain-too-many-${read.of}`));
      return;
    case 'code':
      return askAboutCode(deps, ctx, text, read.code);
    case 'candidates':
      return askAboutPlayers(deps, ctx, text, read);
  }
}

/** The card of an order form, in place of the message named or as a new one. */
export async function openForm(
  deps: BotDeps,
  ctx: BotContext,
  { playerId, items }: OrderForm,
  messageId?: number,
): Promise<void> {
  const game = chooseGameFor(deps, ctx, items) ?? chooseGameFor(deps, ctx, []);
  if (!game) return;
  const again = async () =>
    `${await keepQuestion(deps, ctx, { text: '', players: [{ playerId, items }] })}:${playerId}`;
  await openCard(deps, ctx, { gameId: game.id, playerId, items }, { messageId, again });
}

async function askAboutPlayers(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  { players, code, mayBeCodes }: Extract<PlainMessage, { kind: 'candidates' }>,
): Promise<void> {
  const data = await keepQuestion(deps, ctx, { text, players, code });
  const currency = deps.core.games.managed[0];
  const rows = players.map(({ playerId, items }) => {
    const what = code === undefined ? wordItems(items, currency) : ctx.label('plain-this-code');
    const label = ctx.label(what === '' ? 'button-plain-player' : 'button-plain-player-what', {
      player: playerId,
      what,
    });
    return [InlineKeyboard.text(label, `${data}:${playerId}`)];
  });
  const add = mayBeCodes ? [[InlineKeyboard.text(ctx.label('button-plain-codes'), `${data}:codes`)]] : [];
  const cancel = [InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_DRAFT}:${data}`)];
  const key =
    code !== undefined ? 'plain-player-and-code' : mayBeCodes ? 'plain-player-or-code' : 'plain-which-player';
  await reply(ctx, ctx.say(key, { count: players.length }), new InlineKeyboard([...rows, ...add, cancel]));
}

/** One code alone: for the stock, or to be redeemed now, and in which game. */
async function askAboutCode(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  code: string,
  messageId?: number,
): Promise<void> {
  const data = await keepQuestion(deps, ctx, { text, players: [], code });
  const games = deps.core.games.all.filter(({ codePattern }) => codePattern.test(code)).slice(0, MOST_GAMES);
  const rows = games.map(({ id }) => [
    InlineKeyboard.text(ctx.label('button-plain-redeem-code', { game: id }), `${data}:r${buttonId(id)}`),
  ]);
  const keyboard = new InlineKeyboard([
    [InlineKeyboard.text(ctx.label('button-plain-add-code'), `${data}:add`)],
    ...rows,
    [InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_DRAFT}:${data}`)],
  ]);
  const html = ctx.say('plain-one-code', { code });
  if (messageId === undefined || !ctx.chat) await reply(ctx, html, keyboard);
  else await editHtml(ctx, html, keyboard, { chatId: ctx.chat.id, messageId });
}

async function keepQuestion(deps: BotDeps, ctx: BotContext, payload: Question): Promise<string> {
  const person = { chatId: ctx.chat?.id ?? 0, userId: ctx.from?.id ?? 0 };
  return keepDraft(deps, person, { action: ASKED, payload, withinMs: ASKED_MS });
}

/** A choice spends nothing by itself, so that it may be pressed again: another player of the same message, for one. */
async function pressAnswer(deps: BotDeps, ctx: BotContext): Promise<void> {
  const [, id = '', choice = ''] = SHAPE.exec(ctx.callbackQuery?.data ?? '') ?? [];
  const found = findDraft<Question>(deps, ctx, ASKED, id);
  if (found.status === 'refused') return answerTap(ctx, ctx.label(found.key), true);
  const { text, players, code } = found.payload;
  const pressed = ctx.callbackQuery?.message?.message_id;
  if (choice === 'codes' || choice === 'add') {
    await requires('addCodes')(ctx, async () => {
      await answerTap(ctx);
      const [only] = players;
      const single = code ?? (players.length === 1 ? only?.playerId : undefined);
      if (choice === 'codes' && single !== undefined) return askAboutCode(deps, ctx, text, single, pressed);
      await beginImport(ctx, text);
    });
    return;
  }
  await requires('redeem')(ctx, async () => {
    await answerTap(ctx);
    const game = deps.core.games.all.find((each) => `r${buttonId(each.id)}` === choice);
    if (game && code !== undefined) {
      return enter(ctx, REDEEM, { gameId: game.id, wanted: code } satisfies RedeemStart);
    }
    const player = players.find(({ playerId }) => playerId === choice);
    if (!player) return;
    const { playerId } = player;
    if (code !== undefined) return enter(ctx, REDEEM, { playerId, wanted: code } satisfies RedeemStart);
    await openForm(deps, ctx, player, players.length === 1 ? pressed : undefined);
  });
}
