// Plain messages in a private chat: a player ID is an order form, codes are for the stock, and what could be either is asked about.
// Only a message that is nothing but order forms is looked up at once, since a look-up costs. For support it is a search.
import { InlineKeyboard } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';

import {
  COST_QUARTERS,
  grantOf,
  readPlainMessage,
  type Candidate,
  type Game,
  type OrderItem,
  type PlainMessage,
} from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { answerFind } from '../receipts/find.ts';
import { answerTap, reply, showIn } from '../replies.ts';
import { beginAdding, beginImport } from '../stock/add-codes.ts';
import { labelStockKey } from '../stock/code-order.ts';
import { stockKeyRows } from '../stock/labels.ts';
import { CANCEL_CONFIRMATION } from '../prompts/confirm-keyboard.ts';
import { findConfirmation, createConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { enter, findCommand } from '../prompts/start-conversation.ts';
import { buttonId } from '../prompts/prompts.ts';
import { writeActivations } from '../texts.ts';
import { chooseGameFor, openCard, showCard, showLines, formatNotMade } from './card.ts';
import { lookUpPlayer } from './look-up-player.ts';
import { REDEEM, formatItems, type OrderLine, type RedeemStart, type Wish } from './order.ts';

/** What was asked about; `text` as it was written. */
interface Question {
  text: string;
  players: (Candidate & Wish)[];
  code?: string | undefined;
  item?: OrderItem | undefined;
}

/** What could be a player's name instead: it has the form of a code, or of nothing. */
const MAY_NAME: ReadonlySet<PlainMessage['kind']> = new Set(['code', 'nothing']);
const ASKED = 'asked';
const MOST_GAMES = 20;
const MOST_CODE_ROWS = 10;
const STOCK_KEY = 'key';
/** A code is told by its last characters. */
const ENDING = 4;
const ASKED_MS = 24 * 60 * 60 * 1000;
const SHAPE = new RegExp(`^${ASKED}:([\\w-]{8,24}):([\\w-]{1,32})$`);

export function createFreeText(deps: BotDeps): Feature {
  const handlers = new Handlers();
  handlers
    .chatType('private')
    .on(['message:text', 'message:caption'], (ctx, next) => answerPlain(deps, ctx, next));
  handlers.callbackQuery(SHAPE, (ctx) => pressAnswer(deps, ctx));
  return { commands: [], handlers };
}

async function answerPlain(deps: BotDeps, ctx: BotContext, next: () => Promise<void>): Promise<void> {
  const { actor, message } = ctx;
  // What somebody writes who is in no account is not read.
  if (!actor) return next();
  const text = message?.text ?? message?.caption ?? '';
  if (findCommand(ctx) !== undefined || text.startsWith('/') || message?.document) return next();
  const mayRedeem = grantOf(actor, 'redeem') !== 'no';
  if (!mayRedeem && grantOf(actor, 'searchHistory') !== 'no') return answerFind(deps, ctx, text);
  const read = readPlainMessage(text, deps.core.games);
  const named = mayRedeem && MAY_NAME.has(read.kind) ? deps.core.findNamed(actor, text) : undefined;
  if (named) return showCard(deps, ctx, named);
  if (read.kind === 'nothing') return next();
  if (read.kind === 'codes') return beginImport(ctx, text);
  if (read.kind === 'again') return offerAgain(deps, ctx, next);
  await requires('redeem')(ctx, () => answerOrder(deps, ctx, text, read));
}

/** What this person redeemed last, as a confirmation that says for whom and what. */
async function offerAgain(deps: BotDeps, ctx: BotContext, next: () => Promise<void>): Promise<void> {
  const last = deps.core.lastOrder(actorOf(ctx));
  if (!last) return next();
  const { gameId, player, denomination } = last;
  await requires('redeem')(ctx, () =>
    showCard(deps, ctx, { gameId, player, items: [{ denomination, count: 1 }] }),
  );
}

async function answerOrder(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  read: Exclude<PlainMessage, { kind: 'nothing' | 'codes' | 'again' }>,
): Promise<void> {
  switch (read.kind) {
    case 'orders':
      return openForms(deps, ctx, read.orders);
    case 'tooMany':
      await reply(ctx, ctx.say(`plain-too-many-${read.of}`));
      return;
    case 'code':
      return askAboutCode(deps, ctx, text, read.code);
    case 'amount':
      return askAboutAmount(deps, ctx, text, read.item);
    case 'candidates':
      return askAboutPlayers(deps, ctx, text, read);
  }
}

/** A card for one, and one for several: those that are of one game, by name; who is not found has been told of. */
async function openForms(
  deps: BotDeps,
  ctx: BotContext,
  [first, ...others]: readonly (Wish & { playerId: string })[],
): Promise<void> {
  if (!first || others.length === 0) return first && openForm(deps, ctx, first);
  const found: (OrderLine & { gameId: string })[] = [];
  for (const form of [first, ...others]) {
    const { playerId, items } = form;
    const gameId = chooseGameFor(deps, ctx, items)?.id;
    if (gameId === undefined) continue;
    const place = { again: againOf(deps, ctx, form), isSeveral: true };
    const player = await lookUpPlayer(deps, ctx, { gameId, playerId }, place);
    if (player) found.push({ gameId, player, items });
  }
  for (const [gameId, lines] of Map.groupBy(found, (line) => line.gameId))
    await showLines(deps, ctx, { gameId, lines: lines.map(({ player, items }) => ({ player, items })) });
}

/** What a button carries that looks the player up once more. */
const againOf = (deps: BotDeps, ctx: BotContext, form: Wish & { playerId: string }) => async () =>
  `${await saveQuestion(deps, ctx, { text: '', players: [{ ...form, codes: [] }] })}:${form.playerId}`;

/** The card of an order form, in place of the message named or as a new one. */
export async function openForm(
  deps: BotDeps,
  ctx: BotContext,
  form: Wish & { playerId: string },
  messageId?: number,
): Promise<void> {
  const { playerId, ...wish } = form;
  const game = chooseGameFor(deps, ctx, wish.items, wish.amount) ?? chooseGameFor(deps, ctx, []);
  if (!game) return;
  const again = againOf(deps, ctx, form);
  await openCard(deps, ctx, { gameId: game.id, playerId, wish }, { messageId, again });
}

async function askAboutPlayers(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  { players, more, mayBeCodes, unread }: Extract<PlainMessage, { kind: 'candidates' }>,
): Promise<void> {
  const data = await saveQuestion(deps, ctx, { text, players: players.map((each) => ({ ...each, unread })) });
  const codes = new Set(players.flatMap((player) => player.codes)).size;
  const rows = players.flatMap((player) => playerRows(deps, ctx, player, { data, isOneCode: codes === 1 }));
  const add = mayBeCodes ? [[InlineKeyboard.text(ctx.label('button-plain-codes'), `${data}:codes`)]] : [];
  const cancel = [InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`)];
  const key =
    codes > 0 ? 'plain-player-and-code' : mayBeCodes ? 'plain-player-or-code' : 'plain-which-player';
  const count = codes > 0 ? codes : players.length;
  const cost = writeActivations(ctx.language, COST_QUARTERS.character / 4);
  const lines = [ctx.say(key, { count }), ctx.say('plain-look-up-cost', { cost })];
  lines.push(...players.flatMap(({ amount }) => formatNotMade(deps, ctx, amount)));
  if (unread.length > 0) lines.push(ctx.say('redeem-unread', { words: unread.join(', ') }));
  if (more.length > 0) lines.push(ctx.say('plain-more-players', { players: more.join(', ') }));
  if (codes > MOST_CODE_ROWS) lines.push(ctx.say('plain-more-codes'));
  if (codes === 0 && players.length > 1) lines.push(ctx.say('plain-a-line-each'));
  const shown = rows.slice(0, MOST_CODE_ROWS);
  await reply(ctx, lines.join('\n'), new InlineKeyboard([...shown, ...add, cancel]));
}

/** A button for the player, or for each code that stands beside it. */
function playerRows(
  { core }: BotDeps,
  ctx: BotContext,
  { playerId, items, amount, codes }: Candidate,
  { data, isOneCode }: { data: string; isOneCode: boolean },
): InlineKeyboardButton[][] {
  const button = (what: string, choice: string) => {
    const key = what === '' ? 'button-plain-player' : 'button-plain-player-what';
    return [InlineKeyboard.text(ctx.label(key, { player: playerId, what }), `${data}:${choice}`)];
  };
  const isSaid = amount === undefined || formatNotMade({ core }, ctx, amount).length > 0;
  const wanted = isSaid ? items : [{ denomination: amount, count: 1 }];
  if (codes.length === 0) return [button(formatItems(wanted, gameWith({ core }, items)), playerId)];
  return codes.map((code, index) => {
    const end = code.slice(-ENDING);
    return button(
      ctx.label(isOneCode ? 'plain-this-code' : 'plain-code-ending', { end }),
      `${playerId}-${index}`,
    );
  });
}

/** A denomination without a player: for whom, or which codes are to be added? */
async function askAboutAmount(deps: BotDeps, ctx: BotContext, text: string, item: OrderItem): Promise<void> {
  const data = await saveQuestion(deps, ctx, { text, players: [], item });
  const what = formatItems([{ ...item, count: 1 }], gameWith(deps, [item]));
  const keyboard = new InlineKeyboard([
    [InlineKeyboard.text(ctx.label('button-plain-redeem'), `${data}:redeem`)],
    [InlineKeyboard.text(ctx.label('button-plain-add', { what }), `${data}:adding`)],
    [InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`)],
  ]);
  await reply(ctx, ctx.say('plain-amount', { what }), keyboard);
}

