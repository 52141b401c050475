// The quota on the wire, in activations, of which quarters exist; and the key that asks, with what is left of its own
// limits.
import { z } from '@hono/zod-openapi';

import { DAILY_LIMIT } from '../core/index.ts';
import type { KeyStatus, QuotaStatus } from '../core/index.ts';
import { formatTimestamp, Time } from './fields.ts';

export const Quota = z
  .strictObject({
    daily: z
      .strictObject({
        limit: z.int().openapi({ description: 'Of a subscription', example: DAILY_LIMIT }),
        used: z.number().openapi({ description: 'Activations, quarters included', example: 0.25 }),
        remaining: z.number().openapi({ description: 'What is left of it', example: 299.75 }),
      })
      .openapi({ description: 'Of the 24 hours before this moment' }),
    purchased: z
      .number()
      .openapi({ description: 'Used after the daily quota; they do not expire', example: 1000 }),
    subscriptionExpiresAt: Time.optional(),
  })
  .openapi('Quota');
export type Quota = z.infer<typeof Quota>;

export function renderQuota({ daily, purchased, subscriptionExpiresAt }: QuotaStatus): Quota {
  return {
    daily: { limit: daily.limit, used: daily.used, remaining: daily.remaining },
    purchased,
    subscriptionExpiresAt: formatTimestamp(subscriptionExpiresAt),
  };
}

export const WireKey = z
  .strictObject({
    prefix: z.string().openapi({ description: 'How it begins', example: 'crs_85kpsqmC' }),
    name: z.string().optional().openapi({ description: 'As its owner calls it', example: 'Marketplace' }),
    createdAt: Time,
    lastUsedAt: Time.optional().openapi({ description: 'To the minute' }),
    limits: z
      .strictObject({
        dayLimit: z.number().optional().openapi({
          description: 'Activations in any 24 hours, daily and purchased alike',
          example: 50,
        }),
        addresses: z
          .array(z.string())
          .optional()
          .openapi({ description: 'From which alone it is taken', example: ['203.0.113.0/24'] }),
        expiresAt: Time.optional(),
      })
      .openapi({ description: 'Of its own; what is absent does not limit' }),
    day: z
      .strictObject({
        used: z.number().openapi({ description: 'Activations, quarters included', example: 12.25 }),
        remaining: z.number().openapi({ description: 'What is left of its own limit', example: 37.75 }),
        secondsUntilNext: z
          .int()
          .openapi({ description: 'Until one more activation is free; 0 where none is used', example: 3600 }),
      })
      .optional()
      .openapi({ description: 'Of the 24 hours before this moment, where it has a limit of a day' }),
    ...Quota.shape,
  })
  .openapi('Key');
export type WireKey = z.infer<typeof WireKey>;

export function renderKey(
  { prefix, name, createdAt, lastUsedAt, limits, window }: KeyStatus,
  quota: QuotaStatus,
): WireKey {
  const { dayLimit, addresses, expiresAt } = limits;
  return {
    prefix,
    name,
    createdAt: formatTimestamp(createdAt),
    lastUsedAt: formatTimestamp(lastUsedAt),
    limits: {
      dayLimit,
      ...(addresses && { addresses: [...addresses] }),
      expiresAt: formatTimestamp(expiresAt),
    },
    day: window,
    ...renderQuota(quota),
  };
}
