// What a person is told when a deed cannot be paid: the quota is used up, or the subscription has ended; with the way out.
import { InlineKeyboard } from 'grammy';

import { commandData } from '../prompts/command-buttons.ts';
import type { BotContext } from '../context.ts';
import { mayPay, wayOutKey } from '../errors.ts';
import { editHtml, reply } from '../replies.ts';

/** When the next activation comes back, and how to get more; in place of the message named or as a new one. */
export function tellQuotaUsed(ctx: BotContext, retryAfterSeconds: number, messageId?: number): Promise<void> {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const html = ctx.say('redeem-quota', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  const text = mayPay(ctx) ? html : `${html} ${ctx.say('unpaid-ask-owner')}`;
  return tell(ctx, text, { label: 'button-buy', command: 'buy_activations' }, messageId);
}

/** Why redeeming needs a subscription: there was one, or there never was. */
const SUBSCRIPTION_KEYS = ['subscription-needed', 'subscription-first'] as const;
export type SubscriptionKey = (typeof SUBSCRIPTION_KEYS)[number];

export function isSubscriptionKey(key: string | undefined): key is SubscriptionKey {
  return SUBSCRIPTION_KEYS.some((each) => each === key);
}

/** That redeeming is off, why, and how it goes on. */
export function tellSubscriptionNeeded(
  ctx: BotContext,
  key: SubscriptionKey,
  messageId?: number,
): Promise<void> {
  const label = key === 'subscription-first' ? 'button-subscribe-first' : 'button-subscribe';
  return tell(ctx, ctx.say(wayOutKey(ctx, key)), { label, command: 'subscribe' }, messageId);
}

async function tell(
  ctx: BotContext,
  html: string,
  { label, command }: { label: string; command: string },
  messageId: number | undefined,
): Promise<void> {
  const keyboard = mayPay(ctx)
    ? new InlineKeyboard().text(ctx.label(label), commandData(command))
    : undefined;
  if (messageId === undefined || !ctx.chat) await reply(ctx, html, keyboard);
  else await editHtml(ctx, html, keyboard, { chatId: ctx.chat.id, messageId });
}
