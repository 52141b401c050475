// Days and times in the zone of an account, as everybody's calendar has them: not by the arithmetic of the service.
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function partsOf(zone: string, at: number): Record<string, string> {
  const format =
    FORMATS.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
  FORMATS.set(zone, format);
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

/** `2 Mar 2026`. */
export function dayOf(zone: string, at: number): string {
  const { day, month, year } = partsOf(zone, at);
  return `${day} ${month} ${year}`;
}

/** `14:00`. */
export function timeOf(zone: string, at: number): string {
  const { hour, minute } = partsOf(zone, at);
  return `${hour}:${minute}`;
}

/** `+05:30`, `Z` where there is none. */
export function offsetOf(zone: string, at: number): string {
  const offset = partsOf(zone, at).timeZoneName?.slice('GMT'.length) ?? '';
  return offset === '' || offset === '+00:00' ? 'Z' : offset;
}

/** This day and those before it, the newest first: of the calendar, since not every day has 24 hours. */
export function lastDays(zone: string, at: number, count: number): string[] {
  const noon = Date.parse(`${dayOf(zone, at)} 12:00 UTC`);
  return Array.from({ length: count }, (_, ago) => dayOf('UTC', noon - ago * DAY_MS));
}

const DAY_MS = 24 * 60 * 60_000;
