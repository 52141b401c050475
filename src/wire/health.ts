// Whether the service lives and is ready, on the wire.
import { z } from '@hono/zod-openapi';

export const WireHealth = z.strictObject({ status: z.literal('ok') }).openapi('Health');

export const Readiness = z
  .strictObject({
    status: z.enum(['ready', 'stopping', 'unavailable']).openapi({
      description: '`ready`: requests are served; else the answer is 503',
    }),
    database: z.enum(['open', 'unwritable', 'moved', 'unavailable']).openapi({
      description:
        '`unwritable`: the last write did not go through; one is tried every second. `moved`: the file was moved away or deleted, and nothing begins until it is back',
    }),
    migrations: z.literal('done').openapi({ description: 'The service does not start before they are' }),
    platform: z.enum(['reachable', 'unreachable']).openapi({
      description: 'Told, but no reason to be unready: reading and the code database work without it',
    }),
    platformKind: z.enum(['sandbox', 'real']).openapi({
      description: '`sandbox`: for trying, nothing is redeemed in truth',
    }),
    upstreams: z.int().openapi({ description: 'Services that codes may be redeemed at', example: 3 }),
    usable: z.int().openapi({
      description: 'Of them, those that are sent orders now: neither paused nor resting',
      example: 2,
    }),
    contested: z.literal(true).optional().openapi({
      description:
        'Told while another machine seems to serve the same codes: none are handed out, and a code that is used is asked about. No reason to be unready',
    }),
    telegram: z
      .enum(['starting', 'reachable', 'unreachable', 'revoked', 'failed', 'contested'])
      .optional()
      .openapi({
        description:
          'Where the service has a bot: `revoked`, the token is not known and nobody is answered; `failed`, the bot could not start and tries again; `contested`, another process fetches its updates. No reason to be unready',
      }),
  })
  .openapi('Readiness');
export type Readiness = z.infer<typeof Readiness>;
