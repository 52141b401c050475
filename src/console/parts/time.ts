// A moment: absolute in the account's zone, and how long ago, each where the other is looked for.
import { html } from 'hono/html';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts';
import { LOCALES, type Language } from '../../locales.ts';
import { formatDay, formatMoment, formatSeconds, formatShort } from '../../moments.ts';
import type { Html, ScreenContext } from '../context.ts';

type Reader = Pick<ScreenContext, 'language' | 'timeZone' | 'clock' | 't'>;

/** `24 Nov, 10:36`, the day in one piece; the whole of it and how long ago on being pointed at. */
export function absoluteTime(reader: Reader, at: number): Html;
export function absoluteTime(reader: Reader, at: number | undefined): Html | undefined;
export function absoluteTime(reader: Reader, at: number | undefined): Html | undefined {
  if (at === undefined) return undefined;
  const { language, timeZone } = reader;
  const whole = `${formatMoment(language, at, timeZone)} · ${ago(reader, at)}`;
  return html`<time datetime="${new Date(at).toISOString()}" title="${whole}"
    >${formatShort(language, at, timeZone).replace(' ', '\u00a0')}</time
  >`;
}

/** `24 Nov, 10:36:05`. */
export function exactTime(reader: Reader, at: number): Html {
  const { language, timeZone } = reader;
  return html`<time datetime="${new Date(at).toISOString()}" title="${ago(reader, at)}"
    >${formatSeconds(language, at, timeZone)}</time
  >`;
}

/** `3 min ago`; the whole moment on being pointed at. */
export function relativeTime(reader: Reader, at: number): Html;
export function relativeTime(reader: Reader, at: number | undefined): Html | undefined;
export function relativeTime(reader: Reader, at: number | undefined): Html | undefined {
  if (at === undefined) return undefined;
  const whole = formatMoment(reader.language, at, reader.timeZone);
  return html`<time datetime="${new Date(at).toISOString()}" title="${whole}">${ago(reader, at)}</time>`;
}

/** `24 Nov 2026`. */
export const dayOfMoment = (
  { language, timeZone }: Pick<Reader, 'language' | 'timeZone'>,
  at: number,
): string => formatDay(language, at, timeZone);

const ago = (reader: Reader, at: number) => {
  const ms = reader.clock.now() - at;
  return reader.t(ms < 0 ? 'ahead' : 'ago', { span: span(reader, Math.abs(ms)) });
};

/** `40 s`, `12 min`, `5 h`, `3 d`. */
export function span({ t }: Pick<Reader, 't'>, ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each * 2) ?? (['seconds', 1_000] as const);
  return t(`span-${unit}`, { count: String(Math.max(0, Math.round(ms / size))) });
}

/** `0.4 s`, in Russian `0,4 с`; `12 s`, `3 min`. */
export function duration(reader: Pick<Reader, 't' | 'language'>, ms: number): string {
  if (ms >= 10_000) return span(reader, ms);
  const format = (TENTHS[reader.language] ??= new Intl.NumberFormat(LOCALES[reader.language], ONE_DIGIT));
  return reader.t('span-seconds', { count: format.format(Math.max(0, ms) / 1000) });
}

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
const TENTHS: Partial<Record<Language, Intl.NumberFormat>> = {};

const UNITS = [
  ['days', DAY_MS],
  ['hours', HOUR_MS],
  ['minutes', MINUTE_MS],
] as const;
