// Webhooks on the wire: addresses that are told, deliveries, and the bodies that are sent to them (../webhooks/bodies.ts
// makes those).
import { z } from '@hono/zod-openapi';

import { WEBHOOK_EVENTS, WEBHOOK_TEST } from '../core/index.ts';
import type { AddressFlaw, Delivery, Webhook } from '../core/index.ts';
import { ActivationError, ActivationReceipt } from './activation.ts';
import { WireClaim } from './claims.ts';
import { EXAMPLE_ORDER_KEY, formatTimestamp, GameId, rule, Time } from './fields.ts';
import { OrderId, WireOrder } from './orders.ts';

const EVENT_WORDS = `must be an array of one or more of ${WEBHOOK_EVENTS.join(', ')}`;
const Event = z.enum(WEBHOOK_EVENTS, { error: `must be one of ${WEBHOOK_EVENTS.join(', ')}` });
const Url = z.string({ error: rule('must be an address that begins with https://') }).openapi({
  description: 'https, and reachable from the internet',
  example: 'https://shop.example/hooks/redemptions',
});

export const AddWebhookBody = z
  .object(
    {
      url: Url,
      events: z
        .array(Event, { error: rule(EVENT_WORDS) })
        .min(1, EVENT_WORDS)
        .openapi({ description: 'What it is told of', example: ['redemption.settled', 'stock.low'] }),
    },
    { error: 'The body must be a JSON object' },
  )
  .openapi('AddWebhookRequest');

const FIELDS = {
  id: z.int().openapi({ description: 'Of the webhook', example: 3 }),
  url: Url,
  events: z
    .array(Event)
    .openapi({ description: 'What it is told of', example: ['redemption.settled', 'stock.low'] }),
  createdAt: Time,
  enabled: z.boolean().openapi({ description: 'Whether it is told of anything', example: true }),
  failingSince: Time.optional().openapi({
    description: 'Since when every attempt failed; absent where the last one went through',
  }),
  disabledAt: Time.optional().openapi({
    description: 'When it was switched off: nothing went through for three days',
  }),
};

export const WireWebhook = z.strictObject(FIELDS).openapi('Webhook');
export type WireWebhook = z.infer<typeof WireWebhook>;

export const AddedWebhook = z
  .strictObject({
    ...FIELDS,
    secret: z.string().openapi({
      description: 'What deliveries are signed with. Shown this once',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw7dGhF1pJ0E8=',
    }),
  })
  .openapi('AddedWebhook');
export type AddedWebhook = z.infer<typeof AddedWebhook>;

export function renderWebhook(webhook: Webhook): WireWebhook {
  const { id, url, events, createdAt, failingSince, disabledAt } = webhook;
  return {
    ...{ id, url, events },
    createdAt: formatTimestamp(createdAt),
    enabled: disabledAt === undefined,
    failingSince: formatTimestamp(failingSince),
    disabledAt: formatTimestamp(disabledAt),
  };
}

const STATES = ['waiting', 'delivered', 'failed'] as const satisfies readonly Delivery['state'][];
const DeliveryState = z.enum(STATES, { error: `must be one of ${STATES.join(', ')}` });

export const DeliveriesQuery = z.object({
  before: z
    .string({ error: 'must be the id of a delivery' })
    .regex(/^[1-9]\d{0,14}$/, 'must be the id of a delivery')
    .transform(Number)
    .optional()
    .openapi({ type: 'integer', description: 'Those before this one', example: 17 }),
  state: DeliveryState.optional().openapi({ description: 'Those that stand so', example: 'waiting' }),
});

export const WireDelivery = z
  .strictObject({
    id: z.int().openapi({ description: 'Of the delivery', example: 17 }),
    messageId: z.string().openapi({
      description: 'The `webhook-id` of every attempt; greater than that of anything older',
      example: 'msg_000000000042',
    }),
    type: z
      .enum([...WEBHOOK_EVENTS, WEBHOOK_TEST])
      .openapi({ description: 'What is told', example: 'redemption.settled' }),
    createdAt: Time.openapi({ description: 'When the fact came about' }),
    state: DeliveryState.openapi({
      description: '`waiting`: tried, or to be tried; `failed`: not tried any more, unless you order it',
      example: 'waiting',
    }),
    attempts: z.int().openapi({ description: 'How often it was tried', example: 2 }),
    nextAttemptAt: Time.optional(),
    lastAttemptAt: Time.optional(),
    status: z.int().optional().openapi({ description: 'What the address answered last', example: 500 }),
    problem: z
      .string()
      .optional()
      .openapi({ description: 'Why the last attempt failed', example: 'It answered 500.' }),
  })
  .openapi('WebhookDelivery');
