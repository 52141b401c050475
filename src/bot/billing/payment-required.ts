// What a person is told where nothing was begun: the quota is used up, too much was refused, or the subscription has
// ended; with the way out.
import { InlineKeyboard } from 'grammy';

import type { NotBegun } from '../../core/index.ts';
import { commandData } from '../prompts/command-buttons.ts';
import type { BotContext } from '../context.ts';
import { keyOfNotBegun, mayPay, wayOutKey } from '../errors.ts';
import { showIn } from '../replies.ts';

/** Why nothing was begun, and when it may be; in place of the message named or as a new one. */
export function replyNotBegun(
  ctx: BotContext,
  { status, retryAfterSeconds: seconds }: Exclude<NotBegun, { status: 'recentDuplicate' }>,
  messageId?: number,
): Promise<void> {
  const key = keyOfNotBegun(status);
  if (status === 'tooManyBadRequests') return notify(ctx, ctx.say(key, { seconds }), undefined, messageId);
  const minutes = Math.ceil(seconds / 60);
  const html = ctx.say(key, { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  const text = mayPay(ctx) ? html : `${html} ${ctx.say('payment-required-ask-owner')}`;
  return notify(ctx, text, { label: 'button-buy', command: 'buy_activations' }, messageId);
}

/** Why redeeming needs a subscription: there was one, or there never was. */
const SUBSCRIPTION_KEYS = ['subscription-needed', 'subscription-first'] as const;
export type SubscriptionKey = (typeof SUBSCRIPTION_KEYS)[number];

export function isSubscriptionKey(key: string | undefined): key is SubscriptionKey {
  return SUBSCRIPTION_KEYS.some((each) => each === key);
}

/** That redeeming is off, why, and how it goes on. */
export function replySubscriptionNeeded(
  ctx: BotContext,
  key: SubscriptionKey,
  messageId?: number,
): Promise<void> {
  const label = key === 'subscription-first' ? 'button-subscribe-first' : 'button-subscribe';
  return notify(ctx, ctx.say(wayOutKey(ctx, key)), { label, command: 'subscribe' }, messageId);
}

async function notify(
  ctx: BotContext,
  html: string,
  way: { label: string; command: string } | undefined,
  messageId: number | undefined,
): Promise<void> {
  const keyboard =
    way && mayPay(ctx)
      ? new InlineKeyboard().text(ctx.label(way.label), commandData(way.command))
      : undefined;
  await showIn(ctx, html, keyboard, messageId);
}
