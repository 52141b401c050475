// Charging an account inside a transaction: the subscription gate, the rolling window, the split, the notices at 80 and
// 100 %; and the arithmetic of the window. Amounts are whole quarters of an activation, times milliseconds UTC.
import type { Tables } from '../../store/index.ts';
import { CoreError } from '../errors.ts';
import { isSubscribed, requireUnpaused } from '../members.ts';
import { writeNotice } from '../notices/notices.ts';
import { DAY_MS, type Moment } from '../../clock.ts';

/** The free quota of a subscription, from the interface document: so many activations in any 24 hours. */
export const DAILY_LIMIT = 300;
/** Amounts of quota are whole quarters of an activation. */
export const DAILY_LIMIT_QUARTERS = DAILY_LIMIT * 4;
export const WINDOW_MS = DAY_MS;

/** The request cannot be paid: neither the daily quota nor purchased activations hold it. */
export interface QuotaExceeded {
  status: 'quotaExceeded';
  /** Whole seconds until the window has room for this very request, at least 1, at most 86,400. */
  retryAfterSeconds: number;
  /** Of the key's own window, where that has no room; in activations. */
  keyLimit?: number;
}

/** Who uses: an account, by one of its keys where a program does. */
export interface Payer {
  accountId: number;
  apiKeyId?: number;
}

/** Room for one usage at one moment, found in the transaction that books it. */
export interface Room {
  status: 'room';
  accountId: number;
  apiKeyId?: number | undefined;
  /** The moment, on the monotonic scale: what the window is measured by. */
  at: number;
  kind: UsageKind;
  plan: UsagePlan;
  usedBefore: number;
  noticed: { noticed80At: number; noticed100At: number };
}

/** Throws CoreError SUBSCRIPTION_EXPIRED, or NOT_FOUND for an account that does not exist. */
export function requireSubscription(
  tables: Tables,
  accountId: number,
  moment: Pick<Moment, 'safeNow'>,
): void {
  const account = requireUnpaused(tables, accountId);
  if (!isSubscribed(account, moment)) {
    throw new CoreError(
      'SUBSCRIPTION_EXPIRED',
      'This account has no active subscription. Renew it with /subscribe in the bot, or ask the host.',
      { because: account.subscriptionExpiresAt === null ? 'never' : undefined },
    );
  }
}

/**
 * Looks whether the account can pay `count` actions of this kind at `at` (monotonic). Writes only what rolling the
 * window needs.
 */
