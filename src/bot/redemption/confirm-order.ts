// The last confirmation of a redemption: it names player, game, what is taken and what it costs, warns of what the
// player has just got, and its button is the order. For several players it has a line each. Nothing is redeemed here.
import { InlineKeyboard } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';

import { MINUTE_MS } from '../../clock.ts';
import { countCodes, type OrderItem, type RecentDuplicate } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { labelActor } from '../actor.ts';
import { editHtml, LONGEST_MESSAGE, reply } from '../replies.ts';
import { confirmKeyboard } from '../prompts/confirm-keyboard.ts';
import { createConfirmation } from '../prompts/confirmations.ts';
import { name } from '../texts.ts';
import {
  ONE_BY_ONE,
  REDEEM_NOW,
  REDEEM_BULK,
  wordItems,
  type OrderLine,
  type OrderPlayer,
  type RedeemOrder,
  type BulkOrder,
} from './order.ts';

type Deps = Pick<BotDeps, 'core' | 'store' | 'clock' | 'ids'>;

/** What is to be confirmed. */
export type RedeemSelection = { gameId: string } & (
  { lines: readonly OrderLine[] } | { player: OrderPlayer; code: string }
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
  if (!ctx.chat || !ctx.from) return;
  const lines = 'lines' in asked ? asked.lines : [];
  const warnings = findWarnings(deps, ctx, asked.gameId, lines);
  const { hints = [], more = [], messageId } = place;
  const html = [...hints, ...(hints.length > 0 ? [''] : []), describe(deps, ctx, asked, warnings)].join('\n');
  if (lines.length > 1 && html.length > LONGEST_MESSAGE) {
    for (const line of lines) await askToRedeem(deps, ctx, { gameId: asked.gameId, lines: [line] });
    return;
  }
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const warnedOf = Math.max(0, ...warnings.map(({ same }) => same.redemptionId));
  const { action, order } = toConfirmation(asked, warnedOf);
  const data = await createConfirmation(deps, person, { action, payload: order });
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
  if (messageId === undefined) await reply(ctx, html, keyboard);
  else await editHtml(ctx, html, keyboard, { chatId: person.chatId, messageId });
}

/** What a person ordered, to be asked once more. */
export function toAsked({ gameId, ...order }: RedeemOrder | BulkOrder): RedeemSelection {
  if ('lines' in order) return { gameId, lines: order.lines };
  const { player } = order;
  if ('code' in order) return { gameId, player, code: order.code };
  return { gameId, lines: [{ player, items: [{ denomination: order.denomination, count: 1 }] }] };
}

function toConfirmation(
  asked: RedeemSelection,
  warnedOf: number,
): { action: string; order: RedeemOrder | BulkOrder } {
  const { gameId } = asked;
  if ('code' in asked)
    return { action: REDEEM_NOW, order: { gameId, player: asked.player, code: asked.code } };
  const [line] = asked.lines;
  const [item] = line?.items ?? [];
  if (line && item && countAll(asked.lines) === 1) {
    const { denomination } = item;
    return { action: REDEEM_NOW, order: { gameId, player: line.player, denomination, warnedOf } };
  }
  return { action: REDEEM_BULK, order: { gameId, lines: [...asked.lines], warnedOf } };
}

const countAll = (lines: readonly OrderLine[]) => countCodes(lines.flatMap(({ items }) => items));

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
    const what = wordItems(line.items, game);
    const wanted = ctx.say('redeem-confirm-stock', { what, count });
    return [titled(line), wanted, cost, ...warnings.map((warning) => `\n${warn(warning)}`)].join('\n');
  }
  const each = asked.lines.flatMap(({ player, items }) => [
    ctx.say('redeem-confirm-line', {
      ...{ name: name(player.name), player: player.playerId },
      what: wordItems(items, game),
    }),
    ...warnings.filter((warning) => warning.player === player).map(warn),
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
