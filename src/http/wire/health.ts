// Whether the service lives and is ready, on the wire.
import { z } from '@hono/zod-openapi';

export const Health = z.strictObject({ status: z.literal('ok') }).openapi('Health');

export const Readiness = z
  .strictObject({
    status: z.enum(['ready', 'stopping', 'unavailable']),
    database: z.enum(['open', 'unavailable']),
    migrations: z.literal('done').openapi({ description: 'The service does not start before they are' }),
    platform: z.enum(['reachable', 'unreachable']).openapi({
      description: 'Told, but no reason to be unready: reading and the code database work without it',
    }),
  })
  .openapi('Readiness');
export type Readiness = z.infer<typeof Readiness>;
