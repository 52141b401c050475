// The card of a player: the name as the platform tells it, the game, and a button per denomination with its stock.
// Where it is known what is wanted, the card is the last confirmation already.
import { InlineKeyboard } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';

import { addsUp, countCodes, makeUp, MOST_CODES } from '../../core/index.ts';
import type { Game, OrderItem, OrderRecord } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { answerTap, showIn } from '../replies.ts';
import { CANCEL_CONFIRMATION } from '../prompts/confirm-keyboard.ts';
import { findConfirmation, createConfirmation, keyOfLasting } from '../prompts/confirmations.ts';
import { enter } from '../prompts/start-conversation.ts';
import { buttonId } from '../prompts/prompts.ts';
import { name } from '../texts.ts';
import { askToRedeem, askToResume, toLines, warnOfRest, type RedeemSelection } from './confirm-order.ts';
import { leftOf } from './order-words.ts';
import { lookUpPlayer, type LookUpPlace } from './look-up-player.ts';
import { REDEEM, type EndedOrders, type OrderPlayer, type RedeemStart, type Wish } from './order.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids' | 'texts'>;

/** What a card is of; the payload of its confirmation. `rest`: of what it is the rest. */
export interface Card extends Wish {
  gameId: string;
  player: OrderPlayer;
  rest?: EndedOrders | undefined;
}

/** The action of the confirmation. */
const CARD = 'card';
/** Choosing spends nothing: the confirmation that follows has its own, shorter time. */
const CARD_MS = 24 * 60 * 60 * 1000;
/** What its buttons carry. */
export const CARD_BUTTON = new RegExp(`^${CARD}:([\\w-]{8,24}):([\\w-]{1,32})$`);
/** Telegram takes 100 buttons, and nobody reads so many. */
const MOST_DENOMINATIONS = 60;
const MOST_GAMES = 20;

/** The game of an order: the one used last where that has what is wanted, else the first that has it. */
export function chooseGameFor(
  { core }: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  items: readonly OrderItem[],
  amount?: number,
): Game | undefined {
  const making = core.games.managed.filter(
    ({ denominations }) => amount !== undefined && addsUp(amount, denominations),
  );
  const fitting = making.length > 0 ? making : gamesFor({ core }, items);
  const last = core.lastGame(actorOf(ctx));
  const [firstManaged] = core.games.managed;
  return (
    fitting.find(({ id }) => id === last) ?? fitting.find(({ id }) => id === firstManaged?.id) ?? fitting[0]
  );
}

/** Every game for nothing in particular; else those with a database and all these denominations. */
function gamesFor({ core }: Pick<BotDeps, 'core'>, items: readonly OrderItem[]): readonly Game[] {
  if (items.length === 0) return core.games.all;
  return core.games.managed.filter((game) =>
    items.every(({ denomination }) => game.denominations.includes(denomination)),
  );
}

/** Looks the player up and shows the card, in place of the message named or as a new one. */
export async function openCard(
  deps: Deps,
  ctx: BotContext,
  { gameId, playerId, wish }: { gameId: string; playerId: string; wish: Wish },
  place: LookUpPlace = {},
): Promise<void> {
  const unnamed = () => enter(ctx, REDEEM, { gameId, playerId, wish } satisfies RedeemStart);
  const player = await lookUpPlayer(deps, ctx, { gameId, playerId }, { ...place, unnamed });
  if (player) await showCard(deps, ctx, { ...wish, gameId, player }, { messageId: place.messageId });
}

interface CardPlace {
  messageId?: number | undefined;
  hint?: string | undefined;
}

