// What is asked for a price, and how long it can be paid.
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import { createManualClock } from '../../clock.ts';
import { findOrder, makeOrder, toTerms } from './orders.ts';

test.each([
  [1000, 77, 770],
  [1000, 77.5, 775],
  [999, 77, 770],
  [1, 1, 1],
  [0, 77, 0],
])('%i cents at %d Stars a dollar are %i Stars, rounded up', (cents, starsPerUsd, amount) => {
  expect(toTerms(cents, starsPerUsd)).toEqual({ currency: 'XTR', amount });
  expect(toTerms(cents, 0)).toEqual({ currency: 'USD', amount: cents });
});

test('an invoice can be paid for a day; its order is known afterwards, too', () => {
  const clock = createManualClock(1_000_000);
  const ids = { secret: (bytes: number) => 'x'.repeat(bytes) };
  const order = { accountId: 5, currency: 'XTR', amount: 770 };
  const goods = { kind: 'activations', thousands: 2 } as const;
  const kept = makeOrder(fake({ clock, ids }), 9, { ...order, goods });
  expect(kept).toEqual({
    id: 'x'.repeat(12),
    orderedBy: 9,
    kind: 'activations',
    count: 2,
    ...order,
    at: 1_000_000,
  });
  const store = { findPurchaseOrder: (id: string) => (id === kept.id ? kept : undefined) };
  const find = () => findOrder(fake({ clock, store }), kept.id);
  clock.advance(24 * 60 * 60 * 1000 - 1);
  expect(find()).toEqual({ order: { ...order, goods }, isOpen: true });
  clock.advance(1);
  expect(find()).toEqual({ order: { ...order, goods }, isOpen: false });
});
