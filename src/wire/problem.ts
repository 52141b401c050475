// The error shape as openapi.json tells it, and the answers that whole groups of endpoints have in common.
import { z } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';

import { DAILY_LIMIT } from '../core/index.ts';
import { EXAMPLE_ORDER_KEY } from './fields.ts';

const Sentence = z.string().openapi({ description: 'One sentence a person can act on' });

export const Problem = z
  .strictObject({
    error: Sentence,
    errorCode: z.string().optional().openapi({ description: 'Where a program has to tell the cases apart' }),
    issues: z
      .array(
        z.strictObject({
          path: z
            .string()
            .openapi({ description: 'The field, as the request names it', example: 'playerId' }),
          message: z.string().openapi({ description: 'What it must be, in words that follow its name' }),
        }),
      )
      .optional()
      .openapi({ description: 'Each broken field of a 400' }),
  })
  .openapi('Problem', {
    description: 'Every error that is not a failed redemption',
  });

export const WireQuotaExceeded = z
  .strictObject({
    error: Sentence,
    limit: z
      .literal(DAILY_LIMIT)
      .openapi({ description: 'The daily quota of a subscription, in activations' }),
  })
  .openapi('QuotaExceeded', {
    description: 'The daily quota and the purchased activations are used up',
    example: { error: 'Too many requests: the daily quota is used up.', limit: DAILY_LIMIT },
  });

export const TooManyRequests = z.strictObject({ error: Sentence }).openapi('TooManyRequests', {
  description:
    'Turned away for a while, and nothing was begun or recorded: too many requests of the account that could not be carried out, too many without a valid API key, or more than the service can write down just now',
  example: {
    error:
      'Too many requests of this account could not be carried out in the last minute. Correct them, and try again in 12 s.',
  },
});

export const SECURITY = [{ apiKey: [] }];

/** A JSON answer of a route, perhaps with an example of its own. */
export function answers<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  example?: z.input<Schema>,
) {
  return {
    description,
    content: {
      'application/json': { schema, ...(example !== undefined && { example: example as unknown }) },
    },
  };
}

/** A JSON body of a route. */
export function sends<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** The documented header of the endpoints that remember a request. */
export const IdempotencyHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().openapi({
    description:
      '1 to 255 visible ASCII characters, per account, kept until 30 days after the end of what it began (24 hours where codes were added or handed out): the same key with the same body answers what the first request answered, with `Idempotency-Replayed: true`, and costs nothing',
    example: EXAMPLE_ORDER_KEY,
  }),
});

/** RFC 7240; anything else that it names is ignored. */
export const PreferHeader = z.object({
  Prefer: z.string().optional().openapi({
    description: '`respond-async`: answer as soon as it has begun',
    example: 'respond-async',
  }),
});

/** The same of those that begin nothing without it. */
export const RequiredKeyHeaders = z.object({
  'Idempotency-Key': z.string().min(1).max(255).openapi({
    description:
      'Required. 1 to 255 visible ASCII characters, per account, kept until 30 days after the end of the order: the same key with the same body answers the order as it is now, with `Idempotency-Replayed: true`',
    example: EXAMPLE_ORDER_KEY,
  }),
});

const EXPIRED = {
  error: 'The subscription has expired, and access to the API with it. Renew it in the bot.',
  errorCode: 'SUBSCRIPTION_EXPIRED',
};

/** Of what spends or hands out; a paused account may still read. */
export const NO_SUBSCRIPTION_OR_PAUSED = answers(
  Problem,
  'The account has no active subscription, or is paused: `SUBSCRIPTION_EXPIRED`',
  EXPIRED,
);

export const COMMON_ANSWERS: RouteConfig['responses'] = {
  401: answers(Problem, 'No key, or one that is unknown or revoked', {
    error: 'An API key is needed. Send it as Authorization: Bearer <api key>.',
  }),
  403: answers(Problem, 'The account has no active subscription: `SUBSCRIPTION_EXPIRED`', EXPIRED),
  429: answers(TooManyRequests, 'Turned away for a while; `Retry-After` says for how long'),
  500: answers(Problem, 'Our fault; support finds it under the `x-request-id` of the answer', {
    error:
      'Something went wrong on our side. Try again later, and if it stays, ask support about request id 3f0a8b1e-5c55-4a1e-9a0e-1f9a6d1f2b10.',
  }),
};

export const CHARGED_ANSWERS: RouteConfig['responses'] = {
  403: NO_SUBSCRIPTION_OR_PAUSED,
  400: answers(Problem, 'The request breaks a rule', {
    error:
      'The request breaks a rule: playerId is required and must be a string of digits, in quotes: "5124780131".',
    issues: [
      { path: 'playerId', message: 'is required and must be a string of digits, in quotes: "5124780131"' },
    ],
  }),
  429: answers(
    z.union([WireQuotaExceeded, TooManyRequests]),
    'The quota is used up, and `Retry-After` says when the window has room; or turned away for a while, without `limit`',
    {
      error:
        'Too many requests: the daily quota is used up. Try again in 42 s, or buy more activations in the bot.',
      limit: DAILY_LIMIT,
    },
  ),
};

export const BODY_ANSWERS: RouteConfig['responses'] = {
  400: answers(Problem, 'The body breaks a rule', {
    error: 'The request breaks a rule: denomination is required and must be an integer: 60.',
    issues: [{ path: 'denomination', message: 'is required and must be an integer: 60' }],
  }),
  413: answers(Problem, 'The body is larger than 1 MiB', {
    error: 'The body is larger than 1 MiB. Send less at a time.',
  }),
  415: answers(Problem, 'The body is not JSON', {
    error: 'The body is not declared as JSON. Send JSON in UTF-8 with Content-Type: application/json.',
  }),
};

export const REPLAY_ANSWERS: RouteConfig['responses'] = {
  422: answers(Problem, 'The Idempotency-Key was used with another body: `IDEMPOTENCY_KEY_REUSED`', {
    error: 'This Idempotency-Key was used for another request. Send a new key with a new request.',
    errorCode: 'IDEMPOTENCY_KEY_REUSED',
  }),
};

/** What any path can answer besides. */
export const OTHER_ANSWERS = answers(
  Problem,
  'Anything else that HTTP knows: 405 with `Allow`, 408 for a request that came too slowly, 431 for headers over 16 KiB',
  { error: 'This path does not know that method. Use GET, HEAD.' },
);
