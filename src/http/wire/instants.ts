// Reading points in time out of a query: ISO 8601, in whatever of its forms clients send, and real dates only.

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
