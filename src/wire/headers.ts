// The headers of answers, as openapi.json tells them.
import type { RouteConfig } from '@hono/zod-openapi';

type Responses = RouteConfig['responses'];
type Answer = Responses[string];
type Header = { description: string; schema: { type: 'string' | 'integer' }; example: string | number };

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string' },
  example,
});

const ALWAYS = {
  'x-request-id': text('What support finds the request under', '3f0a8b1e-5c55-4a1e-9a0e-1f9a6d1f2b10'),
  'x-platform': text(
    '`sandbox` where the platform is for trying: nothing has reached a game, whatever the receipt says; absent otherwise',
    'sandbox',
  ),
};
const QUOTA = {
  'RateLimit-Policy': text(
    'The quotas there are: `q` activations, `w` seconds of the window; a second item where activations were purchased, `q` being all that were ever bought',
    '"daily";q=300;w=86400, "purchased";q=1000',
  ),
  RateLimit: text(
    'What is left of each: `r` whole activations, `t` seconds until one more is free. A client may go on while any `r` is above 0',
    '"daily";r=299;t=42, "purchased";r=1000',
  ),
};
const RETRY_AFTER = {
  'Retry-After': {
    description: 'Seconds to wait before the next try',
    schema: { type: 'integer' },
    example: 12,
  } satisfies Header,
};
const AUTHENTICATE = { 'WWW-Authenticate': text('How to authenticate', 'Bearer') };
const REPLAYED = {
  'Idempotency-Replayed': text(
    '`true` where an earlier request under this Idempotency-Key was answered; absent otherwise',
    'true',
  ),
};
const ALLOW = { Allow: text('Of a 405: the methods of this path', 'GET, HEAD') };

const location = (example: string) => ({ Location: text('Where what was begun is read', example) });

/** Of an answer that leads to an order. */
export const LEADS = { headers: location('/orders/ord_7Jq2mVbX0sTz1uR4wKcA9e') };

/** Of a redemption that is answered before its end, as was preferred. */
export const AT_ONCE = {
  headers: {
    ...location('/history/4713'),
    'Preference-Applied': text('It is answered as soon as it has begun', 'respond-async'),
    ...REPLAYED,
  },
};

/** With the headers that each answer carries, by its status. */
export function withHeaders(
  responses: Responses,
  { charged = false, replays = false }: { charged?: boolean; replays?: boolean } = {},
): Responses {
  return Object.fromEntries(
    Object.entries<Answer>(responses).map(([status, response]): [string, Answer] => {
      if ('$ref' in response) return [status, response];
      const headers = {
        ...response.headers,
        ...ALWAYS,
        ...(charged && status !== '401' && QUOTA),
        ...(replays && (status === '200' || status === '503') && REPLAYED),
        ...(status === '401' && AUTHENTICATE),
        ...(status === '429' && RETRY_AFTER),
        ...(status === 'default' && ALLOW),
      };
      return [status, { ...response, headers }];
    }),
  );
}
