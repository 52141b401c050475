// Charge notes: what Telegram told of charges that no payment is booked for: known for good, told once.
import type { Sql } from '../sql.ts';

export interface ChargeNote {
  chargeId: string;
  /** `unbooked`: it was taken and belongs to no order. `refunded`: it went back. */
  kind: 'unbooked' | 'refunded';
  /** The Telegram id of whoever paid. */
  payerId: number;
  currency: string;
  /** In the currency's smallest unit. */
  amount: number;
  at: number;
}

export function createChargeNotesTable(sql: Sql) {
  const save = sql.run<ChargeNote>(`
    insert into charge_notes (charge_id, kind, payer_id, currency, amount, at)
    values (@chargeId, @kind, @payerId, @currency, @amount, @at)
    on conflict do nothing`);
  const find = sql.one<Pick<ChargeNote, 'chargeId' | 'kind'>, ChargeNote>(`
    select * from charge_notes where charge_id = @chargeId and kind = @kind`);
  return {
    /** The same again changes nothing. */
    save: (note: ChargeNote) => void save(note),
    find: (chargeId: string, kind: ChargeNote['kind']) => find({ chargeId, kind }),
  };
}
