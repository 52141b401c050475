// Money as Telegram moves it: a payment after the bot agreed, and Stars going back. Balances have no end here.
import { createCheckouts } from './checkouts.ts';
import { invoiceOf, sendInvoice } from './invoices.ts';
import type { Method } from './messages.ts';
import { badRequest, type Invoice, type PaymentNote, type StoredMessage, type User } from './types.ts';
import type { UpdateQueue } from './updates.ts';
import { wireMessage, type World } from './world.ts';

/** What the pre-checkout query says instead of what the invoice says. */
export interface PaymentOverrides {
  currency?: string;
  total_amount?: number;
  invoice_payload?: string;
}

/** How a payment went; `error` is what the person reads. */
export type PaymentResult =
  { ok: true; chargeId: string; updateId: number | undefined } | { ok: false; error: string };

export interface Payments {
  /** Pays an invoice message, or a link of createInvoiceLink. Each payment has a charge id of its own. */
  pay(
    user: User,
    invoice: Pick<StoredMessage, 'invoice'> | string,
    overrides?: PaymentOverrides,
  ): Promise<PaymentResult>;
  methods: Record<string, Method>;
}

interface Charge {
  userId: number;
  note: PaymentNote;
  refunded: boolean;
}

/** Payments and refunds of one bot. */
export function createPayments(world: World, updates: UpdateQueue): Payments {
  const links = new Map<string, Invoice>();
  const charges = new Map<string, Charge>();
  const checkouts = createCheckouts(world, updates);

  const pay: Payments['pay'] = async (user, invoice, overrides = {}) => {
    const asked = typeof invoice === 'string' ? links.get(invoice) : invoice.invoice;
    if (!asked) throw new Error('this is no invoice');
    const { currency, totalAmount, payload } = asked;
    const terms = { currency, total_amount: totalAmount, invoice_payload: payload, ...overrides };
    const error = await checkouts.ask(user, terms);
    if (error !== undefined) return { ok: false, error };
    const number = world.firstNumber + charges.size + 1;
    const chargeId = `stxAb${user.id}_${number}`;
    const provider_payment_charge_id = `provider_${number}`;
    const note = { ...terms, telegram_payment_charge_id: chargeId, provider_payment_charge_id };
    charges.set(chargeId, { userId: user.id, note, refunded: false });
    const message = world.addMessage(world.getChat(user.id), { from: user, byBot: false, payment: note });
    return { ok: true, chargeId, updateId: updates.push('message', wireMessage(world, message)) };
  };

  const refundStarPayment: Method = (params) => {
    const charge = charges.get(params.text('telegram_payment_charge_id') ?? '');
    // Of money that a provider moved the Bot API knows no refund.
    const isStars = charge?.note.currency === 'XTR' && charge.userId === params.integer('user_id');
    if (!isStars) throw badRequest('CHARGE_NOT_FOUND');
    if (charge.refunded) throw badRequest('CHARGE_ALREADY_REFUNDED');
    charge.refunded = true;
    const from = world.users.get(charge.userId);
    const message = world.addMessage(world.getChat(charge.userId), {
      from,
      byBot: false,
      refund: charge.note,
    });
    updates.push('message', wireMessage(world, message));
    return true;
  };

  const createInvoiceLink: Method = (params) => {
    const link = `https://t.me/$${links.size + 1}invoice`;
    links.set(link, invoiceOf(params));
    return link;
  };

  const { answerPreCheckoutQuery } = checkouts;
  const send: Method = (params) => sendInvoice(world, params);
  return {
    pay,
    methods: { sendInvoice: send, createInvoiceLink, answerPreCheckoutQuery, refundStarPayment },
  };
}
