// What is sold, for how much, and the booking of payments: each credited once and refunded once, by its charge id.
// Taking the money, and giving it back, is the business of a surface.
import { type Clock, DAY_MS } from '../../clock.ts';
import type { PurchaseRow, Store, Tables } from '../../store/index.ts';
import {
  type AccountActor,
  type InTransaction,
  type HostActor,
  type PaymentSystem,
  requireHost,
  requirePermission,
} from '../context.ts';
import { record } from '../audit-log.ts';
import { CoreError } from '../errors.ts';
import { requireAccount } from '../members.ts';
import { WINDOW_MS } from './usage.ts';

/** 10 USD per 1000 activations: the interface document, Limits. */
export const PACK_PRICE_USD_CENTS = 1000;
export const PACK_ACTIVATIONS = 1000;
export const MAX_PACKS = 100;
/** What one payment of the subscription's price buys. */
export const SUBSCRIPTION_DAYS = 30;
const QUARTERS = 4;
const LIST_LIMIT = 100;

export type PurchaseItem = { thousands: number } | { subscription: true };

export type Quote =
  | { status: 'quoted'; kind: 'activations'; priceUsdCents: number; thousands: number; activations: number }
  | { status: 'quoted'; kind: 'subscription'; priceUsdCents: number; days: number }
  /** The host has set no price for the subscription: it is asked for, not bought. */
  | { status: 'notSold' };

/** A payment that was taken, as the surface that took it tells of it. */
export type Payment = {
  accountId: number;
  /** The payment provider's id of the charge. */
  chargeId: string;
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  /** `member:<telegram id>`: whoever paid, whatever their role is by now. */
  paidBy: string;
} & ({ kind: 'activations'; thousands: number } | { kind: 'subscription'; days: number });

/** Where an account stands after a booking. */
export interface SubscriptionBalance {
  accountId: number;
  /** Purchased activations left. */
  purchased: number;
  subscriptionExpiresAt: number | undefined;
}

/** `id`: the number of the purchase. */
export type CreditAnswer = { status: 'credited' | 'alreadyCredited'; id: number } & SubscriptionBalance;

export type RefundAnswer =
  /** `activations`: what was unspent and taken back; what redemptions without an end hold is spent. */
  | ({ status: 'refunded' | 'alreadyRefunded'; activations: number } & SubscriptionBalance)
  | { status: 'unknownCharge' };

export interface Purchase {
  /** Its number: short, and the same for everybody. */
  id: number;
  accountId: number;
  chargeId: string;
  kind: 'activations' | 'subscription';
  currency: string;
  amount: number;
  activations: number;
  days: number;
  paidBy: string;
  at: number;
  /** undefined while it stands. */
  refunded: { at: number; activations: number } | undefined;
}

interface Deps {
  store: Store;
  clock: Clock;
  /** Of SUBSCRIPTION_DAYS; absent when the subscription is not for sale. */
  subscriptionPriceUsdCents?: number | undefined;
}

/** The verbs about purchases. */
export function createPurchases(deps: Deps) {
  const { store } = deps;
  return {
    /** The price at this moment: asked again when the payment is about to be taken. */
    quote(actor: AccountActor, order: PurchaseItem): Quote {
      requirePermission(actor, 'purchase');
      return 'thousands' in order
        ? quotePacks(order.thousands)
        : quoteSubscription(deps.subscriptionPriceUsdCents);
    },

    /** Books a payment, once by its charge id, whatever is redelivered. Asks for no role: the money is taken. */
    credit: (payment: Payment, inTransaction?: InTransaction<CreditAnswer>) =>
      credit(deps, payment, inTransaction),

    /** Books a refund, once: unspent activations and days to come are taken back. */
    refund: (
      actor: HostActor | PaymentSystem,
      chargeId: string,
      inTransaction?: InTransaction<RefundAnswer>,
    ) => refund(deps, actor, chargeId, inTransaction),

    /** The newest purchases of the account, at most 100. */
    list(actor: AccountActor): Purchase[] {
      requirePermission(actor, 'purchase');
      return store.read((tables) => tables.purchases.list(actor.accountId, LIST_LIMIT)).map(toPurchase);
    },

    /** Any account's purchase: what is to be known before paying back. */
    find(actor: HostActor | PaymentSystem, chargeId: string): Purchase | undefined {
      if (actor.kind !== 'paymentSystem') requireHost(actor);
      const row = store.read((tables) => tables.purchases.find(chargeId));
      return row && toPurchase(row);
    },
  };
}

function quotePacks(thousands: number): Quote {
  requirePacks(thousands);
  return {
    status: 'quoted',
    kind: 'activations',
    priceUsdCents: thousands * PACK_PRICE_USD_CENTS,
    thousands,
    activations: thousands * PACK_ACTIVATIONS,
  };
}

function quoteSubscription(priceUsdCents: number | undefined): Quote {
  if (priceUsdCents === undefined) return { status: 'notSold' };
  return { status: 'quoted', kind: 'subscription', priceUsdCents, days: SUBSCRIPTION_DAYS };
}

