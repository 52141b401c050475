// The press that is the order: one code is redeemed at once, of several the core makes orders; begun in one transaction
// with the used button and the message that shows how it goes on.
import type { NotBegun, NotPressed, Press } from '../../core/index.ts';
import { replyNotBegun, isSubscriptionKey, replySubscriptionNeeded } from '../billing/payment-required.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import { LATE, runAction, type Action } from '../outbox/actions.ts';
import { editHtml } from '../replies.ts';
import { advanceDraft, askLate } from './advance.ts';
import { countWanted, type DraftLine } from './draft.ts';
import { toLiveMessageRow, toOrderRow } from './order-messages.ts';
import { draftOf, ORDER, type OrderScreen } from './screens.ts';

/** Redeem: the order that the screen shows. */
export async function press(deps: BotDeps, ctx: BotContext, id: string): Promise<void> {
  const refused = await runAction<OrderScreen>(
    deps,
    ctx,
    ORDER,
    async (action) => {
      // No other screen has this button.
      if (action.payload.asks !== 'order') return;
      const { messageId } = action.target;
      try {
        const answer = await carryOut(deps, ctx, action);
        if (!answer) return;
        if (answer.status === 'quotaExceeded' || answer.status === 'tooManyBadRequests')
          return await replyNotBegun(ctx, answer, messageId);
        if (answer.status === 'tooManyOrders') return await editHtml(ctx, ctx.say('order-too-many'));
        if (answer.status === 'notStopped') return await editHtml(ctx, ctx.say('order-not-stopped'));
        // News to the person: they are asked once more, and warned.
        await advanceDraft(deps, ctx, draftOf(action.payload), { messageId });
      } catch (error) {
        await refuse(ctx, error);
      }
    },
    LATE,
  );
  if (refused === 'confirmation-expired') await askLate(deps, ctx, id);
}

/** Why nothing was begun; undefined where it goes on. */
function carryOut(
  deps: BotDeps,
  ctx: BotContext,
  action: Action<OrderScreen>,
): Promise<NotBegun | NotPressed | undefined> {
  const { code, lines, rest } = action.payload;
  const [line] = lines;
  const isOne = code !== undefined || (!rest && countWanted(lines) === 1);
  return line && isOne ? redeemOne(deps, ctx, action, line) : placeAll(deps, ctx, action);
}

/** Begun under the confirmation's id and watched from then on, whatever is delivered again or ends in between. */
async function redeemOne(
  { core }: BotDeps,
  ctx: BotContext,
  { id, payload, target, ends }: Action<OrderScreen>,
  { playerId = '', name: playerName = '', items: [item] }: DraftLine,
): Promise<NotBegun | undefined> {
  const { gameId = '', code, warnedOf = 0, warnedOfOrder } = payload;
  const liveMessage = {
    ...target,
    telegramId: actorOf(ctx).telegramId,
    language: ctx.language,
    orderKey: id,
  };
  const begun = await core.beginRedemption(actorOf(ctx), {
    ...{ gameId, playerId, playerName },
    ...(code === undefined ? { denomination: item?.denomination ?? 0 } : { code }),
    idempotencyKey: { scope: 'chat', key: id },
    unlessDuplicate: { warnedOf, warnedOfOrder },
    inTransaction: ends(({ redemptionId }: { redemptionId: number }) => [
      toLiveMessageRow({ ...liveMessage, redemptionId }),
    ]),
  });
  return begun.status === 'begun' ? undefined : begun;
}

/** Placed, or resumed, with its taken confirmation and its messages. */
async function placeAll(
  { core: { presses } }: BotDeps,
  ctx: BotContext,
  { id, payload, target, ends }: Action<OrderScreen>,
): Promise<NotPressed | undefined> {
  const { gameId = '', lines, warnedOf = 0, warnedOfOrder, rest } = payload;
  const actor = actorOf(ctx);
  const known = { warnedOf, warnedOfOrder };
  const shown = { ...target, telegramId: actor.telegramId, language: ctx.language };
  const inTransaction = ends((begun: Press) => [toOrderRow(id, begun, shown)]);
  const wanted = lines.map(({ playerId = '', name: playerName = '', items }) => ({
    ...{ playerId, playerName, items },
  }));
  const answer = rest?.isResumed
    ? await presses.resumeTogether(actor, { id, orders: rest.orders, ...known }, inTransaction)
    : await presses.placeTogether(
        actor,
        { id, gameId, lines: wanted, ...(rest && { insteadOf: rest.orders }), ...known },
        inTransaction,
      );
  return answer.status === 'pressed' ? undefined : answer;
}

/** Nothing was begun: says why. What was interrupted waits in the inbox, and is carried out later. */
async function refuse(ctx: BotContext, error: unknown): Promise<void> {
  const key = keyOf(error);
  if (key === undefined || isInterrupted(error)) throw error;
  if (isSubscriptionKey(key))
    return replySubscriptionNeeded(ctx, key, ctx.callbackQuery?.message?.message_id);
  await editHtml(ctx, ctx.say(key));
}
