// Planted bugs of orders: each takes away one promise, and the tests beside orders must find it.
import type { PlantedBug } from './planted-bug.ts';

const ORDERS = 'src/core/orders/orders.test.ts';

export const ORDERS_OF_CODES: PlantedBug[] = [
  {
    name: 'what is promised to an order is taken by whoever comes first',
    file: 'src/core/redemption/take-code.ts',
    edits: [['freeOf(level) === 0) return undefined;', 'freeOf(level) < 0) return undefined;']],
    tests: [ORDERS],
  },
  {
    name: 'a doubt that ended as used is no doubt to its order',
    file: 'src/core/orders/verdict.ts',
    edits: [["  if (doubtedAt !== null) return { kind: 'stop', reason: 'DOUBT' };\n", '']],
    tests: [ORDERS],
  },
];