export function findRoom(
  tables: Tables,
  { accountId, apiKeyId }: Payer,
  kind: UsageKind,
  at: number,
  count = 1,
): Room | QuotaExceeded {
  const start = at - WINDOW_MS;
  const { used, purchased, ...noticed } = tables.quota.roll(accountId, start);
  const cost = COST_QUARTERS[kind] * count;
  const exceeded = apiKeyId === undefined ? undefined : findKeyExceeded(tables, apiKeyId, cost, at);
  if (exceeded) return exceeded;
  const plan = planUsage(cost, { usedQuarters: used, purchasedQuarters: purchased });
  if (plan) return { status: 'room', accountId, apiKeyId, at, kind, plan, usedBefore: used, noticed };
  // What is left of purchased activations pays its part.
  const waitMs = timeUntilFree(cost - purchased, used, tables.quota.listCounted(accountId, start), at);
  return { status: 'quotaExceeded', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

/** The key's own window, where it has one and no room in it: by the same rule as the account's. */
function findKeyExceeded(
  tables: Tables,
  apiKeyId: number,
  cost: number,
  at: number,
): QuotaExceeded | undefined {
  const key = readKeyWindow(tables, apiKeyId, at);
  if (!key || key.used + cost <= key.limit) return undefined;
  const waitMs = timeUntilFree(cost, key.used, key.oldestFirst, at, key.limit);
  return {
    status: 'quotaExceeded',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
    keyLimit: key.limit / 4,
  };
}

/** What a key has used of its own window at `at`, in quarters; undefined where it has none. */
export function readKeyWindow(
  tables: Tables,
  apiKeyId: number,
  at: number,
  limit = tables.apiKeys.findDayLimit(apiKeyId),
): { limit: number; used: number; oldestFirst: CountedUsage[] } | undefined {
  if (limit === null) return undefined;
  const oldestFirst = tables.quota
    .listOfKey(apiKeyId, at - WINDOW_MS)
    .map((usage) => ({ at: usage.at, dailyQuarters: usage.quarters }));
  return { limit, used: oldestFirst.reduce((sum, { dailyQuarters }) => sum + dailyQuarters, 0), oldestFirst };
}

/** Room for what was carried out already: where there is not enough of it, for what is left. */
export function findRoomForRest(tables: Tables, accountId: number, kind: UsageKind, at: number): Room {
  const { used, purchased, ...noticed } = tables.quota.roll(accountId, at - WINDOW_MS);
  const left = Math.max(0, DAILY_LIMIT_QUARTERS - used) + purchased;
  const cost = Math.min(COST_QUARTERS[kind], left);
  const plan = planUsage(cost, { usedQuarters: used, purchasedQuarters: purchased });
  if (!plan) throw new Error(`Account ${accountId} has no room for what is left.`);
  return { status: 'room', accountId, at, kind, plan, usedBefore: used, noticed };
}

/**
 * Books the usage; returns its id. Call it in the transaction that found the room. `now`: the calendar, for what is
 * told.
 */
export function bookUsage(tables: Tables, room: Room, now: number): number {
  const { accountId, apiKeyId, at, kind, plan } = room;
  const usageId = tables.quota.book({
    accountId,
    apiKeyId,
    at,
    start: at - WINDOW_MS,
    daily: plan.dailyQuarters,
    purchased: plan.purchasedQuarters,
    kind,
  });
  notifyOfThresholds(tables, room, now);
  return usageId;
}

/** At most once in any 24 hours each, since a rolling window crosses back and forth. */
function notifyOfThresholds(tables: Tables, room: Room, now: number): void {
  const usedAfter = room.usedBefore + room.plan.dailyQuarters;
  if (usedAfter < DAILY_LIMIT_QUARTERS * 0.8) return;
  const noticed = { ...room.noticed };
  const due = (told: number) => told <= room.at - WINDOW_MS || told > room.at;
  if (usedAfter === DAILY_LIMIT_QUARTERS && room.plan.dailyQuarters > 0 && due(noticed.noticed100At)) {
    noticed.noticed100At = room.at;
    writeNotice(tables, { kind: 'quotaUsed', accountId: room.accountId, percent: 100 }, now);
  } else if (usedAfter < DAILY_LIMIT_QUARTERS && due(noticed.noticed80At)) {
    noticed.noticed80At = room.at;
    writeNotice(tables, { kind: 'quotaUsed', accountId: room.accountId, percent: 80 }, now);
  } else return;
  tables.quota.markNoticed(room.accountId, noticed);
}

/** The quota as people read it, at `at` (monotonic). */
export function readQuota(tables: Tables, accountId: number, at: number): QuotaStatus {
  const start = at - WINDOW_MS;
  const { used, purchased } = tables.quota.peek(accountId, start);
  const left = Math.max(0, DAILY_LIMIT_QUARTERS - used);
  return {
    daily: { limit: DAILY_LIMIT, used: used / 4, remaining: left / 4 },
    purchased: purchased / 4,
    boughtInAll: tables.purchases.sumBought(accountId) / 4,
    subscriptionExpiresAt: tables.accounts.find(accountId)?.subscriptionExpiresAt ?? undefined,
    wholeLeft: Math.floor(left / 4),
    secondsUntilNext: secondsUntilNext(used, tables.quota.listCounted(accountId, start), at),
  };
}

/** Whole seconds until one more whole activation of `limit` is free; 0 where none is used. */
export function secondsUntilNext(
  used: number,
  oldestFirst: Iterable<CountedUsage>,
  now: number,
  limit = DAILY_LIMIT_QUARTERS,
): number {
  const left = Math.max(0, limit - used);
  const needed = used === 0 ? 0 : Math.min(limit, (Math.floor(left / 4) + 1) * 4);
  return Math.ceil(timeUntilFree(needed, used, oldestFirst, now, limit) / 1000);
}

/** Quarters of an activation that each charged action costs. */
export const COST_QUARTERS = { redeem: 4, redemptionTime: 4, character: 1 } as const;
export type UsageKind = keyof typeof COST_QUARTERS;

/** A charge, split: the daily quota is used first, then purchased activations. */
export interface UsagePlan {
  dailyQuarters: number;
  purchasedQuarters: number;
}

/** What an account may still use at one moment, in quarters. `usedQuarters` counts the window only. */
export interface Balance {
  usedQuarters: number;
  purchasedQuarters: number;
}

/** Splits a cost between the daily quota and purchased activations; undefined when both together do not hold it. */
export function planUsage(costQuarters: number, balance: Balance): UsagePlan | undefined {
  const left = Math.max(0, DAILY_LIMIT_QUARTERS - balance.usedQuarters);
  const dailyQuarters = Math.min(left, costQuarters);
  const purchasedQuarters = costQuarters - dailyQuarters;
  if (purchasedQuarters > balance.purchasedQuarters) return undefined;
  return { dailyQuarters, purchasedQuarters };
}

/** A usage that counts in the window. */
export interface CountedUsage {
  at: number;
  dailyQuarters: number;
}

/**
 * Milliseconds from `now` until `neededQuarters` more of `limit` are free; 0 when they are now.
 * `oldestFirst` are the usages of the window; never more than the window.
 */
export function timeUntilFree(
  neededQuarters: number,
  usedQuarters: number,
  oldestFirst: Iterable<CountedUsage>,
  now: number,
  limit = DAILY_LIMIT_QUARTERS,
): number {
  let free = limit - usedQuarters;
  if (free >= neededQuarters) return 0;
  for (const usage of oldestFirst) {
    free += usage.dailyQuarters;
    if (free >= neededQuarters) return Math.min(WINDOW_MS, Math.max(0, usage.at + WINDOW_MS - now));
  }
  return WINDOW_MS;
}

/** The quota as people read it: amounts in activations, quarters as decimals (299.75). */
export interface QuotaStatus {
  daily: { limit: number; used: number; remaining: number };
  purchased: number;
  /** Activations bought or given, ever, without what was refunded. */
  boughtInAll: number;
  subscriptionExpiresAt: number | undefined;
  /**
   * Whole activations of the daily quota that are left, and whole seconds until one more is free (0 when none is used).
   */
  wholeLeft: number;
  secondsUntilNext: number;
}
