// How long a reader waits for news: `?wait=` of what changes.
import { z } from '@hono/zod-openapi';

/** What is left of the 55 s in which everything is answered. */
const LONGEST_WAIT_S = 50;
const WORDS = `must be a whole number of seconds from 0 to ${LONGEST_WAIT_S}`;

export const WaitQuery = z.object({
  wait: z
    .string()
    .regex(/^\d{1,2}$/, WORDS)
    .transform(Number)
    .refine((seconds) => seconds <= LONGEST_WAIT_S, WORDS)
    .optional()
    .openapi({
      type: 'integer',
      description:
        'Seconds to wait for news, 0 to 50: answered as soon as something changes, else at the end as it is; at once where nothing changes any more',
      example: 50,
    }),
});
