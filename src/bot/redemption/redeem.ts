// /redeem, the button that is the order, and what may follow: again, another denomination or code, another player.
// Pressing Redeem begins and returns; live-messages.ts shows how it goes on.
import { isPlayerId, readPlayerId, type Redemption } from '../../core/index.ts';
import { requires } from '../actor.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { createRedeemConversation } from './redeem-conversation.ts';
import { enter } from '../prompts/start-conversation.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import type { Feature } from '../feature.ts';
import { Handlers } from '../handlers.ts';
import { askAgain, askForRest, showCard, pressCard, CARD_BUTTON } from './card.ts';
import { askToRedeem, toAsked } from './confirm-order.ts';
import { leftOf } from './order-words.ts';
import { lookUpPlayer } from './look-up-player.ts';
import {
  findGamesFor,
  parsePlayerId,
  parseWanted,
  readForm,
  REDEEM,
  REDEEM_NOW,
  type OrderPlayer,
  type RedeemOrder,
  type CodesOrder,
  type RedeemStart,
} from './order.ts';
import { openForm } from './free-text.ts';
import { createRedemptionView, REDEMPTION, toLiveMessageRow, type LiveMessages } from './live-messages.ts';
import { findReceiptView } from '../receipts/show-receipt.ts';
import { answerTap, editHtml, reply } from '../replies.ts';
import { isSubscriptionKey, replyNotBegun, replySubscriptionNeeded } from '../billing/payment-required.ts';
import { runAction, type Action } from '../outbox/actions.ts';

export function createRedeem(deps: BotDeps, liveMessages: LiveMessages): Feature {
  const handlers = new Handlers();
  const mayRedeem = requires('redeem');

  handlers.command('redeem', mayRedeem, (ctx) => redeemCommand(deps, ctx, ctx.match.trim()));
  handlers.callbackQuery(new RegExp(`^${REDEEM_NOW}:`), mayRedeem, (ctx) =>
    redeemNow(deps, liveMessages, ctx),
  );
  handlers.callbackQuery(/^redeem:(again|change|player):(\d{1,15})$/, mayRedeem, (ctx) =>
    repeat(deps, ctx, ctx.match[1] as Repetition, Number(ctx.match[2])),
  );

  handlers.callbackQuery(CARD_BUTTON, mayRedeem, (ctx) => pressCard(deps, ctx));

  return {
    commands: [{ name: 'redeem', for: 'redeem' }],
    handlers,
    conversations: [createRedeemConversation(deps)],
    background: [liveMessages],
    views: { [REDEMPTION]: createRedemptionView(deps) },
  };
}

/** `/redeem`, `/redeem 5170925570`, `/redeem 5170925570 60`, `/redeem 5170925570 CODE`. */
async function redeemCommand(deps: BotDeps, ctx: BotContext, text: string): Promise<void> {
  const [first = '', ...rest] = text.split(/\s+/);
  if (first === '') return enter(ctx, REDEEM, {} satisfies RedeemStart);
  const playerId = rest.length === 0 ? parsePlayerId(first) : readPlayerId(first);
  if (playerId === undefined) {
    const named = deps.core.findNamed(actorOf(ctx), text);
    if (named) return showCard(deps, ctx, named);
    await reply(ctx, ctx.say('redeem-usage'));
    return;
  }
  const wanted = rest.join(' ');
  if (wanted === '') return enter(ctx, REDEEM, { playerId } satisfies RedeemStart);
  const [game, another] = findGamesFor(deps.core.games, wanted);
  if (!game || another) return enter(ctx, REDEEM, { playerId, wanted } satisfies RedeemStart);
  const parsed = parseWanted(wanted, game);
  const form = parsed ? undefined : readForm(text, deps.core.games);
  if (form && (form.items.length > 0 || form.amount !== undefined)) return openForm(deps, ctx, form);
  // What does not fit is asked for step by step.
  if (!parsed) return enter(ctx, REDEEM, { gameId: game.id, playerId, wanted } satisfies RedeemStart);

  const unnamed = () => enter(ctx, REDEEM, { gameId: game.id, playerId, wanted } satisfies RedeemStart);
  const player = await lookUpPlayer(deps, ctx, { gameId: game.id, playerId }, { unnamed });
  if (!player) return;
  const order = { gameId: game.id, player };
  if ('code' in parsed) return askToRedeem(deps, ctx, { ...order, code: parsed.code });
  await showCard(deps, ctx, { ...order, items: [{ ...parsed, count: 1 }] });
}

/**
 * The order. Begun under the confirmation's id and watched from then on, whatever is delivered again or ends in
 * between.
 */
