// What several parts of the host's desk share: who acts, and how accounts, people and moments are worded there.
import type { Account, HostActor } from '../../core/index.ts';
import type { BotContext, BotDeps } from '../context.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { name } from '../texts.ts';

export const HOST: HostActor = { kind: 'host' };

/** `5 · Shop` and how it stands with its subscription. */
export function describeAccount(deps: BotDeps, ctx: BotContext, account: Account): string {
  const subscription = wordSubscription(deps, ctx, account);
  return ctx.say('host-account', { id: String(account.id), account: name(account.name), subscription });
}

/** `until 21 Dec 2026`, `ended on 21 Oct 2026`, `none yet`; days are those of the account's zone. */
export function wordSubscription(
  deps: BotDeps,
  ctx: BotContext,
  { id, subscriptionExpiresAt: endsAt }: Account,
): string {
  if (endsAt === undefined) return ctx.label('host-subscription-none');
  const key = endsAt > deps.clock.now() ? 'host-subscription-until' : 'host-subscription-ended';
  return ctx.label(key, { day: formatDay(ctx.language, endsAt, deps.core.accounts.timeZoneOf(id)) });
}

/** `Name @user (5170925570)` */
export function wordPerson({
  telegramId,
  name: called,
  username,
}: {
  telegramId: number;
  name: string;
  username?: string | undefined;
}): string {
  return `${name(called)}${username === undefined ? '' : ` @${username}`} (${telegramId})`;
}

/** A day, and a moment, in the zone in which this host reads. */
export const day = (deps: BotDeps, ctx: BotContext, at: number): string =>
  formatDay(ctx.language, at, zoneOf(deps, ctx.actor));
export const moment = (deps: BotDeps, ctx: BotContext, at: number): string =>
  formatMoment(ctx.language, at, zoneOf(deps, ctx.actor));
