// Orders: what an invoice asks money for, kept under an opaque id that the invoice carries as its payload.
import type { BotDeps } from '../context.ts';
import type { Draft } from '../keeping.ts';

/** What is bought. */
export type Goods = { kind: 'activations'; thousands: number } | { kind: 'subscription'; days: number };

/** Money, in the currency's smallest unit. `XTR` are Telegram Stars. */
export interface Terms {
  currency: string;
  amount: number;
}

/** What an invoice is for. */
export interface Order extends Terms {
  accountId: number;
  goods: Goods;
}

export type Method = 'stars' | 'provider';

export const STARS = 'XTR';
/** Telegram documents no maximum for an invoice; 100,000 Stars is the largest amount its interface names anywhere. */
export const MOST_STARS = 100_000;
const ACTION = 'invoice';
const ORDER_MS = 24 * 60 * 60 * 1000;
const ID_BYTES = 12;
const CENTS_PER_USD = 100;

/** A price as an invoice asks for it. */
export function toTerms(priceUsdCents: number, method: Method, starsPerUsd: number): Terms {
  if (method === 'provider') return { currency: 'USD', amount: priceUsdCents };
  return { currency: STARS, amount: Math.ceil((priceUsdCents * starsPerUsd) / CENTS_PER_USD) };
}

/** An order, to be kept together with the message that brings its invoice; its id is the payload of that. */
export function makeOrder(
  { clock, ids }: Pick<BotDeps, 'clock' | 'ids'>,
  person: { chatId: number; userId: number },
  order: Order,
): Draft {
  const expiresAt = clock.now() + ORDER_MS;
  return { id: ids.secret(ID_BYTES), ...person, action: ACTION, payload: JSON.stringify(order), expiresAt };
}

/** The order of a payload, an old one too while it is kept. */
export function findOrder(
  { keeping, clock }: Pick<BotDeps, 'keeping' | 'clock'>,
  payload: string,
): { order: Order; isOpen: boolean } | undefined {
  const draft = keeping.drafts.find(payload);
  if (draft?.action !== ACTION) return undefined;
  return { order: JSON.parse(draft.payload) as Order, isOpen: draft.expiresAt > clock.now() };
}
