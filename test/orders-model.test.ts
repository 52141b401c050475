// Orders against a plain model of them: random days of a shop that lives by orders, compared after every step.
import { test } from 'vitest';

import { liveByOrders } from './model/orders/lives.ts';

/** `MODEL_RUNS=5000 npx vitest run test/orders-model.test.ts` for a long one. */
const RUNS = Number(process.env.MODEL_RUNS ?? 25);

test(
  'orders, promises and codes are what the plain model says, after every step',
  () => liveByOrders(RUNS),
  120_000 + RUNS * 2_000,
);