export type WireDelivery = z.infer<typeof WireDelivery>;

export function renderDelivery(delivery: Delivery): WireDelivery {
  const { id, messageId, type, createdAt, state, attempts, status, problem } = delivery;
  const { nextAttemptAt, lastAttemptAt } = delivery;
  return {
    ...{ id, messageId, type, state, attempts, status, problem },
    createdAt: formatTimestamp(createdAt),
    nextAttemptAt: formatTimestamp(nextAttemptAt),
    lastAttemptAt: formatTimestamp(lastAttemptAt),
  };
}

/** What is wrong with an address, in words that follow `url`. */
export const FLAWS: Record<AddressFlaw, string> = {
  notAnAddress: 'must be an address that begins with https://',
  notHttps: 'must begin with https://',
  withPassword: 'must hold no user name and no password',
  tooLong: 'must have at most 1,000 characters',
  unknownHost: 'names a host that does not exist',
  notPublic: 'leads to an address that is not public',
  unresolved: 'names a host that could not be looked up: try again',
};

const idempotencyKey = z.string().optional().openapi({
  description: 'The Idempotency-Key of its request; absent for a redemption of the chat',
  example: EXAMPLE_ORDER_KEY,
});
const ofOrder = {
  orderId: OrderId.optional().openapi({ description: 'The order that it is a code of' }),
  reference: z.string().optional().openapi({ description: 'Of that order', example: 'INV-1001' }),
};
const ToldOrder = WireOrder.extend({
  idempotencyKey: z.string().optional().openapi({
    description: 'The Idempotency-Key that placed it',
    example: EXAMPLE_ORDER_KEY,
  }),
}).openapi('ToldOrder');
const Settled = z.discriminatedUnion('type', [
  ActivationReceipt.omit({ code: true, email: true, password: true })
    .extend({ idempotencyKey, ...ofOrder })
    .openapi('SettledReceipt'),
  ActivationError.omit({ code: true, settledAt: true })
    .extend({ settledAt: Time, idempotencyKey, ...ofOrder })
    .openapi('SettledError'),
]);

const StockData = z.strictObject({
  gameId: GameId,
  denomination: z.int().openapi({ description: 'Of the codes', example: 60 }),
  available: z.int().openapi({ description: 'Codes that are left', example: 9 }),
  threshold: z.int().openapi({
    description: 'Below which `stock.low` is told, as set in the bot; 0: never',
    example: 10,
  }),
});

/** What is sent, by its `type`. */
export const WEBHOOK_BODIES = {
  'redemption.settled': message('redemption.settled', Settled, {
    description:
      'A redemption is final: the record as GET /history/{id} tells it, without code and credentials. Once for every redemption, from the bot, too',
  }),
  'order.settled': message('order.settled', ToldOrder, {
    description:
      'An order is done, stopped or cancelled: nothing of it is open any more. A resumed one is told of again, with its `run`',
  }),
  'order.waiting': message('order.waiting', ToldOrder, {
    description: 'An order begins to wait for stock, quota or subscription',
  }),
  'claim.settled': message('claim.settled', WireClaim, {
    description: 'All that a claim link is for is redeemed',
  }),
  'claim.stuck': message('claim.stuck', WireClaim, {
    description: 'A claim link does not go on by itself, `trouble` says why: whoever has it waits for you',
  }),
  'stock.low': message('stock.low', StockData, {
    description: 'Codes of a denomination run out; told once until there are more',
  }),
  'stock.out': message('stock.out', StockData, {
    description:
      'No code of a denomination is left that a new order could take; told once until there are some',
  }),
  'stock.back': message('stock.back', StockData, {
    description: 'After `stock.out` there are codes of the denomination again',
  }),
  'quota.used': message(
    'quota.used',
    z.strictObject({
      percent: z
        .union([z.literal(80), z.literal(100)])
        .openapi({ description: 'Of the daily quota', example: 80 }),
    }),
    { description: 'So much of the daily quota is used' },
  ),
  'subscription.ending': message(
    'subscription.ending',
    z.strictObject({
      subscriptionExpiresAt: Time,
      daysLeft: z.int().openapi({ description: '0: it has ended', example: 3 }),
    }),
    { description: 'The subscription ends in three days, in one, or has ended' },
  ),
  [WEBHOOK_TEST]: message(WEBHOOK_TEST, z.strictObject({}), {
    description: 'Of POST /webhooks/{id}/test; means nothing',
  }),
};

function message<Data extends z.ZodType>(type: string, data: Data, { description }: { description: string }) {
  return z
    .strictObject({
      type: z.literal(type),
      timestamp: Time.openapi({ description: 'When the fact came about' }),
      data,
    })
    .describe(description);
}
