// The last confirmation of a redemption: it names player, game, what is taken and what it costs, warns of what the
// player has just got, and its button is the order. For several players it has a line each. Nothing is redeemed here.
import { InlineKeyboard } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';

import { MINUTE_MS } from '../../clock.ts';
import { countCodes } from '../../core/index.ts';
import type { OrderItem, OrderRecord, RecentDuplicate, SeenOrder } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { labelActor } from '../actor.ts';
import { LONGEST_MESSAGE, showIn } from '../replies.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { name } from '../texts.ts';
import {
  ONE_BY_ONE,
  REDEEM_NOW,
  REDEEM_CODES,
  formatItems,
  type EndedOrders,
  type OrderLine,
  type OrderPlayer,
  type RedeemOrder,
  type CodesOrder,
  type Warned,
} from './order.ts';
import { leftOf, formatAllItems, nameOf } from './order-words.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>;

/** What is to be confirmed. */
export type RedeemSelection = { gameId: string } & (
  { lines: readonly OrderLine[]; rest?: EndedOrders | undefined } | { player: OrderPlayer; code: string }
);

export interface ConfirmationPlace {
  /** The message that becomes the confirmation; a new one without. */
  messageId?: number | undefined;
  /** Sentences before it. */
  hints?: readonly string[];
  /** Rows of buttons below those of the confirmation. */
  more?: readonly (readonly InlineKeyboardButton[])[];
}

interface Warning {
  player: OrderPlayer;
  item: OrderItem;
  same: RecentDuplicate;
}

/** Shows the last confirmation. What for several players has no room in a message is one for each. */
export async function askToRedeem(
  deps: Deps,
  ctx: BotContext,
  asked: RedeemSelection,
  place: ConfirmationPlace = {},
): Promise<void> {
  const { lines, rest } = 'lines' in asked ? asked : { lines: [] };
  const warnings = findWarnings(deps, ctx, asked.gameId, lines);
  const { more = [], messageId } = place;
  const ended = listEnded(deps, ctx, rest);
  const hints = [...ended.flatMap((order) => warnOfReplaced(deps, ctx, order)), ...(place.hints ?? [])];
  const html = [...hints, ...(hints.length > 0 ? [''] : []), describe(deps, ctx, asked, warnings)].join('\n');
  if (lines.length > 1 && html.length > LONGEST_MESSAGE) {
    for (const each of toLines({ gameId: asked.gameId, lines, rest })) await askToRedeem(deps, ctx, each);
    return;
  }
  const seen = ended.map(({ id, standing }) => ({ id, seen: standing }));
  const { action, order } = toConfirmation(asked, noteWarned(warnings), seen);
  const data = await createConfirmation(deps, ctx, { action, payload: order });
  const [first, again] =
    lines.length > 1
      ? (['button-redeem-all', 'button-redeem-all-again'] as const)
      : (['button-redeem', 'button-redeem-again'] as const);
  const how =
    warnings.length > 0
      ? { label: ctx.label(again) }
      : { label: ctx.label(first), style: 'success' as const };
  const each = InlineKeyboard.text(ctx.label('button-one-by-one'), `${ONE_BY_ONE}:${data}`);
  const keyboard = new InlineKeyboard([
    ...confirmKeyboard(ctx, data, how).inline_keyboard,
    ...(lines.length > 1 ? [[each]] : []),
    ...more.map((row) => [...row]),
  ]);
  await showIn(ctx, html, keyboard, messageId);
}

/** The last confirmation for what is missing of stopped orders of one game: it waits for what is not in stock. */
export async function askToResume(
  deps: Deps,
  ctx: BotContext,
  orders: readonly OrderRecord[],
): Promise<void> {
  const [first] = orders;
  if (!first) return;
  const { gameId } = first;
  const lines = orders.map(leftOf);
  const game = deps.core.games.find(gameId);
  const stock = deps.core.codes.countAvailable(actorOf(ctx), gameId);
  const wanted = Map.groupBy(
    lines.flatMap(({ items }) => items),
    ({ denomination }) => denomination,
  );
  const short = [...wanted].filter(
    ([denomination, items]) => (stock.get(denomination) ?? 0) < countCodes(items),
  );
  const what = short.map(([denomination]) => formatItems([{ denomination, count: 1 }], game)).join(', ');
  const hints = short.length > 0 ? [ctx.say('order-rest-waits', { what })] : [];
  const rest = { orders, isResumed: true };
  await askToRedeem(deps, ctx, { gameId, lines, rest }, { hints });
}

/** One for each of its players. */
export const toLines = ({ gameId, lines, rest }: Extract<RedeemSelection, { lines: unknown }>) =>
  lines.map((line, index) => ({
    gameId,
    lines: [line],
    rest: rest && { ...rest, orders: rest.orders.slice(index, index + 1) },
  }));

const listEnded = ({ core }: Pick<Deps, 'core'>, ctx: BotContext, rest?: EndedOrders): OrderRecord[] =>
  (rest?.orders ?? []).flatMap(({ id }) => core.orders.find(actorOf(ctx), id) ?? []);

/** Of each that went on as another order already. */
export const warnOfRest = (deps: Pick<Deps, 'core'>, ctx: BotContext, rest?: EndedOrders): string[] =>
  listEnded(deps, ctx, rest).flatMap((order) => warnOfReplaced(deps, ctx, order));