function redeemNow(deps: BotDeps, liveMessages: LiveMessages, ctx: BotContext): Promise<void> {
  return pressOrder<RedeemOrder>(
    deps,
    ctx,
    REDEEM_NOW,
    async ({ id, payload, target, confirmation, isDone }) => {
      if (isDone) return;
      const { player, gameId, warnedOf = 0, warnedOfOrder, ...wanted } = payload;
      const { telegramId } = actorOf(ctx);
      const liveMessage = { ...target, telegramId, language: ctx.language, orderKey: id };
      try {
        const begun = await deps.core.beginRedemption(actorOf(ctx), {
          gameId,
          playerId: player.playerId,
          playerName: player.name,
          ...wanted,
          idempotencyKey: { scope: 'chat', key: id },
          unlessDuplicate: { warnedOf, warnedOfOrder },
          inTransaction: deps.store.inTransaction(({ redemptionId }) => ({
            confirmation,
            messages: [toLiveMessageRow({ ...liveMessage, redemptionId })],
          })),
        });
        // News to the person: they are asked once more, and warned.
        if (begun.status === 'recentDuplicate')
          return await askToRedeem(deps, ctx, toAsked(payload), { messageId: target.messageId });
        if (begun.status !== 'begun') return await replyNotBegun(ctx, begun, target.messageId);
        liveMessages.begin({ ...liveMessage, redemptionId: begun.redemptionId });
      } catch (error) {
        await refuse(ctx, error);
      }
    },
  );
}

/** Nothing was begun: says why. What was interrupted waits in the inbox, and is carried out later. */
export async function refuse(ctx: BotContext, error: unknown): Promise<void> {
  const key = keyOf(error);
  if (key === undefined || isInterrupted(error)) throw error;
  if (isSubscriptionKey(key))
    return replySubscriptionNeeded(ctx, key, ctx.callbackQuery?.message?.message_id);
  await editHtml(ctx, ctx.say(key));
}

type Repetition = 'again' | 'change' | 'player';

/** From the message of an earlier redemption to the next one: at once to the last confirmation where all is known. */
async function repeat(deps: BotDeps, ctx: BotContext, repetition: Repetition, id: number): Promise<void> {
  const view = findReceiptView(deps.core, actorOf(ctx), id);
  if (!view?.game) return answerTap(ctx, ctx.label('receipt-unknown', { id: String(id) }), true);
  answerTap(ctx);
  const { redemption, facts } = view;
  const { gameId, denomination } = redemption;
  const ordered = repeatOrder(deps, ctx, repetition, redemption);
  if (ordered) return ordered;
  const wanted = facts.code === 'untouched' ? redemption.code : denomination && String(denomination);
  if (repetition === 'player') {
    return enter(ctx, REDEEM, { gameId, ...(wanted && { wanted }) } satisfies RedeemStart);
  }
  const known = { gameId, direct: redemption.mode === 'direct', ...toKnownPlayer(redemption) };
  if (repetition === 'change' || !wanted) return enter(ctx, REDEEM, known satisfies RedeemStart);
  const { playerId, playerName, mode } = redemption;
  if (playerName === undefined) return enter(ctx, REDEEM, { ...known, wanted } satisfies RedeemStart);
  const player: OrderPlayer = { playerId, name: playerName };
  if (mode === 'direct') return askToRedeem(deps, ctx, { gameId, player, code: wanted });
  await showCard(deps, ctx, { gameId, player, items: [{ denomination: Number(wanted), count: 1 }] });
}

/** What is missing of an order that has ended goes on once: all of it, for the same player or for another. */
function repeatOrder(
  deps: BotDeps,
  ctx: BotContext,
  repetition: Repetition,
  { id, gameId, state, denomination, playerId }: Redemption,
): Promise<void> | undefined {
  if (state !== 'failed' || denomination === undefined || !isPlayerId(playerId)) return undefined;
  const order = deps.core.presses.findOfRedemption(actorOf(ctx), id);
  if (!order?.missing || repetition === 'change') return undefined;
  if (repetition === 'again') return askForRest(deps, ctx, [order]);
  const rest = { orders: [{ id: order.id }], isResumed: false };
  const wish = { items: [...leftOf(order).items] };
  return enter(ctx, REDEEM, { gameId, wish, rest } satisfies RedeemStart);
}

/** Nobody, where the player was forgotten. */
function toKnownPlayer({ playerId, playerName }: Redemption): Pick<RedeemStart, 'player' | 'playerId'> {
  if (!isPlayerId(playerId)) return {};
  return playerName === undefined ? { playerId } : { player: { playerId, name: playerName } };
}

export async function pressOrder<P extends RedeemOrder | CodesOrder>(
  deps: BotDeps,
  ctx: BotContext,
  action: string,
  work: (action: Action<P>) => Promise<void>,
): Promise<void> {
  const words = { 'confirmation-expired': 'redeem-expired-tap' };
  const refused = await runAction<P>(deps, ctx, action, work, words);
  if (refused !== 'confirmation-expired') return;
  const confirmation = deps.store.confirmations.find(
    (ctx.callbackQuery?.data ?? '').slice(action.length + 1),
  );
  if (!confirmation) return;
  const asked = toAsked(JSON.parse(confirmation.payload) as P);
  const place = { messageId: ctx.callbackQuery?.message?.message_id };
  await askAgain(deps, ctx, asked, place);
}
