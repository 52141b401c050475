// The last confirmation of a redemption: it names player, game, what is taken and what it costs, warns of what the player has just
// got, and its button is the order. Nothing is redeemed here.
import { InlineKeyboard } from 'grammy';
import type { InlineKeyboardButton } from 'grammy/types';

import { countCodes, type OrderItem, type SameBefore } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { describeDoer } from '../receipts/receipt-text.ts';
import { editHtml, reply } from '../replies.ts';
import { CANCEL_DRAFT } from '../talk/confirm-keyboard.ts';
import { keepDraft } from '../talk/drafts.ts';
import { name } from '../texts.ts';
import {
  REDEEM_NOW,
  REDEEM_SEVERAL,
  wordItems,
  type Player,
  type RedeemOrder,
  type SeveralOrder,
} from './order.ts';

type Deps = Pick<BotDeps, 'core' | 'keeping' | 'clock' | 'ids' | 'texts'>;

/** What is to be confirmed. */
export type Asked = { gameId: string; player: Player } & ({ items: readonly OrderItem[] } | { code: string });

export interface Place {
  /** The message that becomes the confirmation; a new one without. */
  messageId?: number | undefined;
  /** Sentences before it. */
  hints?: readonly string[];
  /** Rows of buttons below those of the confirmation. */
  more?: readonly (readonly InlineKeyboardButton[])[];
}

interface Warning {
  item: OrderItem;
  same: SameBefore;
}

/** Shows the last confirmation. */
export async function askToRedeem(
  deps: Deps,
  ctx: BotContext,
  asked: Asked,
  place: Place = {},
): Promise<void> {
  if (!ctx.chat || !ctx.from) return;
  const person = { chatId: ctx.chat.id, userId: ctx.from.id };
  const warnings = findWarnings(deps, ctx, asked);
  const warnedOf = Math.max(0, ...warnings.map(({ same }) => same.redemptionId));
  const { action, order } = toDraft(asked, warnedOf);
  const data = await keepDraft(deps, person, { action, payload: order });
  const label = ctx.label(warnings.length === 0 ? 'button-redeem' : 'button-redeem-again');
  const keyboard = new InlineKeyboard([
    [
      InlineKeyboard.text(label, data),
      InlineKeyboard.text(ctx.label('button-cancel'), `${CANCEL_DRAFT}:${data}`),
    ],
    ...(place.more ?? []).map((row) => [...row]),
  ]);
  const { hints = [] } = place;
  const html = [...hints, ...(hints.length > 0 ? [''] : []), describe(deps, ctx, asked, warnings)].join('\n');
  if (place.messageId === undefined) await reply(ctx, html, keyboard);
  else await editHtml(ctx, html, keyboard, { chatId: person.chatId, messageId: place.messageId });
}

/** What a person ordered, to be asked once more. */
export function toAsked({ gameId, player, ...wanted }: RedeemOrder | SeveralOrder): Asked {
  if ('items' in wanted) return { gameId, player, items: wanted.items };
  if ('code' in wanted) return { gameId, player, code: wanted.code };
  return { gameId, player, items: [{ denomination: wanted.denomination, count: 1 }] };
}

function toDraft(asked: Asked, warnedOf: number): { action: string; order: RedeemOrder | SeveralOrder } {
  const { gameId, player } = asked;
  if ('code' in asked) return { action: REDEEM_NOW, order: { gameId, player, code: asked.code } };
  const [first] = asked.items;
  if (first && countCodes(asked.items) === 1) {
    return { action: REDEEM_NOW, order: { gameId, player, denomination: first.denomination, warnedOf } };
  }
  return { action: REDEEM_SEVERAL, order: { gameId, player, items: [...asked.items], warnedOf } };
}

function findWarnings({ core }: Deps, ctx: BotContext, asked: Asked): Warning[] {
  if (!('items' in asked)) return [];
  const { gameId, player } = asked;
  return asked.items.flatMap((item) => {
    const { denomination } = item;
    const same = core.findSame(actorOf(ctx), { gameId, playerId: player.playerId, denomination });
    return same ? [{ item, same }] : [];
  });
}

function describe(deps: Deps, ctx: BotContext, asked: Asked, warnings: readonly Warning[]): string {
  const { player, gameId } = asked;
  const game = deps.core.games.find(gameId);
  const count = 'items' in asked ? countCodes(asked.items) : 1;
  const wanted =
    'items' in asked
      ? ctx.say('redeem-confirm-stock', { what: wordItems(asked.items, game), count })
      : ctx.say('redeem-confirm-code', { code: asked.code });
  const warned = warnings.map((warning) => `\n${describeWarning(deps, ctx, warning, game?.currency)}`);
  return [
    ctx.say('redeem-confirm', { game: gameId, name: name(player.name), player: player.playerId }),
    wanted,
    ctx.say('redeem-confirm-cost', { count }),
    ...warned,
  ].join('\n');
}

const MINUTE_MS = 60_000;

function describeWarning(
  { core, texts, clock }: Deps,
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
    who: describeDoer(same.doer, texts, ctx.language),
    ago,
  });
  const isTheirs = core.receipts.find(actorOf(ctx), same.redemptionId) !== undefined;
  return isTheirs ? `${words} /receipt_${same.redemptionId}` : words;
}
