// Reading what somebody looks for: days, an hour, outcomes, the number of a key; the rest is words. Nothing is looked
// up here.
import { foldWritten } from '../folding.ts';
import { addDays, dayAt, isDay, momentAt, startOfDay, type Day } from '../zones.ts';
import { findLastDays, findMonth, findRelativeDay, findSpan, findState } from './query-words.ts';
import { foldQueryWord, isFiller, type AskedState } from './query-words.ts';

export interface SearchQuery {
  /** From the beginning of the first to the end of the last. */
  days?: { first: Day; last: Day; from: number; until: number };
  /** The minute of the day around which it was: `days` hold no more than that. */
  minute?: number;
  state?: AskedState;
  /** Who began it: the key of this number. */
  apiKeyId?: number;
  /** What is none of these. Those that say nothing by themselves are not among them, unless there are no others. */
  words: string[];
}

interface Moment {
  timeZone: string;
  now: number;
}

/** The longest phrase that means one thing, in words. */
const LONGEST_PHRASE = 3;
const MOST_WORDS = 40;
const AROUND_MS = 30 * 60 * 1000;

/** As it is read: a span of days is one word, and so is the number of a receipt. */
const JOINED: readonly [RegExp, string][] = [
  [/(?<=\d[./]\d{1,4})\s+[-–—]\s+(?=\d{1,2}[./]\d)/gu, '-'],
  [/(?<![\p{L}\p{N}])(?:receipt|чека?)\s+[#№]?(?=\d{1,9}(?![\p{L}\p{N}]))/giu, '#'],
];

/** Understands both languages. What stands in quotes is words, whatever it says. */
export function readAsked(text: string, moment: Moment): SearchQuery {
  const joined = JOINED.reduce((read, [pattern, by]) => read.replace(pattern, by), text);
  const tokens = (joined.match(/"[^"]*"|«[^«»]*»|“[^“”]*”|\S+/gu) ?? []).slice(0, MOST_WORDS).map(foldNumber);
  const days: Day[] = [];
  const words: string[] = [];
  const asked: Pick<SearchQuery, 'state' | 'apiKeyId' | 'minute'> = {};
  for (let at = 0; at < tokens.length;) {
    const read = readPhrase(tokens.slice(at, at + LONGEST_PHRASE), moment);
    if (read?.days) days.push(...read.days);
    else if (read?.state && !asked.state) asked.state = read.state;
    else if (read?.apiKeyId !== undefined) asked.apiKeyId = read.apiKeyId;
    else if (read?.minute !== undefined && asked.minute === undefined) asked.minute = read.minute;
    else words.push(...tokens.slice(at, at + (read?.length ?? 1)).map(toWord));
    at += read?.length ?? 1;
  }
  const telling = words.filter((word) => !isFiller(foldQueryWord(word)));
  const isAlone = days.length === 0 && Object.keys(asked).length === 0;
  const range = toRange(days, asked.minute, moment);
  return {
    ...asked,
    ...(range && { days: range }),
    words: telling.length > 0 || !isAlone ? telling : words,
  };
}

/** `٥١٢٤٧٨٠١٣١`: what has no letters is a number, whatever its script; names are compared by their own folding. */
const foldNumber = (token: string): string => (/\p{L}/u.test(token) ? token : foldWritten(token));

interface Phrase {
  /** In words. */
  length: number;
  /** The first and the last. */
  days?: readonly [Day, Day];
  minute?: number;
  state?: AskedState;
  apiKeyId?: number;
}

/** The longest phrase that the tokens begin with; undefined where the first is a word. */
function readPhrase(tokens: readonly string[], moment: Moment): Phrase | undefined {
  if (/^["«“]/.test(tokens[0] ?? '')) return undefined;
  for (let length = tokens.length; length > 0; length -= 1) {
    const words = tokens.slice(0, length).map(foldQueryWord);
    const joined = words.join(' ');
    const state = findState(joined);
    if (state) return { length, state };
    const days = readDays(words, moment);
    if (days) return { length, days };
    const [, hour = '', minute = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(joined) ?? [];
    if (hour !== '') return { length, minute: Number(hour) * 60 + Number(minute) };
    const key = /^(?:key|keys|ключ|ключа|ключом) ?[#№]?(\d{1,9})$/.exec(joined);
    if (key) return { length, apiKeyId: Number(key[1]) };
  }
  return undefined;
}

function readDays(words: readonly string[], { timeZone, now }: Moment): [Day, Day] | undefined {
  const today = dayAt(timeZone, now);
  const joined = words.join(' ');
  const relative = findRelativeDay(joined);
  const [word = ''] = words;
  const day =
    relative !== undefined
      ? addDays(today, relative)
      : words.length === 1
        ? readFigures(word, today)
        : readNamed(words, today);
  if (day) return [day, day];
  const lastDays = findLastDays(joined);
  if (lastDays > 0) return [addDays(today, 1 - lastDays), today];
  const span = findSpan(joined);
  if (span) return readSpan(span, today);
  return readFromTo(words, today);
}

/** A week from Monday, or a month. */
function readSpan([unit, distance]: NonNullable<ReturnType<typeof findSpan>>, today: Day): [Day, Day] {
  if (unit === 'week') {
    const weekday = (new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay() + 6) % 7;
    const monday = addDays(today, 7 * distance - weekday);
    return [monday, addDays(monday, 6)];
  }
  const first = addDays({ year: today.year, month: today.month + distance, day: 1 }, 0);
  return [first, addDays({ ...first, month: first.month + 1 }, -1)];
}

/** `24.11-25.11`, `24-25.11`, `24-25 Nov`. */
function readFromTo([word = '', ...rest]: readonly string[], today: Day): [Day, Day] | undefined {
  const [from = '', to = '', more] = word.split(/[-–—]/u);
  if (to === '' || more !== undefined) return undefined;
  const read = (figure: string) =>
    rest.length === 0 ? readFigures(figure, today) : readNamed([figure, ...rest], today);
  const last = read(to);
  if (!last) return undefined;
  const first = read(from) ?? (/^\d{1,2}$/.test(from) ? { ...last, day: Number(from) } : undefined);
  if (!first || !isDay(first)) return undefined;
  // It may end after today.
  return [first, isLater(first, last) ? { ...last, year: last.year + 1 } : last];
}

/** `21.11`, `21/11/26`, `21.11.2026`, `2026-11-21`. */
function readFigures(word: string, today: Day): Day | undefined {
  const iso = /^(20\d\d)[-./](\d{1,2})[-./](\d{1,2})$/.exec(word);
  if (iso) return ofYear(Number(iso[3]), Number(iso[2]), Number(iso[1]), today);
  const figures = /^(\d{1,2})([./])(\d{1,2})(?:\2(20\d\d|\d\d))?$/.exec(word);
  const full = figures ?? /^(\d{1,2})(-)(\d{1,2})-(20\d\d)$/.exec(word);
  if (!full) return undefined;
  const [day, month] = [Number(full[1]), Number(full[3])];
  const year = full[4] === undefined ? undefined : (Number(full[4]) % 100) + 2000;
  // The American order, where it can be no other.
  return month > 12 && full[2] === '/' ? ofYear(month, day, year, today) : ofYear(day, month, year, today);
}

/** `21 ноября`, `Nov 21`, `21 nov 2026`. */
function readNamed(words: readonly string[], today: Day): Day | undefined {
  const [first = '', second = '', third] = words;
  const [figure, name] = /^\d/.test(first) ? [first, second] : [second, first];
  const day = /^(\d{1,2})(?:st|nd|rd|th|го|-го)?$/.exec(figure)?.[1];
  const month = findMonth(name);
  const year = third === undefined ? undefined : /^20\d\d$/.test(third) ? Number(third) : Number.NaN;
  if (day === undefined || month === undefined || Number.isNaN(year)) return undefined;
  return ofYear(Number(day), month, year, today);
}

/** Without a year it is the last one that was: nobody looks for what is yet to come. */
function ofYear(day: number, month: number, year: number | undefined, today: Day): Day | undefined {
  const found = { year: year ?? today.year, month, day };
  if (year === undefined && isLater(found, today)) found.year -= 1;
  return isDay(found) ? found : undefined;
}

const numberOf = ({ year, month, day }: Day) => (year * 100 + month) * 100 + day;
const isLater = (a: Day, b: Day) => numberOf(a) > numberOf(b);

function toRange(days: Day[], minute: number | undefined, { timeZone, now }: Moment): SearchQuery['days'] {
  const [some] = days;
  if (!some) return minute === undefined ? undefined : around(minute, dayAt(timeZone, now), timeZone, now);
  const first = days.reduce((a, b) => (isLater(a, b) ? b : a));
  const last = days.reduce((a, b) => (isLater(b, a) ? b : a));
  if (minute !== undefined) return around(minute, last, timeZone, Number.MAX_SAFE_INTEGER);
  return { first, last, from: startOfDay(timeZone, first), until: startOfDay(timeZone, addDays(last, 1)) };
}

/** Half an hour before and after, the last that was. */
function around(minute: number, day: Day, timeZone: string, now: number): NonNullable<SearchQuery['days']> {
  const at = momentAt(timeZone, day, minute);
  if (at - AROUND_MS > now) return around(minute, addDays(day, -1), timeZone, now);
  return { first: day, last: day, from: at - AROUND_MS, until: at + AROUND_MS };
}

/** Without the quotes, or the marks that end a part of a sentence. */
function toWord(token: string): string {
  if (/^(["«“]).*["»”]$/u.test(token) && token.length > 2) return token.slice(1, -1);
  return token.replace(/(?<=^.|[^,;:.!?])[,;:.!?]+$/u, '');
}
