// Moments as people read them: day and minute, in UTC and saying so, in the form of the language.
import type { Language } from './texts.ts';

/** How dates are written in each language. */
export const LOCALES = { en: 'en-GB', ru: 'ru-RU' } as const satisfies Record<Language, string>;

/** `21 Nov 2026, 07:36 UTC`. */
export function formatMoment(language: Language, at: number): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return `${format.format(at)} UTC`;
}

/** `21 November 2026`, the day in UTC. */
export function formatDay(language: Language, at: number): string {
  return new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }).format(at);
}
