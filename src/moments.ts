// Moments as people read them, in a time zone and in one form: `21 Nov 2026, 10:36 UTC+3`, `21 Nov 2026`, in lists
// `21 Nov, 10:36` or `10:36`. A zone is `UTC`, an offset such as `+03:00`, or an IANA name.
import { MINUTE_MS } from './clock.ts';
import { LOCALES, type Language } from './locales.ts';

/** A day of the calendar. */
type Day = Record<'year' | 'month' | 'day', number>;

/** Formatters are slow to make and large: those of the zones in use are kept. */
const MOST_KEPT = 50;

/** A month cut short reads badly in Russian. */
const MONTHS = { en: 'short', ru: 'long' } as const satisfies Record<Language, string>;

/** `21 Nov 2026, 10:36 UTC+3`. */
export function formatMoment(language: Language, at: number, timeZone = 'UTC'): string {
  return `${formatDay(language, at, timeZone)}, ${formatTime(at, timeZone)} ${describeOffset(timeZone, at)}`;
}

/** `21 Nov 2026`. */
export function formatDay(language: Language, at: number, timeZone = 'UTC'): string {
  return formatsOf(language)
    .day.format(at + offsetAt(timeZone, at))
    .replace(/\s?г\.$/u, '');
}

/** `21 Nov, 10:36`, for lists: the year and the zone are told above them, or go without saying. */
export function formatShort(language: Language, at: number, timeZone = 'UTC'): string {
  return `${formatsOf(language).short.format(at + offsetAt(timeZone, at))}, ${formatTime(at, timeZone)}`;
}

/** `10:36`. */
export function formatTime(at: number, timeZone = 'UTC'): string {
  return new Date(at + offsetAt(timeZone, at)).toISOString().slice(11, 16);
}

/** `21 Nov, 10:36:05`. */
export function formatSeconds(language: Language, at: number, timeZone = 'UTC'): string {
  return formatShort(language, at, timeZone) + new Date(at).toISOString().slice(16, 19);
}

/** `21 Nov 2026` of a day of the calendar. */
export const formatDate = (language: Language, day: Day): string => formatDay(language, toMoment(day));

/** `21 Nov` of a day of the calendar. */
export const formatShortDate = (language: Language, day: Day): string =>
  formatsOf(language).short.format(toMoment(day));

/** `UTC+3`, `UTC−4:30`: how far the clocks of a zone are from UTC at a moment. */
export function describeOffset(timeZone: string, at: number): string {
  const offset = Math.round(offsetAt(timeZone, at) / MINUTE_MS);
  if (offset === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `UTC${offset > 0 ? '+' : '−'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

const toMoment = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);

/**
 * Moments are shifted by their offset first: a formatter of its own for every zone would be slow and large. To make one
 * costs a start some milliseconds, so it is made when it is first asked for.
 */
const formats: Partial<Record<Language, ReturnType<typeof makeFormats>>> = {};
const formatsOf = (language: Language) => (formats[language] ??= makeFormats(language));

function makeFormats(language: Language) {
  const make = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[language], {
      timeZone: 'UTC',
      day: 'numeric',
      month: MONTHS[language],
      ...options,
    });
  return { day: make({ year: 'numeric' }), short: make({}) };
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** How far the clocks of a zone are ahead of UTC at a moment, in ms. */
export function offsetAt(timeZone: string, at: number): number {
  if (timeZone === 'UTC') return 0;
  const fixed = /^([+-])(\d\d):(\d\d)$/.exec(timeZone);
  if (fixed) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3]);
    return (fixed[1] === '+' ? minutes : -minutes) * MINUTE_MS;
  }
  const parts: Record<string, number> = {};
  for (const { type, value } of formatterOf(timeZone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day, hour, minute, second } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const kept = formatters.get(timeZone);
  if (kept) return kept;
  if (formatters.size >= MOST_KEPT) formatters.clear();
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}
