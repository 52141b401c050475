// Moments as people read them, in the time zone of their account and in one form: `21 Nov 2026, 10:36 UTC+3`, `21 Nov
// 2026`, in lists `21 Nov, 10:36` or `10:36`.
import { MINUTE_MS } from '../clock.ts';
import { offsetAt, type Core, type Day, type MemberActor } from '../core/index.ts';
import type { Language } from './texts.ts';

/** How dates are written in each language. */
export const LOCALES = { en: 'en-GB', ru: 'ru-RU' } as const satisfies Record<Language, string>;

/** A month cut short reads badly in Russian. */
const MONTHS = { en: 'short', ru: 'long' } as const satisfies Record<Language, string>;

/** The time zone in which somebody reads: of their account; UTC for who has none. */
export function zoneOf(
  { core }: { core: Pick<Core, 'accounts'> },
  actor: Pick<MemberActor, 'accountId'> | undefined,
): string {
  return actor ? core.accounts.timeZoneOf(actor.accountId) : 'UTC';
}

/** `21 Nov 2026, 10:36 UTC+3`. */
export function formatMoment(language: Language, at: number, timeZone = 'UTC'): string {
  return `${formatDay(language, at, timeZone)}, ${formatTime(at, timeZone)} ${describeOffset(timeZone, at)}`;
}

/** `21 Nov 2026`. */
export function formatDay(language: Language, at: number, timeZone = 'UTC'): string {
  return FORMATS[language].day.format(at + offsetAt(timeZone, at)).replace(/\s?г\.$/u, '');
}

/** `21 Nov, 10:36`, for lists: the year and the zone are told above them, or go without saying. */
export function formatShort(language: Language, at: number, timeZone = 'UTC'): string {
  return `${FORMATS[language].short.format(at + offsetAt(timeZone, at))}, ${formatTime(at, timeZone)}`;
}

/** `10:36`. */
export function formatTime(at: number, timeZone = 'UTC'): string {
  return new Date(at + offsetAt(timeZone, at)).toISOString().slice(11, 16);
}

/** `10:36` of a minute of the day. */
export const formatMinute = (minute: number): string => formatTime(minute * MINUTE_MS);

/** `21 Nov 2026` of a day of the calendar. */
export const formatDate = (language: Language, day: Day): string => formatDay(language, toMoment(day));

/** `21 Nov` of a day of the calendar. */
export const formatShortDate = (language: Language, day: Day): string =>
  FORMATS[language].short.format(toMoment(day));

/** `UTC+3`, `UTC−4:30`: how far the clocks of a zone are from UTC at a moment. */
export function describeOffset(timeZone: string, at: number): string {
  const offset = Math.round(offsetAt(timeZone, at) / MINUTE_MS);
  if (offset === 0) return 'UTC';
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `UTC${offset > 0 ? '+' : '−'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

const toMoment = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day);

/** Moments are shifted by their offset first: a formatter of its own for every zone would be slow and large. */
const FORMATS = { en: makeFormats('en'), ru: makeFormats('ru') };

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
