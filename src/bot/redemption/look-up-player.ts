// Player look-up for a message or a button, outside of any conversation: the name, or a sentence why there is none.
import { InlineKeyboard } from 'grammy';

import { CoreError } from '../../core/index.ts';
import { actorOf, type BotContext, type BotDeps } from '../context.ts';
import { isInterrupted, keyOf } from '../errors.ts';
import { isSubscriptionKey, replyNotBegun, replySubscriptionNeeded } from '../billing/payment-required.ts';
import { showIn } from '../replies.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { enter } from '../prompts/start-conversation.ts';
import { keyOfLookUp, REDEEM, type OrderPlayer, type RedeemStart } from './order.ts';

export interface LookUpPlace {
  /** The message that becomes the answer; a new one without. */
  messageId?: number | undefined;
  /** The data of a button that looks the player up once more; made where it is needed. */
  again?: (() => Promise<string>) | undefined;
  /** What is done where the platform knows no names: by itself the ID is asked for once more. */
  unnamed?: () => Promise<void>;
  /** Others are looked up with it, and an ID cannot be asked for of each. */
  isSeveral?: boolean;
}

/** The player by name; undefined where the person was told why not. */
export async function lookUpPlayer(
  { core }: Pick<BotDeps, 'core'>,
  ctx: BotContext,
  { gameId, playerId }: { gameId: string; playerId: string },
  { messageId, again, unnamed, isSeveral }: LookUpPlace = {},
): Promise<OrderPlayer | undefined> {
  const show = (html: string, keyboard?: InlineKeyboard) => showIn(ctx, html, keyboard, messageId);
  void ctx.replyWithChatAction('typing').catch(() => undefined);
  try {
    const asked = { gameId, playerId };
    const found = await core.findCharacter(actorOf(ctx), asked, keyOfLookUp(ctx, playerId));
    switch (found.status) {
      case 'found':
        return { playerId, name: found.name };
      case 'notFound':
        await show(`${ctx.say('redeem-player-unknown')}\nID ${playerId}`, otherPlayer(ctx));
        return undefined;
      case 'unreachable':
        await show(`${ctx.say('redeem-unreachable')}\nID ${playerId}`, await tryAgain(ctx, again));
        return undefined;
      case 'notOffered':
        if (isSeveral) await show(`${ctx.say('plain-one-at-a-time')}\nID ${playerId}`);
        else await (unnamed?.() ?? enter(ctx, REDEEM, asked satisfies RedeemStart));
        return undefined;
      case 'quotaExceeded':
      case 'tooManyBadRequests':
        await replyNotBegun(ctx, found, messageId);
        return undefined;
    }
  } catch (error) {
    const key = error instanceof CoreError && !isInterrupted(error) ? keyOf(error) : undefined;
    if (!isSubscriptionKey(key)) throw error;
    await replySubscriptionNeeded(ctx, key, messageId);
    return undefined;
  }
}

async function tryAgain(ctx: BotContext, again: LookUpPlace['again']): Promise<InlineKeyboard> {
  const keyboard = otherPlayer(ctx);
  if (!again) return keyboard;
  return new InlineKeyboard([
    [InlineKeyboard.text(ctx.label('button-try-again'), await again())],
    ...keyboard.inline_keyboard,
  ]);
}

function otherPlayer(ctx: BotContext): InlineKeyboard {
  return new InlineKeyboard().text(ctx.label('button-other-player'), commandData('redeem'));
}