/** One code alone: for the stock, or to be redeemed now, and in which game. */
async function askAboutCode(
  deps: BotDeps,
  ctx: BotContext,
  text: string,
  code: string,
  messageId?: number,
): Promise<void> {
  const data = await saveQuestion(deps, ctx, { text, players: [], code });
  const games = deps.core.games.all.filter(({ codePattern }) => codePattern.test(code)).slice(0, MOST_GAMES);
  const rows = games.map(({ id }) => [
    InlineKeyboard.text(ctx.label('button-plain-redeem-code', { game: id }), `${data}:r${buttonId(id)}`),
  ]);
  const stockKeys = text.trim() === code ? askWorth(deps, ctx, code, data) : undefined;
  const keyboard = new InlineKeyboard([
    ...(stockKeys ?? [[InlineKeyboard.text(ctx.label('button-plain-add-code'), `${data}:add`)]]),
    ...rows,
    [InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`)],
  ]);
  const html = ctx.say(stockKeys ? 'plain-one-code-worth' : 'plain-one-code', { code });
  await showIn(ctx, html, keyboard, messageId);
}

/** What the code may be worth, where one game alone has a stock and nothing beside the code tells. */
function askWorth(
  { core }: BotDeps,
  ctx: BotContext,
  code: string,
  data: string,
): InlineKeyboardButton[][] | undefined {
  const [game, ...others] = core.games.managed;
  if (!game?.codePattern.test(code) || others.length > 0) return undefined;
  return stockKeyRows(ctx, game, (denomination) => `${data}:${STOCK_KEY}${denomination}`);
}

const saveQuestion = (deps: BotDeps, ctx: BotContext, payload: Question): Promise<string> =>
  createConfirmation(deps, ctx, { action: ASKED, payload, withinMs: ASKED_MS });

/** A choice spends nothing by itself, so that it may be pressed again: another player of the same message, for one. */
async function pressAnswer(deps: BotDeps, ctx: BotContext): Promise<void> {
  const [, id = '', choice = ''] = SHAPE.exec(ctx.callbackQuery?.data ?? '') ?? [];
  const found = findConfirmation<Question>(deps, ctx, ASKED, id);
  if (found.status === 'refused') return answerTap(ctx, ctx.label(keyOfLasting(found.key)), true);
  const { text, players, code, item } = found.payload;
  const pressed = ctx.callbackQuery?.message?.message_id;
  const [stock] = deps.core.games.managed;
  const stockKey = stock?.denominations.find((each) => choice === `${STOCK_KEY}${each}`);
  if (choice === 'codes' || choice === 'add' || choice === 'adding' || stockKey !== undefined) {
    await requires('addCodes')(ctx, async () => {
      answerTap(ctx);
      if (stock && stockKey !== undefined)
        return beginImport(ctx, text, { gameId: stock.id, heading: labelStockKey(ctx, stock, stockKey) });
      if (item) return beginAdding(ctx, gameWith(deps, [item])?.id, item.denomination);
      const [only] = players;
      const codes = only?.codes ?? [];
      const single = code ?? (players.length === 1 ? (codes[0] ?? only?.playerId) : undefined);
      if (choice === 'codes' && single !== undefined && codes.length < 2)
        return askAboutCode(deps, ctx, text, single, pressed);
      await beginImport(ctx, text);
    });
    return;
  }
  await requires('redeem')(ctx, async () => {
    answerTap(ctx);
    if (item) return enter(ctx, REDEEM, startWith(deps, item));
    const game = deps.core.games.all.find((each) => `r${buttonId(each.id)}` === choice);
    if (game && code !== undefined) {
      return enter(ctx, REDEEM, { gameId: game.id, wanted: code } satisfies RedeemStart);
    }
    const [playerId = '', which] = choice.split('-');
    const player = players.find((each) => each.playerId === playerId);
    // The catalogue has the game of this button no more.
    if (!player) return void (await reply(ctx, ctx.say('error-gone')));
    const wanted = which === undefined ? undefined : player.codes[Number(which)];
    if (wanted !== undefined) return enter(ctx, REDEEM, { playerId, wanted } satisfies RedeemStart);
    const { codes: _codes, ...form } = player;
    await openForm(deps, ctx, form, players.length === 1 ? pressed : undefined);
  });
}

/** The first game with a database that has all of it. */
function gameWith({ core }: Pick<BotDeps, 'core'>, items: readonly OrderItem[]): Game | undefined {
  return core.games.managed.find((game) =>
    items.every(({ denomination }) => game.denominations.includes(denomination)),
  );
}

function startWith(deps: BotDeps, item: OrderItem): RedeemStart {
  const gameId = gameWith(deps, [item])?.id;
  return { gameId, wanted: String(item.denomination) };
}
