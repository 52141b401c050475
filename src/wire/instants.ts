// Times as they are asked for: ISO 8601, in whatever of its forms clients send, real dates only, and how long a reader
// waits for news.
import { z } from '@hono/zod-openapi';

const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+ -]\d{2}:?\d{2})?)?$/;

/**
 * Milliseconds UTC, with a fraction when the text is finer than that; undefined when it names no moment. Without an
 * offset it is UTC. A blank before the offset is the `+` that a query turns into one.
 */
export function parseInstant(text: string): number | undefined {
  const [, date, hour = '00', minute = '00', second = '00', fraction = '0', offset = 'Z'] =
    ISO.exec(text) ?? [];
  if (date === undefined || !isCalendarDate(date)) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offsetMs = parseOffset(offset);
  if (offsetMs === undefined) return undefined;
  return Date.parse(`${date}T${hour}:${minute}:${second}Z`) + Number(`0.${fraction}`) * 1000 - offsetMs;
}

/** Whether `YYYY-MM-DD` is a day that was or will be: 2026-02-30 is not. */
export function isCalendarDate(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function parseOffset(offset: string): number | undefined {
  if (/^z$/i.test(offset)) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const EXAMPLE = '2026-01-13T08:27:18.520Z';

/** A moment of a request. What is finer than a millisecond is rounded so that "strictly before" and "strictly after" hold. */
export function instant(round: (ms: number) => number, description: string, example = EXAMPLE) {
  const message = `must be a time in ISO 8601: ${example}`;
  return z
    .string({ error: message })
    .transform((text, context) => {
      const ms = parseInstant(text);
      if (ms !== undefined) return round(ms);
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional()
    .openapi({ description, format: 'date-time', example });
}

export const UtcDay = z
  .string()
  .refine(isCalendarDate, 'must be a day of the calendar as YYYY-MM-DD: 2026-01-13')
  .optional()
  .openapi({ description: 'A day in UTC; today if left out', format: 'date', example: '2026-01-13' });

/** What is left of the 55 s in which everything is answered. */
const LONGEST_WAIT_S = 50;
const WORDS = `must be a whole number of seconds from 0 to ${LONGEST_WAIT_S}`;

/** `?wait=` of what changes. */
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
