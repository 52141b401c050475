// A list of Stars as long as a service gets old: compared in turns, whatever it names.
import { expect, test } from 'vitest';

import { fake } from '../../../test/harness/fake.ts';
import type { BotDeps } from '../context.ts';
import { COMPARED_AT_ONCE, reconcile } from './reconcile-payments.ts';

test('of 30,000 payments no more than fifty are compared before others have their turn', async () => {
  let inOneTurn = 0;
  let most = 0;
  let looked = 0;
  const find = () => {
    looked += 1;
    inOneTurn += 1;
    most = Math.max(most, inOneTurn);
    return { refunded: undefined };
  };
  const store = { findChargeNote: () => undefined };
  const deps: BotDeps = fake({ store, core: { purchases: { find } } });
  const source = { type: 'user', transaction_type: 'invoice_payment', user: { id: 1 } };
  const list = Array.from({ length: 30_000 }, (_, n) => ({ id: `c${n}`, amount: 1, date: 1, source }));
  await reconcile(deps, fake(list), new AbortController().signal, () => {
    inOneTurn = 0;
    return Promise.resolve();
  });
  expect([looked, most]).toEqual([30_000, COMPARED_AT_ONCE]);
});
