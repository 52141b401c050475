// Defects of orders over HTTP: a program that lives by them had to be there, and to look.
import type { PlantedDefect } from './defects.ts';

export const ORDERS: readonly PlantedDefect[] = [
  {
    name: 'a cancelled order keeps its promises until its end',
    file: 'src/core/orders/orders.ts',
    edits: [['          tables.orderItems.forgo(row.id);\n', '']],
  },
  {
    name: 'a place of an order counts its tries twice',
    file: 'src/store/tables/order-items.ts',
    edits: [['tries: sql`tries + 1`', 'tries: sql`tries + 2`']],
  },
  {
    name: 'the request of an order that is repeated is another order',
    file: 'src/core/idempotency.ts',
    edits: [
      [
        'const earlier = isSpent ? undefined : found;',
        "const earlier = isSpent || typeof found?.orderId === 'number' ? undefined : found;",
      ],
    ],
  },
  {
    name: 'an order has an end while a code of it is open',
    file: 'src/core/order-record.ts',
    edits: [
      [
        '...(row.endedAt !== null && { endedAt: row.endedAt }),',
        '...((row.endedAt !== null || row.ending !== null) && { endedAt: row.endedAt ?? row.createdAt }),',
      ],
    ],
  },
  {
    name: 'who repeats an order after its deadline is refused',
    file: 'src/core/orders/place.ts',
    edits: [
      [
        '  const key = useKey(tables, accountId, request.idempotencyKey, describe(read), moment);\n',
        "  if (!isDeadline(request.deadline, moment.now)) throw invalid('deadline', 'must be in the future');\n  const key = useKey(tables, accountId, request.idempotencyKey, describe(read), moment);\n",
      ],
    ],
  },
  {
    name: 'the end of an order is told to no program',
    file: 'src/core/orders/advance.ts',
    edits: [["  enqueueEvent(tables, order, 'order.settled', now);\n", '']],
  },
];
