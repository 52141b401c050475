// What a host gives an account for nothing, or takes back: days of subscription, activations. Each is a purchase of
// nothing, so that the ledger of purchases and charges balances.
import type { Ids } from '../../ids.ts';
import type { AuditValue, Store, Tables } from '../../store/index.ts';
import { DAY_MS, type Clock } from '../../clock.ts';
import { record } from '../audit-log.ts';
import { nameActor, type HostActor, type InTransaction, requireHost } from '../context.ts';
import { CoreError } from '../errors.ts';
import { requireAccount } from '../members.ts';

export interface GrantRequest {
  accountId: number;
  /** Of subscription, added to what is left or to now; less than nothing takes what is left back, down to now. */
  days?: number | undefined;
  /** Activations beside the daily quota. */
  purchased?: number | undefined;
  /** The same order again grants nothing again. */
  orderId?: string | undefined;
  inTransaction?: InTransaction<Granted>;
}

/** What an account has after a grant. */
export interface Granted {
  /** undefined where there never was a subscription. */
  subscriptionExpiresAt: number | undefined;
}

export const MAX_DAYS = 3650;
export const MAX_PURCHASED = 1_000_000;
/** What stands where a payment's currency would, for what a host gave. */
export const HOST_CURRENCY = 'HOST';

export function grant(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  actor: HostActor,
  { accountId, days = 0, purchased = 0, orderId, inTransaction }: GrantRequest,
): Promise<Granted> {
  return store.write((tables) => {
    requireHost(actor);
    requireWhole('The number of days', days, -MAX_DAYS, MAX_DAYS);
    if (days === 0 && purchased === 0) throw new CoreError('INVALID_INPUT', 'Nothing is to be granted.');
    requireWhole('The number of purchased activations', purchased, 0, MAX_PURCHASED);
    const now = clock.now();
    const account = requireAccount(tables, accountId);
    const chargeId = `host:${orderId ?? ids.uuid()}`;
    let subscriptionExpiresAt = account.subscriptionExpiresAt ?? undefined;
    if (days < 0 && (subscriptionExpiresAt ?? 0) <= now && !tables.purchases.find(chargeId))
      throw new CoreError('CONFLICT', 'The account has no days of subscription left.');
    if (days !== 0)
      subscriptionExpiresAt =
        giveDays(tables, { accountId, days, chargeId, actor, now }) ?? subscriptionExpiresAt;
    if (purchased > 0)
      bookAdjustment(tables, { accountId, purchased, chargeId: `${chargeId}:a`, actor, now });
    inTransaction?.(tables, { subscriptionExpiresAt });
    return { subscriptionExpiresAt };
  });
}

/** Taken back, it is a purchase of less than nothing. */
export function bookAdjustment(
  tables: Tables,
  adjustment: { accountId: number; purchased: number; chargeId: string; actor: HostActor; now: number },
): void {
  const { accountId, purchased, chargeId, actor, now } = adjustment;
  const activationsQuarters = purchased * 4;
  const isNew = tables.purchases.insert({
    accountId,
    chargeId,
    kind: 'activations',
    currency: HOST_CURRENCY,
    amount: 0,
    activationsQuarters,
    subscriptionDays: 0,
    paidBy: nameActor(actor),
    at: now,
  });
  if (!isNew) return;
  tables.quota.credit(accountId, activationsQuarters);
  recordAdjustment(
    tables,
    actor,
    'activationsGranted',
    { accountId, chargeId, after: { count: purchased } },
    now,
  );
}

/** Moves the end of the subscription, and books it; the new end, or undefined when the order was carried out before. */
export function giveDays(
  tables: Tables,
  adjustment: { accountId: number; days: number; chargeId: string; actor: HostActor; now: number },
): number | undefined {
  const { accountId, days, chargeId, actor, now } = adjustment;
  const isNew = tables.purchases.insert({
    accountId,
    chargeId,
    kind: 'subscription',
    currency: HOST_CURRENCY,
    amount: 0,
    activationsQuarters: 0,
    subscriptionDays: days,
    paidBy: nameActor(actor),
    at: now,
  });
  if (!isNew) return undefined;
  recordAdjustment(tables, actor, 'daysGranted', { accountId, chargeId, after: { days } }, now);
  const { extendSubscription: extend, shortenSubscription: shorten } = tables.accounts;
  return (days > 0 ? extend : shorten)(accountId, Math.abs(days) * DAY_MS, now);
}

function recordAdjustment(
  tables: Tables,
  actor: HostActor,
  what: 'daysGranted' | 'activationsGranted',
  { accountId, chargeId, after }: { accountId: number; chargeId: string; after: AuditValue },
  now: number,
): void {
  const object = `payment:${tables.purchases.find(chargeId)?.id}`;
  record(tables, actor, what, { accountId, object, after }, now);
}

export function requireWhole(what: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new CoreError('INVALID_INPUT', `${what} must be a whole number from ${min} to ${max}.`);
}