/** What was missing of it was ordered already, maybe for another player: ordered again, it would be bought twice. */
export function warnOfReplaced(
  { core }: Pick<Deps, 'core'>,
  ctx: BotContext,
  { replacedBy, playerId }: OrderRecord,
): string[] {
  if (replacedBy === undefined) return [];
  const other = core.orders.find(actorOf(ctx), replacedBy);
  const whose = other?.playerId === playerId ? 'same' : other ? 'other' : 'unknown';
  return [ctx.say('order-replaced', { before: playerId, ...nameOf(other), whose })];
}

/** What a person ordered, to be asked once more. */
export function toAsked({ gameId, ...order }: RedeemOrder | CodesOrder): RedeemSelection {
  if ('lines' in order) {
    const { lines, rest } = order;
    return { gameId, lines, rest };
  }
  const { player } = order;
  if ('code' in order) return { gameId, player, code: order.code };
  return { gameId, lines: [{ player, items: [{ denomination: order.denomination, count: 1 }] }] };
}

/** The newest of what a person was warned of. */
function noteWarned(warnings: readonly Warning[]): Warned {
  const warnedOfOrder = Math.max(0, ...warnings.map(({ same }) => same.orderId));
  const warnedOf = Math.max(0, ...warnings.map(({ same }) => same.redemptionId));
  return { warnedOf, ...(warnedOfOrder > 0 && { warnedOfOrder }) };
}

function toConfirmation(
  asked: RedeemSelection,
  warned: Warned,
  seen: readonly SeenOrder[],
): { action: string; order: RedeemOrder | CodesOrder } {
  const { gameId } = asked;
  if ('code' in asked)
    return { action: REDEEM_NOW, order: { gameId, player: asked.player, code: asked.code } };
  const { rest } = asked;
  const [line] = asked.lines;
  const [item] = line?.items ?? [];
  if (!rest && line && item && countAll(asked.lines) === 1) {
    const { denomination } = item;
    return { action: REDEEM_NOW, order: { gameId, player: line.player, denomination, ...warned } };
  }
  const told = rest && { rest: { ...rest, orders: seen } };
  const order = { gameId, lines: [...asked.lines], ...warned, ...told };
  return { action: REDEEM_CODES, order };
}

const countAll = (lines: readonly OrderLine[]) =>
  lines.reduce((total, { items, given = 0 }) => total + countCodes([...items]) + given, 0);

function findWarnings(
  { core }: Deps,
  ctx: BotContext,
  gameId: string,
  lines: readonly OrderLine[],
): Warning[] {
  const asked = lines.flatMap(({ player, items }) => items.map((item) => ({ player, item })));
  return asked.flatMap(({ player, item }) => {
    const { denomination } = item;
    const same = core.findRecentDuplicate(actorOf(ctx), { gameId, playerId: player.playerId, denomination });
    return same ? [{ player, item, same }] : [];
  });
}

function describe(deps: Deps, ctx: BotContext, asked: RedeemSelection, warnings: readonly Warning[]): string {
  const { gameId } = asked;
  const game = deps.core.games.find(gameId);
  const warn = (warning: Warning) => describeWarning(deps, ctx, warning, game?.currency);
  const titled = ({ player }: { player: OrderPlayer }) =>
    ctx.say('redeem-confirm', { game: gameId, name: name(player.name), player: player.playerId });
  if ('code' in asked) {
    const code = ctx.say('redeem-confirm-code', { code: asked.code });
    return [titled(asked), code, ctx.say('redeem-confirm-cost', { count: 1 })].join('\n');
  }
  const [line, another] = asked.lines;
  if (!line) return '';
  const count = countAll(asked.lines);
  const cost = ctx.say('redeem-confirm-cost', { count });
  if (!another) {
    const what = formatAllItems(ctx, [line], game);
    const key = line.given === undefined ? 'redeem-confirm-stock' : 'redeem-confirm-codes';
    const wanted = ctx.say(key, { what, count });
    return [titled(line), wanted, cost, ...warnings.map((warning) => `\n${warn(warning)}`)].join('\n');
  }
  const each = asked.lines.flatMap((line) => [
    ctx.say('redeem-confirm-line', {
      ...{ name: name(line.player.name), player: line.player.playerId },
      what: formatAllItems(ctx, [line], game),
    }),
    ...warnings.filter((warning) => warning.player === line.player).map(warn),
  ]);
  const players = asked.lines.length;
  const title = ctx.say('redeem-confirm-lines', { game: gameId, players, count });
  return [title, '', ...each, '', cost].join('\n');
}

function describeWarning(
  { core, clock }: Deps,
  ctx: BotContext,
  { item, same }: Warning,
  currency = '',
): string {
  const minutes = Math.max(0, Math.floor((clock.now() - same.createdAt) / MINUTE_MS));
  const ago =
    minutes < 60
      ? ctx.say('redeem-minutes-ago', { minutes })
      : ctx.say('redeem-hours-ago', { hours: Math.floor(minutes / 60) });
  const words = ctx.say(`redeem-same-${same.state.replace('_', '-')}`, {
    what: `${item.denomination} ${currency}`.trim(),
    who: labelActor(ctx.label, same.actorLabel),
    ago,
  });
  const isTheirs = core.receipts.find(actorOf(ctx), same.redemptionId) !== undefined;
  return isTheirs ? `${words} /receipt_${same.redemptionId}` : words;
}
