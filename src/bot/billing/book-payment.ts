// Booking of payments and refunds: booked once by its charge id, whatever is redelivered and in whatever order.
// The facts come first, the messages about them through the outbox: one message a charge.
import { InlineKeyboard } from 'grammy';

import {
  CoreError,
  type CreditAnswer,
  type RefundAnswer,
  type SubscriptionBalance,
} from '../../core/index.ts';
import type { BotDeps } from '../context.ts';
import { formatDay, zoneOf } from '../moments.ts';
import { findLanguageOf } from '../actor.ts';
import type { ChargeNote, OutgoingRow } from '../../store/bot-store.ts';
import { toOutgoing, toOutgoingRow } from '../outgoing.ts';
import { commandData } from '../prompts/command-buttons.ts';
import { name, writeActivations, type Language } from '../texts.ts';
import { findOrder, formatPrice, type PaymentOrder, type Terms } from './invoices.ts';

/** A charge, as Telegram tells of it. */
export interface PaymentCharge extends Terms {
  chargeId: string;
  /** The payload of its invoice. */
  payload: string;
  /** The Telegram id of whoever paid. */
  payerId: number;
  /** Of whoever paid, where it is known. */
  language?: Language;
}

/** What is kept of a charge that could not be booked, so that it can be given back. */
export type UnbookedCharge = Omit<PaymentCharge, 'payload'>;

/** What a refund took back, and where the account stands. */
type Taken = Exclude<RefundAnswer, { status: 'unknownCharge' }>;

export const PAYMENT_SYSTEM = { kind: 'paymentSystem' } as const;

/**
 * Books a payment that Telegram tells of, by an update or in its list: what an order of ours asked for, once, and never
 * by guess. `stranger`: nothing was booked, and nobody was told. Safe to repeat, and beside the same payment told
 * elsewhere.
 */
export async function bookPayment(
  deps: BotDeps,
  charge: PaymentCharge,
): Promise<'booked' | 'known' | 'unmatched'> {
  const { chargeId } = charge;
  // What could not be booked is with the hosts: told again, it is not booked behind their backs.
  if (findUnbooked(deps, chargeId)) return 'known';
  const purchase = deps.core.purchases.find(PAYMENT_SYSTEM, chargeId);
  if (!purchase && !(await credit(deps, charge))) return 'unmatched';
  // Its refund may have come first.
  if (!purchase?.refunded && isRefundNoted(deps, chargeId)) await bookRefund(deps, charge);
  return purchase ? 'known' : 'booked';
}

/** Books a refund that Telegram tells of, or notes it: one transaction. Safe to repeat, and before its payment. */
export async function bookRefund(deps: BotDeps, charge: UnbookedCharge): Promise<void> {
  const chargeNotes = [toNote(deps, 'refunded', charge)];
  const formatRefund = prepareRefund(deps, charge);
  const inTransaction = deps.store.inTransaction((answer: RefundAnswer) => ({
    chargeNotes,
    messages: formatRefund(answer.status === 'unknownCharge' ? undefined : answer),
  }));
  await deps.core.purchases.refund(PAYMENT_SYSTEM, charge.chargeId, inTransaction);
}

/** What tells whoever paid that the money went back, once a charge; looked up before, and worded in the transaction. */
export function prepareRefund(
  deps: BotDeps,
  charge: UnbookedCharge,
): (balance: Taken | undefined) => OutgoingRow[] {
  const { chargeId, payerId } = charge;
  const isUnbooked = findUnbooked(deps, chargeId) !== undefined;
  const language = charge.language ?? findLanguageOf(deps, payerId);
  const price = formatPrice(charge);
  const timeZone = zoneOf(deps, deps.core.members.findActor(payerId));
  return (balance) => {
    // A refund that came before its payment is told of when the payment is booked; what the host gave was paid by
    // nobody.
    if ((!balance && !isUnbooked) || payerId === 0) return [];
    const facts = balance && {
      price,
      count: balance.activations,
      ...word(deps, balance, language, timeZone),
    };
    const html = facts
      ? deps.texts.say(language, 'refunded', facts)
      : deps.texts.say(language, 'refunded-plain', { price });
    return [toOutgoingRow(`refund:${chargeId}`, payerId, { html })];
  };
}

