// Orders on the wire: an order as it is told, to readers and to webhooks, and why nothing was placed.
import { z } from '@hono/zod-openapi';

import { ORDER_STOP_REASONS } from '../core/index.ts';
import type { OrderItemRecord, OrderRecord } from '../core/index.ts';
import { formatTimestamp, GameId, PlayerId, ReceiptId, Time } from './fields.ts';
import { instant } from './instants.ts';

const STATES = ['running', 'waiting', 'done', 'stopped', 'cancelled'] as const;

/** The identifier of an order, in a path. */
export const OrderId = z
  .string()
  .openapi({ description: 'Identifier of the order', example: 'ord_7Jq2mVbX0sTz1uR4wKcA9e' });

const Item = z
  .strictObject({
    n: z.int().openapi({ description: 'Its place in the order, from 1 on', example: 1 }),
    denomination: z.int().optional().openapi({ description: 'Absent of a code of your own', example: 325 }),
    state: z.enum(['waiting', 'running', 'inDoubt', 'redeemed', 'failed', 'missing']).openapi({
      description: '`missing`: the order ended without it',
      example: 'redeemed',
    }),
    redemptionId: ReceiptId.optional().openapi({
      description: 'Its receipt is GET /history/{id}; of several tries, the newest',
    }),
    amount: z.int().optional().openapi({ description: 'Redeemed', example: 325 }),
  })
  .openapi('OrderItem');

const Missing = z.union([
  z.strictObject({
    denomination: z.int().openapi({ description: 'Of the codes', example: 60 }),
    count: z.int().openapi({ description: 'How many of them', example: 1 }),
  }),
  z.strictObject({ n: z.int().openapi({ description: 'The place of a code of your own', example: 2 }) }),
]);

export const WireOrder = z
  .strictObject({
    type: z.literal('Order'),
    id: OrderId,
    state: z.enum(STATES).openapi({
      description:
        '`done`: all is redeemed; `stopped`: something is missing, `reason` says why and `missing` what; these and `cancelled` are final, but for a stopped one that is resumed',
      example: 'waiting',
    }),
    waitsFor: z.enum(['stock', 'quota', 'subscription', 'platform', 'doubt']).optional().openapi({
      description: 'What it waits for, while it waits',
      example: 'doubt',
    }),
    reason: z
      .enum(ORDER_STOP_REASONS)
      .optional()
      .openapi({ description: 'Why it stopped', example: 'DOUBT' }),
    gameId: GameId,
    playerId: PlayerId,
    playerName: z.string().optional().openapi({
      description: 'Where the platform told it',
      example: 'Player',
    }),
    reference: z.string().optional().openapi({ description: 'As it was sent', example: 'INV-1001' }),
    createdAt: Time,
    deadline: Time.optional().openapi({ description: 'As it was sent', example: '2026-01-13T12:00:00.000Z' }),
    endedAt: Time.optional().openapi({
      description:
        'Since when it is done, stopped or cancelled; never there while a redemption of it is open',
    }),
    run: z.int().openapi({ description: '1, and one more for each time it was resumed', example: 1 }),
    wanted: z.strictObject({
      codes: z.int().openapi({ description: 'Codes in all', example: 3 }),
      amount: z.int().optional().openapi({
        description: 'Absent where a code of your own is among them',
        example: 445,
      }),
    }),
    redeemed: z.strictObject({
      codes: z.int().openapi({ description: 'Codes that are redeemed', example: 1 }),
      amount: z.int().openapi({ description: 'Their sum, as far as it is known', example: 325 }),
    }),
    open: z.int().openapi({ description: 'Redemptions under way or in doubt', example: 1 }),
    failed: z.int().openapi({ description: 'Codes of your own that failed', example: 0 }),
    items: z.array(Item).openapi({ description: 'Its codes, in the order in which they are begun' }),
    missing: z.array(Missing).optional().openapi({
      description: 'Of one that ended without all: by denomination, and codes of your own by their place',
    }),
  })
  .openapi('Order', {
    description:
      'Several codes for one player. No code and no credentials: each receipt by GET /history/{id}',
    example: {
      type: 'Order',
      id: 'ord_7Jq2mVbX0sTz1uR4wKcA9e',
      state: 'waiting',
      waitsFor: 'doubt',
      gameId: 'game_id_1',
      playerId: '5124780131',
      playerName: 'Player',
      reference: 'INV-1001',
      createdAt: '2026-01-13T08:27:18.520Z',
      run: 1,
      wanted: { codes: 3, amount: 445 },
      redeemed: { codes: 1, amount: 325 },
      open: 1,
      failed: 0,
      items: [
        { n: 1, denomination: 325, state: 'redeemed', redemptionId: 4711, amount: 325 },
        { n: 2, denomination: 60, state: 'inDoubt', redemptionId: 4712 },
        { n: 3, denomination: 60, state: 'waiting' },
      ],
    },
  });
export type WireOrder = z.infer<typeof WireOrder>;

export function renderOrder({
  replacedBy: _other,
  standing: _standing,
  createdAt,
  deadline,
  endedAt,
  items,
  ...order
}: OrderRecord): WireOrder {
  return {
    type: 'Order',
    ...order,
    createdAt: formatTimestamp(createdAt),
    deadline: formatTimestamp(deadline),
    endedAt: formatTimestamp(endedAt),
    items: items.map((item: OrderItemRecord) => ({ ...item })),
  };
}

export const OrdersQuery = z.object({
  reference: z.string().optional().openapi({ description: 'Those of this reference', example: 'INV-1001' }),
  state: z
    .enum(STATES, { error: `must be one of ${STATES.join(', ')}` })
    .optional()
    .openapi({ description: 'Those that are so', example: 'stopped' }),
  before: instant(Math.ceil, 'Strictly before this time'),
});

/** Why nothing was placed, or resumed. */
export const OrderConflict = z
  .strictObject({
    error: z.string().openapi({ description: 'One sentence a person can act on' }),
    errorCode: z
      .enum(['NOT_ENOUGH_STOCK', 'NO_COMPOSITION', 'NOT_STOPPED'])
      .openapi({ description: 'Which of the cases it is', example: 'NOT_ENOUGH_STOCK' }),
    missing: z
      .array(
        z.strictObject({
          denomination: z.int().openapi({ description: 'Of the codes', example: 60 }),
          count: z.int().openapi({ description: 'How many of them', example: 2 }),
        }),
      )
      .optional()
      .openapi({ description: 'Of NOT_ENOUGH_STOCK: what is not there' }),
    below: z
      .int()
      .optional()
      .openapi({ description: 'Of NO_COMPOSITION: the nearest sum below', example: 385 }),
    above: z
      .int()
      .optional()
      .openapi({ description: 'Of NO_COMPOSITION: the nearest sum above', example: 445 }),
  })
  .openapi('OrderConflict', {
    example: {
      error: 'There is not enough stock for the whole order: nothing was begun. Missing: 2 of 60.',
      errorCode: 'NOT_ENOUGH_STOCK',
      missing: [{ denomination: 60, count: 2 }],
    },
  });
