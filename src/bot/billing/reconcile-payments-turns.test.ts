// A list of Stars as long as a service gets old: compared in turns, whatever it names.
import { expect, test } from 'vitest';

import type { BotDeps } from '../context.ts';
import { COMPARED_AT_ONCE, reconcile } from './reconcile-payments.ts';

test('of 30,000 transactions no more than fifty are compared before others have their turn', async () => {
  let inOneTurn = 0;
  let most = 0;
  let looked = 0;
  // Nothing that an order of ours is asked about: the service is not needed.
  const deps = {} as BotDeps;
  const list = Array.from({ length: 30_000 }, (_, n) => ({
    ...{ id: `c${n}`, amount: 1, date: 1 },
    get source() {
      looked += 1;
      inOneTurn += 1;
      most = Math.max(most, inOneTurn);
      return undefined;
    },
  }));
  await reconcile(deps, list, new AbortController().signal, () => {
    inOneTurn = 0;
    return Promise.resolve();
  });
  expect([looked, most]).toEqual([30_000, COMPARED_AT_ONCE]);
});
