// Planted bugs of orders: each takes away one promise, and the tests beside orders must find it.
import type { PlantedBug } from './planted-bug.ts';

const MODEL = 'test/torture/orders.test.ts';

export const ORDERS_OF_CODES: PlantedBug[] = [
  {
    name: 'what is promised to an order is taken by whoever comes first',
    file: 'src/core/redemption/take-code.ts',
    edits: [['freeOf(level) === 0) return undefined;', 'freeOf(level) < 0) return undefined;']],
    tests: ['src/core/promises.test.ts'],
  },
  {
    name: 'a doubt that ended as used is no doubt to its order',
    file: 'src/core/orders/verdict.ts',
    edits: [["  if (doubtedAt !== null) return { kind: 'stop', reason: 'DOUBT' };\n", '']],
    tests: ['src/core/orders/verdict.test.ts'],
  },
  {
    name: 'an order whose key was revoked waits on for stock',
    file: 'src/core/members.ts',
    edits: [["  requirePermission(getCurrentActor(tables, redeemer), 'redeem');\n", '']],
    tests: [MODEL],
  },
  {
    name: 'what a lost time has carried out of an order wakes nobody',
    file: 'src/core/orders/runner.ts',
    edits: [["begun.replayed ? { status: 'again' } : ", '']],
    tests: [MODEL],
  },
  {
    name: 'what is promised to nobody wakes no order that waits for it',
    file: 'src/core/promises.ts',
    edits: [[', ...left.slice(0, free)]', ']']],
    tests: [MODEL],
  },
  {
    name: 'an order is accepted where there is a part of it',
    file: 'src/core/orders/place.ts',
    edits: [['free >= length ?', 'free > 0 ?']],
    tests: [MODEL],
  },
  {
    name: 'what has failed of an order is not begun once more with the rest',
    file: 'src/store/tables/order-items.ts',
    edits: [
      [`"state in ('missing', 'failed')", { state: 'waiting'`, `"state = 'missing'", { state: 'waiting'`],
    ],
    tests: [MODEL],
  },
  {
    name: 'an order that the platform cannot carry out is tried for ever',
    file: 'src/core/orders/verdict.ts',
    edits: [['TROUBLE_WITHIN_MS = HOUR_MS', 'TROUBLE_WITHIN_MS = 1_000 * HOUR_MS']],
    tests: [MODEL],
  },
  {
    name: 'what a lost time has carried out of an order is begun once more with the rest',
    file: 'src/core/redemption/begin.ts',
    edits: [['order?.takesRecovered !== true ||', 'order?.takesRecovered !== undefined ||']],
    tests: ['src/core/orders/restored.test.ts'],
  },
];
