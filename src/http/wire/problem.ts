// The error shape as openapi.json tells it, and the answers that whole groups of endpoints have in common.
import { z } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';

import { DAILY_LIMIT } from '../../core/index.ts';

export const Problem = z
  .strictObject({
    error: z.string().openapi({ description: 'One sentence a person can act on' }),
    errorCode: z.string().optional().openapi({ description: 'Where a program has to tell the cases apart' }),
    issues: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'Each broken field of a 400' }),
  })
  .openapi('Problem', {
    description: 'Every error that is not a failed redemption',
    example: { error: 'An API key is needed. Send it as Authorization: Bearer <api key>.' },
  });

export const QuotaExceeded = z
  .strictObject({ error: z.string(), limit: z.literal(DAILY_LIMIT) })
  .openapi('QuotaExceeded', {
    description: 'The daily quota and the purchased activations are used up',
    example: { error: 'Too many requests: the daily quota is used up.', limit: DAILY_LIMIT },
  });

export const TooManyRequests = z
  .strictObject({ error: z.string().openapi({ description: 'One sentence a person can act on' }) })
  .openapi('TooManyRequests', {
    description:
      'Turned away for a while, and nothing was begun or recorded: too many requests of the account that could not be carried out, too many without a valid API key, or more than the service can write down just now',
    example: {
      error:
        'Too many requests of this account could not be carried out in the last minute. Correct them, and try again in 12 s.',
    },
  });

export const SECURITY = [{ apiKey: [] }];

/** A JSON answer of a route. */
export function answers<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** A JSON body of a route. */
export function sends<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** The documented header of the endpoints that remember a request. */
export const IdempotencyHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description:
      '1 to 255 visible ASCII characters, kept for 24 hours per account: the same key with the same body answers what the first request answered, with `Idempotency-Replayed: true`, and costs nothing',
    example: 'order-8f2c41',
  }),
});

export const COMMON_ANSWERS: RouteConfig['responses'] = {
  401: answers(Problem, 'No key, or one that is unknown or revoked'),
  403: answers(Problem, 'The account has no active subscription: `SUBSCRIPTION_EXPIRED`'),
  429: answers(TooManyRequests, 'Turned away for a while; `Retry-After` says for how long'),
  500: answers(Problem, 'Our fault; support finds it under the `x-request-id` of the answer'),
};

export const CHARGED_ANSWERS: RouteConfig['responses'] = {
  400: answers(Problem, 'The request breaks a rule'),
  429: answers(
    z.union([QuotaExceeded, TooManyRequests]),
    'The quota is used up, and `Retry-After` says when the window has room; or turned away for a while, without `limit`',
  ),
};

export const BODY_ANSWERS: RouteConfig['responses'] = {
  400: answers(Problem, 'The body breaks a rule'),
  413: answers(Problem, 'The body is larger than 1 MiB'),
  415: answers(Problem, 'The body is not JSON'),
};

export const REPLAY_ANSWERS: RouteConfig['responses'] = {
  422: answers(Problem, 'The Idempotency-Key was used with another body: `IDEMPOTENCY_KEY_REUSED`'),
};