/** A charge that was taken and could not be booked; undefined when there is none of this id. */
export function findUnbooked(deps: Pick<BotDeps, 'store'>, chargeId: string): UnbookedCharge | undefined {
  return deps.store.findChargeNote(chargeId, 'unbooked');
}

/** As for a refund. */
function preparePayment(
  deps: BotDeps,
  { chargeId, payerId, language: known }: PaymentCharge,
  { accountId, goods }: PaymentOrder,
): (balance: CreditAnswer) => OutgoingRow {
  const account = name(deps.core.accounts.find(accountId)?.name ?? '');
  const count = goods.kind === 'activations' ? goods.thousands * 1000 : goods.days;
  const language = known ?? findLanguageOf(deps, payerId);
  const timeZone = deps.core.accounts.timeZoneOf(accountId);
  const keyboard = goods.kind === 'subscription' ? nextSteps(deps, language) : undefined;
  return (balance) => {
    const facts = {
      account,
      count,
      number: String(balance.id),
      ...word(deps, balance, language, timeZone),
    };
    const html = deps.texts.say(language, `paid-${goods.kind}`, facts);
    return toOutgoingRow(`paid:${chargeId}`, payerId, toOutgoing(html, keyboard));
  };
}

/** What a subscription is bought for. */
function nextSteps({ texts }: Pick<BotDeps, 'texts'>, language: Language): InlineKeyboard {
  return new InlineKeyboard()
    .text(texts.label(language, 'start-button-redeem'), commandData('redeem'))
    .text(texts.label(language, 'start-button-add-codes'), commandData('add_codes'));
}

/** What it bought and that it is told are one transaction; false when no order of ours asked for this much. */
async function credit(deps: BotDeps, charge: PaymentCharge): Promise<boolean> {
  const { chargeId, currency, amount, payerId, payload: orderId } = charge;
  const order = findOrder(deps, orderId)?.order;
  if (order?.currency !== currency || order.amount !== amount) return false;
  const { accountId, goods } = order;
  try {
    const payment = { accountId, chargeId, currency, amount, paidBy: `member:${payerId}`, ...goods };
    const formatPayment = preparePayment(deps, charge, order);
    const inTransaction = deps.store.inTransaction((balance: CreditAnswer) => ({
      messages: [formatPayment(balance)],
      paid: { orderId, chargeId },
    }));
    await deps.core.purchases.credit(payment, inTransaction);
    return true;
  } catch (error) {
    if (error instanceof CoreError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** What is kept of a charge that is not to be booked, or that went back: /refund knows it from then on. */
export function toNote(
  { clock }: Pick<BotDeps, 'clock'>,
  kind: ChargeNote['kind'],
  { chargeId, payerId, currency, amount }: UnbookedCharge,
): ChargeNote {
  return { chargeId, kind, payerId, currency, amount, at: clock.now() };
}

/** Whether Telegram, or its list, has told already that this charge went back. */
export function isRefundNoted(deps: Pick<BotDeps, 'store'>, chargeId: string): boolean {
  return deps.store.findChargeNote(chargeId, 'refunded') !== undefined;
}

/** What an account has after a booking. `subscription`: whether `until` is to come, is past, or there never was one. */
function word(
  { clock }: Pick<BotDeps, 'clock'>,
  { purchased, subscriptionExpiresAt: endsAt }: SubscriptionBalance,
  language: Language,
  timeZone: string,
): { balance: string; subscription: 'active' | 'ended' | 'none'; until: string } {
  const balance = writeActivations(language, purchased);
  if (endsAt === undefined) return { balance, subscription: 'none', until: '' };
  const subscription = endsAt > clock.now() ? 'active' : 'ended';
  return { balance, subscription, until: formatDay(language, endsAt, timeZone) };
}
