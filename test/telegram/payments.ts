// Money as Telegram moves it: a payment after the bot agreed, and Stars going back. Balances have no end here.
import { createCheckouts } from './checkouts.ts';
import { sendInvoice } from './invoices.ts';
import type { Method } from './messages.ts';
import { createStarLedger, type Charge } from './star-ledger.ts';
import { badRequest, type StoredMessage, type User } from './types.ts';
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
  /** Pays an invoice message. Each payment has a charge id of its own. */
  pay(
    user: User,
    message: Pick<StoredMessage, 'invoice'>,
    overrides?: PaymentOverrides,
  ): Promise<PaymentResult>;
  /** Gives the money of a charge back without the bot, as Telegram's own support does. */
  refund(chargeId: string): void;
  methods: Record<string, Method>;
}

/** Payments and refunds of one bot. */
export function createStarPayments(world: World, updates: UpdateQueue): Payments {
  const ledger = createStarLedger(world);
  const checkouts = createCheckouts(world, updates);

  const pay: Payments['pay'] = async (user, { invoice }, overrides = {}) => {
    if (!invoice) throw new Error('this is no invoice');
    const { currency, totalAmount, payload } = invoice;
    const terms = { currency, total_amount: totalAmount, invoice_payload: payload, ...overrides };
    const error = await checkouts.ask(user, terms);
    if (error !== undefined) return { ok: false, error };
    const number = world.firstNumber + ledger.count() + 1;
    const chargeId = `stxAb${user.id}_${number}`;
    const provider_payment_charge_id = `provider_${number}`;
    const note = { ...terms, telegram_payment_charge_id: chargeId, provider_payment_charge_id };
    ledger.add(chargeId, { userId: user.id, note, refunded: false });
    const message = world.addMessage(world.getChat(user.id), { from: user, byBot: false, payment: note });
    return { ok: true, chargeId, updateId: updates.push('message', wireMessage(world, message)) };
  };

  function giveBack(charge: Charge): void {
    ledger.giveBack(charge);
    const from = world.users.get(charge.userId);
    const refund = charge.note;
    const message = world.addMessage(world.getChat(charge.userId), { from, byBot: false, refund });
    updates.push('message', wireMessage(world, message));
  }

  const refundStarPayment: Method = (params) => {
    const chargeId = params.text('telegram_payment_charge_id') ?? '';
    if (!world.users.has(params.integer('user_id') ?? 0)) throw badRequest('USER_ID_INVALID');
    if (chargeId === '') throw badRequest('CHARGE_ID_EMPTY');
    const charge = ledger.find(chargeId);
    // Of money that a provider moved the Bot API knows no refund.
    const isStars = charge?.note.currency === 'XTR' && charge.userId === params.integer('user_id');
    if (!isStars) throw badRequest('CHARGE_NOT_FOUND');
    if (charge.refunded) throw badRequest('CHARGE_ALREADY_REFUNDED');
    giveBack(charge);
    return true;
  };

  function refund(chargeId: string): void {
    const charge = ledger.find(chargeId);
    if (!charge || charge.refunded) throw new Error(`there is nothing to give back of ${chargeId}`);
    giveBack(charge);
  }

  const { answerPreCheckoutQuery } = checkouts;
  const send: Method = (params) => sendInvoice(world, params);
  const { getStarTransactions } = ledger;
  const ofStars = { refundStarPayment, getStarTransactions };
  return {
    pay,
    refund,
    methods: { sendInvoice: send, answerPreCheckoutQuery, ...ofStars },
  };
}
