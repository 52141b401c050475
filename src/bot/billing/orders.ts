// Orders: what an invoice asks money for, kept under an opaque id that the invoice carries as its payload.
import type { BotDeps } from '../context.ts';
import type { PurchaseOrder } from '../../store/bot-store.ts';

/** What is bought. */
export type Goods = { kind: 'activations'; thousands: number } | { kind: 'subscription'; days: number };

/** Money, in the currency's smallest unit. `XTR` are Telegram Stars. */
export interface Terms {
  currency: string;
  amount: number;
}

/** What an invoice is for. */
export interface PaymentOrder extends Terms {
  accountId: number;
  goods: Goods;
}

export const STARS = 'XTR';
/** Telegram documents no maximum for an invoice; 100,000 Stars is the largest amount its interface names anywhere. */
export const MOST_STARS = 100_000;
/** How long the invoice can be paid. */
const ORDER_MS = 24 * 60 * 60 * 1000;
const ID_BYTES = 12;
const CENTS_PER_USD = 100;

/** A price as an invoice asks for it: in Stars, or through the payment provider where a dollar is worth none. */
export function toTerms(priceUsdCents: number, starsPerUsd: number): Terms {
  if (starsPerUsd === 0) return { currency: 'USD', amount: priceUsdCents };
  return { currency: STARS, amount: Math.ceil((priceUsdCents * starsPerUsd) / CENTS_PER_USD) };
}

/** An order, to be kept together with the message that brings its invoice; its id is the payload of that. */
export function makeOrder(
  { clock, ids }: Pick<BotDeps, 'clock' | 'ids'>,
  orderedBy: number,
  { goods, ...order }: PaymentOrder,
): PurchaseOrder {
  const count = goods.kind === 'activations' ? goods.thousands : goods.days;
  return { id: ids.secret(ID_BYTES), orderedBy, kind: goods.kind, count, ...order, at: clock.now() };
}

/** The order of a payload, one that is over too while it is known. */
export function findOrder(
  { store, clock }: Pick<BotDeps, 'store' | 'clock'>,
  payload: string,
): { order: PaymentOrder; isOpen: boolean } | undefined {
  const row = store.findPurchaseOrder(payload);
  return row && { order: toOrder(row), isOpen: row.at + ORDER_MS > clock.now() };
}

function toOrder({ accountId, kind, count, currency, amount }: PurchaseOrder): PaymentOrder {
  const goods: Goods = kind === 'activations' ? { kind, thousands: count } : { kind, days: count };
  return { accountId, goods, currency, amount };
}