/** Shows the card, or the last confirmation where the stock has all that is wanted. */
export async function showCard(
  deps: Deps,
  ctx: BotContext,
  card: Card,
  { messageId, hint }: CardPlace = {},
): Promise<void> {
  const { core } = deps;
  const game = core.games.find(card.gameId);
  if (!game) return showGone(ctx, messageId);
  const stock = game.database ? core.codes.countAvailable(actorOf(ctx), game.id) : new Map<number, number>();
  const items = makePack(card, stock) ?? card.items;
  const short = items.filter(({ denomination, count }) => (stock.get(denomination) ?? 0) < count);
  const isKnown = items.length > 0 && short.length === 0;
  const others = gamesFor(deps, isKnown ? items : []).filter(({ id }) => id !== game.id);
  const hints = [...(hint === undefined ? [] : [hint]), ...describeWish(ctx, card, { game, stock, items })];
  const needsConfirmation = !isKnown || others.length > 0;
  const data = needsConfirmation
    ? await createConfirmation(deps, ctx, { action: CARD, payload: card, withinMs: CARD_MS })
    : '';
  const games = others
    .slice(0, MOST_GAMES)
    .map(({ id }) => [
      InlineKeyboard.text(ctx.label('button-card-game', { game: id }), `${data}:g${buttonId(id)}`),
    ]);
  if (isKnown) {
    const asked = { gameId: game.id, lines: [{ player: card.player, items }], rest: card.rest };
    return askToRedeem(deps, ctx, asked, { messageId, more: games, hints });
  }

  const missing = short.map(({ denomination }) => {
    const what = `${denomination} ${game.currency}`;
    const count = stock.get(denomination) ?? 0;
    return ctx.say(count === 0 ? 'redeem-none-left' : 'redeem-few-left', { what, count });
  });
  const html = [
    ctx.say('redeem-card', { game: game.id, name: name(card.player.name), player: card.player.playerId }),
    '',
    ...warnOfRest(deps, ctx, card.rest),
    ...hints,
    ...missing,
    ctx.say(ask(game, stock), { game: game.id }),
  ].join('\n');
  const keyboard = new InlineKeyboard([
    ...denominationRows(ctx, game, stock, data),
    [InlineKeyboard.text(ctx.label('button-send-code'), `${data}:code`)],
    ...games,
    [
      InlineKeyboard.text(ctx.label('button-other-player'), `${data}:other`),
      InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_CONFIRMATION}:${data}`),
    ],
  ]);
  await showIn(ctx, html, keyboard, messageId);
}

/** What is missing of those that have ended, of one game. */
export async function askForRest(deps: Deps, ctx: BotContext, orders: readonly OrderRecord[]): Promise<void> {
  const stopped = orders.filter(({ state }) => state === 'stopped');
  // What was stopped by hand is over for good: its rest is a new order.
  const cancelled = orders.filter(({ state }) => state === 'cancelled');
  const [{ gameId = '' } = {}] = cancelled;
  const rest = { orders: cancelled.map(({ id }) => ({ id })), isResumed: false };
  if (stopped.length > 0) await askToResume(deps, ctx, stopped);
  if (cancelled.length > 0) await showLines(deps, ctx, { gameId, lines: cancelled.map(leftOf), rest });
}

/** What is asked once more: what goes on waits for what is not there, of all else the card offers what there is. */
export async function askAgain(
  deps: Deps,
  ctx: BotContext,
  asked: RedeemSelection,
  place: { messageId?: number | undefined } = {},
): Promise<void> {
  if ('code' in asked || asked.rest?.isResumed === true) await askToRedeem(deps, ctx, asked, place);
  else await showLines(deps, ctx, asked, place);
}

/**
 * What is wanted for each of several players: one last confirmation where the stock has all of it and one order may
 * have so much, else a card for each.
 */
export async function showLines(
  deps: Deps,
  ctx: BotContext,
  asked: Extract<RedeemSelection, { lines: unknown }>,
  place: { messageId?: number | undefined } = {},
): Promise<void> {
  const { gameId, lines } = asked;
  const wanted = lines.flatMap(({ items }) => items);
  const isManaged = deps.core.games.find(gameId)?.database === true;
  const stock = isManaged ? deps.core.codes.countAvailable(actorOf(ctx), gameId) : new Map<number, number>();
  const isThere = [...Map.groupBy(wanted, ({ denomination }) => denomination)].every(
    ([denomination, items]) => (stock.get(denomination) ?? 0) >= countCodes(items),
  );
  if (lines.length > 1 && isThere && countCodes(wanted) <= MOST_CODES)
    return askToRedeem(deps, ctx, asked, place);
  for (const { lines: own, rest } of toLines(asked))
    for (const { player, items } of own) {
      const where = lines.length > 1 ? {} : place;
      await showCard(deps, ctx, { gameId, player, items: [...items], rest }, where);
    }
}

/** An amount that no denomination has, of what is there. */
function makePack({ amount }: Wish, stock: ReadonlyMap<number, number>): OrderItem[] | undefined {
  const there = [...stock].map(([denomination, count]) => ({ denomination, count }));
  return amount === undefined ? undefined : makeUp(amount, there);
}

/**
 * What of an order has to be said beside it: of what its amount is made, or that it cannot be; what was not understood.
 */
function describeWish(
  ctx: BotContext,
  { amount, unread = [] }: Wish,
  { game, stock, items }: { game: Game; stock: ReadonlyMap<number, number>; items: readonly OrderItem[] },
): string[] {
  const what = `${amount} ${game.currency}`;
  const pack = items.flatMap(({ denomination, count }) => Array<number>(count).fill(denomination));
  return [
    ...(amount !== undefined && pack.length > 0
      ? [ctx.say('redeem-pack', { what, pack: pack.join(' + ') })]
      : []),
    ...(amount !== undefined && pack.length === 0 ? [formatNoPack(ctx, amount, game, stock)] : []),
    ...(unread.length > 0 ? [ctx.say('redeem-unread', { words: unread.join(', ') })] : []),
  ];
}

/** That no denomination is so much and nothing adds up to it, with what there is. */
function formatNoPack(
  ctx: BotContext,
  amount: number,
  { currency }: Pick<Game, 'currency'>,
  stock: ReadonlyMap<number, number>,
): string {
  const there = [...stock].filter(([, count]) => count > 0).map(([denomination]) => denomination);
  const what = `${amount} ${currency}`;
  return ctx.say('redeem-no-pack', { what, count: there.length, there: there.join(', ') });
}

/**
 * That no game has what adds up to it, to be said before a look-up is paid for; nothing where it can be made, or none
 * has a stock.
 */
export function formatNotMade(
  deps: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  amount: number | undefined,
): string[] {
  const { managed } = deps.core.games;
  const [game] = managed;
  const isMade = managed.some(({ denominations }) => amount !== undefined && addsUp(amount, denominations));
  if (!game || amount === undefined || isMade) return [];
  return [formatNoPack(ctx, amount, game, deps.core.codes.countAvailable(actorOf(ctx), game.id))];
}

/** The catalogue has the game no more. */
const showGone = (ctx: BotContext, messageId: number | undefined): Promise<void> =>
  showIn(ctx, ctx.say('error-gone'), undefined, messageId);

function ask(game: Game, stock: ReadonlyMap<number, number>): string {
  if (!game.database) return 'redeem-code-only';
  return [...stock.values()].some((count) => count > 0) ? 'redeem-what' : 'redeem-stock-empty';
}

/** Two in a row; none for what is not there. */
function denominationRows(
  ctx: BotContext,
  game: Game,
  stock: ReadonlyMap<number, number>,
  data: string,
): InlineKeyboardButton[][] {
  const buttons = [...stock]
    .filter(([, count]) => count > 0)
    .slice(0, MOST_DENOMINATIONS)
    .map(([denomination, count]) => {
      const what = `${denomination} ${game.currency}`;
      const label = ctx.label('redeem-denomination', { what, count: String(count) });
      return InlineKeyboard.text(label, `${data}:d${denomination}`);
    });
  return buttons.flatMap((_button, index) => (index % 2 === 0 ? [buttons.slice(index, index + 2)] : []));
}

/** A button of a card: nothing is spent by it, so that it may be pressed again. */
export async function pressCard(deps: Deps, ctx: BotContext): Promise<void> {
  const [, id = '', choice = ''] = CARD_BUTTON.exec(ctx.callbackQuery?.data ?? '') ?? [];
  const found = findConfirmation<Card>(deps, ctx, CARD, id);
  if (found.status === 'refused') return answerTap(ctx, ctx.label(keyOfLasting(found.key)), true);
  const { gameId, player, rest, ...wish } = found.payload;
  answerTap(ctx);
  if (choice === 'code') return enter(ctx, REDEEM, { gameId, player, direct: true } satisfies RedeemStart);
  if (choice === 'other')
    return enter(ctx, REDEEM, { gameId, ...(rest && { rest, wish }) } satisfies RedeemStart);
  const messageId = ctx.callbackQuery?.message?.message_id;
  if (choice.startsWith('g')) {
    const other = deps.core.games.all.find((game) => `g${buttonId(game.id)}` === choice);
    if (!other) return showGone(ctx, messageId);
    return openCard(deps, ctx, { gameId: other.id, playerId: player.playerId, wish }, { messageId });
  }
  const denomination = Number(choice.slice(1));
  const { unread = [] } = wish;
  const chosen = { gameId, player, items: [{ denomination, count: 1 }], unread, rest };
  await showCard(deps, ctx, chosen, { messageId });
}
