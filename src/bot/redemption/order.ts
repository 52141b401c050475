// What is to be redeemed, on its way to the last confirmation: reading what people wrote, and the message with the button
// that is the order. Nothing is redeemed here.
import { InlineKeyboard } from 'grammy';

import type { Game, Games, IdempotencyKey } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { keepDraft } from '../talk/drafts.ts';
import { CANCEL_DRAFT } from '../talk/confirm-keyboard.ts';
import { editHtml, reply } from '../replies.ts';
import { name } from '../texts.ts';

export interface Player {
  playerId: string;
  name: string;
}

/** What is taken: a code of the database, or one that was sent. */
export type Wanted = { denomination: number } | { code: string };

/** The payload of the draft. */
export type RedeemOrder = { gameId: string; player: Player } & Wanted;

/** The action of the draft. */
export const REDEEM_NOW = 'redeem-now';

/** The player ID in what somebody wrote; undefined when there is none, or more than one. */
export function parsePlayerId(text: string): string | undefined {
  const bare = text.replace(/[\s\p{Cf}-]/gu, '');
  if (/^[0-9]{5,20}$/.test(bare)) return bare;
  const numbers = text.match(/(?<![0-9])[0-9]{5,20}(?![0-9])/g) ?? [];
  return numbers.length === 1 ? numbers[0] : undefined;
}

/** A denomination of the game (`60`, `60 UC`) or a code of its form; undefined when it is neither. */
export function parseWanted(text: string, game: Game): Wanted | undefined {
  const [first = '', unit, ...rest] = text.trim().split(/\s+/);
  const isUnit = unit === undefined || unit.toLowerCase() === game.currency.toLowerCase();
  const isNumber = /^[0-9]{1,9}$/.test(first);
  if (
    game.database &&
    isNumber &&
    isUnit &&
    rest.length === 0 &&
    game.denominations.includes(Number(first))
  ) {
    return { denomination: Number(first) };
  }
  return game.codePattern.test(text.trim()) ? { code: text.trim() } : undefined;
}

/** The games that what was written can be for: a denomination that they have, or a code of their form. */
export function findGamesFor(
  { all, managed }: Pick<Games, 'all' | 'managed'>,
  wanted: string | undefined,
): readonly Game[] {
  if (wanted === undefined) return all;
  const fitting = all.filter((game) => parseWanted(wanted, game));
  return fitting.length > 0 ? fitting : managed;
}

/** Handled again after a crash, an update pays for a look-up once. */
export function keyOfLookUp(ctx: Pick<BotContext, 'update'>, playerId: string): IdempotencyKey {
  return { scope: 'chat', key: `look-up:${ctx.update.update_id}:${playerId}` };
}

/** Shows the last confirmation, in place of the message named or as a new one. */
export async function askToRedeem(
  deps: Pick<BotDeps, 'core' | 'keeping' | 'clock' | 'ids'>,
  ctx: BotContext,
  order: RedeemOrder,
  messageId?: number,
): Promise<void> {
  if (!ctx.chat || !ctx.from) return;
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const data = await keepDraft(deps, person, { action: REDEEM_NOW, payload: order });
  const keyboard = new InlineKeyboard()
    .text(ctx.label('button-redeem'), data)
    .text(ctx.label('button-cancel'), `${CANCEL_DRAFT}:${data}`);
  const html = describeOrder(ctx, order, deps.core.games.find(order.gameId));
  if (messageId === undefined) await reply(ctx, html, keyboard);
  else await editHtml(ctx, html, keyboard, { chatId: person.chatId, messageId });
}

function describeOrder(ctx: BotContext, order: RedeemOrder, game: Game | undefined): string {
  const { player, gameId } = order;
  const wanted =
    'denomination' in order
      ? ctx.say('redeem-confirm-stock', { what: `${order.denomination} ${game?.currency ?? ''}`.trim() })
      : ctx.say('redeem-confirm-code', { code: order.code });
  return [
    ctx.say('redeem-confirm', { game: gameId, name: name(player.name), player: player.playerId }),
    wanted,
    ctx.say('redeem-confirm-cost'),
  ].join('\n');
}
