// The quota on the wire, in activations; quarters exist.
import { z } from '@hono/zod-openapi';

import { DAILY_LIMIT } from '../../core/index.ts';
import type { QuotaStatus } from '../../core/index.ts';
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
    ...(subscriptionExpiresAt !== undefined && {
      subscriptionExpiresAt: formatTimestamp(subscriptionExpiresAt),
    }),
  };
}