function credit(
  { store, clock }: Deps,
  payment: Payment,
  inTransaction: InTransaction<CreditAnswer> | undefined,
): Promise<CreditAnswer> {
  return store.write((tables): CreditAnswer => {
    const activationsQuarters = payment.kind === 'activations' ? toQuarters(payment.thousands) : 0;
    const subscriptionDays = payment.kind === 'subscription' ? requireDays(payment.days) : 0;
    const answer = creditPayment(tables, { ...payment, activationsQuarters, subscriptionDays }, clock.now());
    inTransaction?.(tables, answer);
    return answer;
  });
}

/** Books a payment in a transaction under way, once by its charge. */
function creditPayment(
  tables: Tables,
  payment: Omit<Parameters<Tables['purchases']['insert']>[0], 'at'>,
  now: number,
): CreditAnswer {
  const { accountId, chargeId, activationsQuarters, subscriptionDays } = payment;
  const booked = tables.purchases.find(chargeId);
  if (booked)
    return { status: 'alreadyCredited', id: booked.id, ...standingOf(tables, booked.accountId, now) };
  requireAccount(tables, accountId);
  const id = tables.purchases.insert({ ...payment, at: now }) && tables.purchases.find(chargeId)?.id;
  if (!id) throw new Error('A charge was booked twice inside one transaction.');
  if (activationsQuarters > 0) tables.quota.credit(accountId, activationsQuarters);
  if (subscriptionDays > 0) tables.accounts.extendSubscription(accountId, subscriptionDays * DAY_MS, now);
  return { status: 'credited', id, ...standingOf(tables, accountId, now) };
}

function refund(
  { store, clock }: Deps,
  actor: HostActor | PaymentSystem,
  chargeId: string,
  inTransaction: InTransaction<RefundAnswer> | undefined,
): Promise<RefundAnswer> {
  return store.write((tables): RefundAnswer => {
    if (actor.kind !== 'paymentSystem') requireHost(actor);
    const answer = refundPayment(tables, actor, chargeId, clock.now());
    inTransaction?.(tables, answer);
    return answer;
  });
}

/** Books a refund in a transaction under way, once. */
function refundPayment(
  tables: Tables,
  actor: HostActor | PaymentSystem,
  chargeId: string,
  now: number,
): RefundAnswer {
  const purchase = tables.purchases.find(chargeId);
  if (!purchase) return { status: 'unknownCharge' };
  const { accountId, activationsQuarters, subscriptionDays } = purchase;
  const quarters = Math.min(activationsQuarters, purchasedQuarters(tables, accountId, now));
  if (!tables.purchases.markRefunded(chargeId, quarters, now)) {
    const activations = purchase.refundedQuarters / QUARTERS;
    return { status: 'alreadyRefunded', activations, ...standingOf(tables, accountId, now) };
  }
  if (quarters > 0) tables.quota.credit(accountId, -quarters);
  if (subscriptionDays > 0) tables.accounts.shortenSubscription(accountId, subscriptionDays * DAY_MS, now);
  const { id, amount, currency } = purchase;
  const refunded = { accountId, object: `payment:${id}`, before: { amount, currency } };
  record(tables, actor, 'refunded', refunded, now);
  return {
    status: 'refunded',
    activations: quarters / QUARTERS,
    ...standingOf(tables, accountId, now),
  };
}

function standingOf(tables: Tables, accountId: number, now: number): SubscriptionBalance {
  return {
    accountId,
    purchased: purchasedQuarters(tables, accountId, now) / QUARTERS,
    subscriptionExpiresAt: tables.accounts.find(accountId)?.subscriptionExpiresAt ?? undefined,
  };
}

function purchasedQuarters(tables: Tables, accountId: number, now: number): number {
  return tables.quota.peek(accountId, now - WINDOW_MS).purchased;
}

function toQuarters(thousands: number): number {
  requirePacks(thousands);
  return thousands * PACK_ACTIVATIONS * QUARTERS;
}

function requirePacks(thousands: number): void {
  if (Number.isInteger(thousands) && thousands >= 1 && thousands <= MAX_PACKS) return;
  throw new CoreError(
    'INVALID_INPUT',
    `Activations are sold by the thousand, from 1 to ${MAX_PACKS} thousand at a time.`,
  );
}

function requireDays(days: number): number {
  if (Number.isInteger(days) && days >= 1) return days;
  throw new CoreError('INVALID_INPUT', 'A subscription is bought for a whole number of days, at least one.');
}

/** A purchase as surfaces see it. */
export function toPurchase(row: PurchaseRow): Purchase {
  const { id, accountId, chargeId, currency, amount, paidBy, at } = row;
  return {
    id,
    accountId,
    chargeId,
    kind: row.kind,
    currency,
    amount,
    activations: row.activationsQuarters / QUARTERS,
    days: row.subscriptionDays,
    paidBy,
    at,
    refunded:
      row.refundedAt === null
        ? undefined
        : { at: row.refundedAt, activations: row.refundedQuarters / QUARTERS },
  };
}
