// Every payment and every refund in the order in which they happened, and `getStarTransactions` as the Bot API
// documents it: oldest first, in pages, a refund under the identifier of what it gives back.
import type { Method } from './messages.ts';
import { badRequest, type PaymentNote, type User } from './types.ts';
import type { World } from './world.ts';

export interface Charge {
  userId: number;
  note: PaymentNote;
  refunded: boolean;
}

export interface StarLedger {
  add(chargeId: string, charge: Charge): void;
  find(chargeId: string): Charge | undefined;
  count(): number;
  /** Notes that the money of a charge went back. */
  giveBack(charge: Charge): void;
  getStarTransactions: Method;
}

interface Transaction {
  id: string;
  amount: number;
  date: number;
  source?: object;
  receiver?: object;
}

export function createStarLedger(world: World): StarLedger {
  const charges = new Map<string, Charge>();
  const transactions: Transaction[] = [];

  function note(charge: Charge, side: 'source' | 'receiver'): void {
    const { currency, total_amount: amount, invoice_payload, telegram_payment_charge_id: id } = charge.note;
    // What a provider moved is no transaction in Stars.
    if (currency !== 'XTR') return;
    const user: User | undefined = world.users.get(charge.userId);
    const partner = { type: 'user', transaction_type: 'invoice_payment', user, invoice_payload };
    transactions.push({ id, amount, date: Math.floor(world.clock.now() / 1000), [side]: partner });
  }

  return {
    add(chargeId, charge) {
      charges.set(chargeId, charge);
      note(charge, 'source');
    },
    find: (chargeId) => charges.get(chargeId),
    count: () => charges.size,
    giveBack(charge) {
      charge.refunded = true;
      note(charge, 'receiver');
    },
    getStarTransactions(params) {
      const offset = params.integer('offset') ?? 0;
      const limit = params.integer('limit') ?? 100;
      if (offset < 0) throw badRequest('invalid offset specified');
      if (limit < 1 || limit > 100) throw badRequest('invalid limit specified');
      return { transactions: transactions.slice(offset, offset + limit) };
    },
  };
}
