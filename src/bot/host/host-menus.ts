// What several parts of the host's menus share: who acts, and how accounts, people and moments are worded there.
import type { Account, BookedPayment } from '../../core/index.ts';
import { hostOf, type BotContext, type BotDeps } from '../context.ts';
import { formatPerson } from '../actor.ts';
import { formatDay, formatMoment, zoneOf } from '../moments.ts';
import { answerTap } from '../replies.ts';
import { name } from '../texts.ts';

export const DAYS_OFFERED = [7, 30, 90, 365] as const;

/** The accounts that words mean: by its number one alone, whatever else has that number in its name. */
export async function findMeant({ core }: BotDeps, ctx: BotContext, words: string): Promise<number[]> {
  const { ids } = await core.accounts.search(hostOf(ctx), words);
  return /^#?\d+$/.test(words) ? ids.slice(0, 1) : ids;
}

/** The account that a button names; undefined where there is none, which the tap is told. */
export function takeAccount(deps: BotDeps, ctx: BotContext, id: number): Account | undefined {
  const account = deps.core.accounts.find(id);
  if (!account) answerTap(ctx, ctx.label('host-no-account'), true);
  return account;
}

/** `5 · Shop` and how it stands with its subscription. */
export function describeAccount(deps: BotDeps, ctx: BotContext, account: Account): string {
  const subscription = formatSubscription(deps, ctx, account);
  return ctx.say('host-account', { id: String(account.id), account: name(account.name), subscription });
}

/** A question about an account, below how that stands. */
export function askAbout(deps: BotDeps, ctx: BotContext, accountId: number, question: string): string {
  const account = deps.core.accounts.find(accountId);
  return account ? `${describeAccount(deps, ctx, account)}\n\n${question}` : question;
}

/** `until 21 Dec 2026`, `ended on 21 Oct 2026`, `none yet`; days are those of the account's zone. */
export function formatSubscription(
  deps: BotDeps,
  ctx: BotContext,
  { id, subscriptionExpiresAt: endsAt, state }: Account,
): string {
  if (state !== 'open') return ctx.label(`host-account-${state}`);
  if (endsAt === undefined) return ctx.label('host-subscription-none');
  const key = endsAt > deps.clock.now() ? 'host-subscription-until' : 'host-subscription-ended';
  return ctx.label(key, { day: formatDay(ctx.language, endsAt, deps.core.accounts.timeZoneOf(id)) });
}

/** A day, and a moment, in the zone in which this host reads. */
export const day = (deps: BotDeps, ctx: BotContext, at: number): string =>
  formatDay(ctx.language, at, zoneOf(deps, ctx.actor));
export const moment = (deps: BotDeps, ctx: BotContext, at: number): string =>
  formatMoment(ctx.language, at, zoneOf(deps, ctx.actor));

/** Whoever paid, by name while they are in the account. */
export function formatPayer(
  { core }: BotDeps,
  ctx: BotContext,
  { paidBy, accountId }: BookedPayment,
): string {
  const telegramId = Number(/^member:(\d+)$/.exec(paidBy)?.[1] ?? 0);
  const member = core.members.listOf(hostOf(ctx), accountId).find((one) => one.telegramId === telegramId);
  return member ? formatPerson(member) : String(telegramId);
}

interface Cut<Row> {
  shown: Row[];
  hasPrevious: boolean;
  hasNext: boolean;
}

/**
 * A page out of `size + 1` rows: the one too many tells whether there are others, in the direction in which it goes.
 */
export function cutPage<Row>(
  found: readonly Row[],
  size: number,
  from: { isBackwards: boolean; isFirst: boolean },
): Cut<Row> {
  const hasMore = found.length > size;
  return from.isBackwards
    ? { shown: found.slice(-size), hasPrevious: hasMore, hasNext: true }
    : { shown: found.slice(0, size), hasPrevious: !from.isFirst, hasNext: hasMore };
}
