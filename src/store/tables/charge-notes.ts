// Charge notes: what Telegram told of charges that no payment is booked for: known for good, told once.
import { eq, ph, type Orm } from '../engine/drizzle.ts';
import { chargeNotes } from '../schema/index.ts';

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

export function createChargeNotesTable(orm: Orm) {
  const save = orm
    .insert(chargeNotes)
    .values({
      chargeId: ph('chargeId'),
      kind: ph('kind'),
      payerId: ph('payerId'),
      currency: ph('currency'),
      amount: ph('amount'),
      at: ph('at'),
    })
    .onConflictDoNothing()
    .prepare();
  const find = orm
    .select()
    .from(chargeNotes)
    .where(eq(chargeNotes.chargeId, ph('chargeId')))
    .prepare();
  return {
    /** The same again changes nothing. */
    save: (note: ChargeNote) => void save.run({ ...note }),
    find: (chargeId: string, kind: ChargeNote['kind']): ChargeNote | undefined =>
      find.all({ chargeId }).find((note) => note.kind === kind),
  };
}
