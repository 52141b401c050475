// What Telegram told of charges that nobody booked: each kept once a charge and kind, as it was told first.
import { expect, test } from 'vitest';

import { openTestStore } from '../../../test/harness/store.ts';
import type { ChargeNote } from './purchases.ts';

test('a note is kept as it was told first, once a charge and kind', async () => {
  const t = openTestStore();
  try {
    const note = {
      chargeId: 'a',
      kind: 'unbooked' as const,
      payerId: 71,
      currency: 'XTR',
      amount: 77,
      at: 5,
    };
    const refund = { ...note, kind: 'refunded' as const, at: 6 };
    await t.store.write(({ chargeNotes }) => {
      for (const one of [note, refund, { ...note, payerId: 72, at: 9 }, { ...refund, chargeId: 'b' }])
        chargeNotes.save(one);
    });
    const find = (chargeId: string, kind: ChargeNote['kind']) =>
      t.store.read(({ chargeNotes }) => chargeNotes.find(chargeId, kind));
    expect([find('a', 'unbooked'), find('a', 'refunded')]).toEqual([note, refund]);
    expect([find('b', 'unbooked'), find('b', 'refunded'), find('c', 'unbooked')]).toEqual([
      undefined,
      { ...refund, chargeId: 'b' },
      undefined,
    ]);
  } finally {
    await t.close();
  }
});
